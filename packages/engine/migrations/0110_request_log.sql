-- Why: who builds against the API looks for what was asked, what was refused and why. A new table only; older code may still run.

-- What was asked of the API: ids and words of our own, and nothing that callers wrote but the id of the request.
create table request_log (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  request_id text not null,
  operation text not null,
  method text not null,
  path text not null,
  -- Ids in the path, by the names of their parameters.
  resources jsonb not null,
  status int not null,
  code text,
  milliseconds int not null,
  -- Keyed hash.
  idempotency_key text,
  replayed boolean not null,
  actor text not null,
  source text not null,
  -- On the clock of the book.
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index request_log_listed on request_log (platform_id, environment, created_at, id);
-- With a condition that is true of every row: no choice for what is looked up by its own id (migration 0109).
create index request_log_of_request on request_log (platform_id, environment, request_id) where request_id <> '';
select corridor_protect('request_log');
