-- Why: a fault that is never deleted met new subjects without end, and a row for each stayed. They go with what else was asked for
-- and is over, so each has a time and an id that rises with it. And whoever asks what became of a request is told what hit it on
-- purpose, also where it has made nothing. Of payments that change places each has a time until
-- which nothing is heard of it. Older code may still run: its rows go first.
alter table fault_encounters add column id text not null default '00000000';
alter table fault_encounters add column created_at timestamptz not null default now();
create index fault_encounters_by_id on fault_encounters (id, platform_id, environment);
create index fault_activations_of_request on fault_activations (platform_id, environment, request_id, created_at)
  where request_id is not null;
alter table fault_activations add column silent_until timestamptz;
