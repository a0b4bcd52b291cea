-- Why: whoever builds against the sandbox makes it fail on purpose, and sees what failed because of it. New tables only;
-- older code may still run.

create table faults (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  kind text not null,
  target text not null,
  -- All that was asked for, as the API shows it.
  said jsonb not null,
  -- How often it could have hit, and how often it has: the database decides which hit is the last.
  seen bigint not null default 0,
  hits bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (id, platform_id, environment)
);
create index faults_listed on faults (platform_id, environment, created_at, id) where deleted_at is null;
-- What can change an answer: an outcome that was forced stays what it is when its fault is deleted.
create index faults_in_force on faults (platform_id, environment) where deleted_at is null or kind = 'OUTCOME';
select corridor_protect('faults');

-- How often a subject met a fault; what is drawn for it depends on that and on nothing else.
create table fault_encounters (
  platform_id uuid not null,
  environment text not null,
  fault_id text not null,
  subject text not null,
  seen bigint not null,
  primary key (fault_id, subject, platform_id, environment)
);
select corridor_protect('fault_encounters');

create table fault_activations (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  fault_id text not null,
  kind text not null,
  target text not null,
  -- A transaction, an event, or what was asked of the API.
  subject text not null,
  request_id text,
  operation text,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index fault_activations_listed on fault_activations (platform_id, environment, fault_id, created_at, id);
create index fault_activations_of_subject on fault_activations (platform_id, environment, subject, created_at);
select corridor_protect('fault_activations');
