-- Why: what is known about people went from the tables of its features when they were erased, and stayed in the events and
-- the stored answers that showed it. Both say now whom they tell of, so that erasure finds them; and what has been
-- told, sent or asked for goes by itself after a time. New columns may be empty; older code may still run.

-- The customer whom the body tells of; null: nobody, or written before this.
alter table events add column subject_id text;
create index events_of_subject on events (platform_id, environment, subject_id) where subject_id is not null;
alter table idempotency_keys add column subject_id text;
create index idempotency_keys_of_subject on idempotency_keys (platform_id, environment, subject_id)
  where subject_id is not null;

-- What endpoints answered to attempts that failed goes before its event.
create index events_answered on events (id) where last_response is not null;
