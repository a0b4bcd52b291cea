-- Why: people sign in to the console with a key and get a session instead, so that no key stays in a browser. Sessions stand
-- in the book that no platform has, whoever they are of. New tables only; older code may still run.

create table console_sessions (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  -- Keyed hash of what the cookie holds.
  token_hash text not null,
  -- A token of the platform below, an operator, or `operator` for the key of the environment.
  subject text not null,
  of_platform_id uuid,
  of_environment text,
  -- That of the secret it was opened with: another secret ends it.
  credential_hash text,
  -- Real time.
  seen_at timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (id, platform_id, environment)
);
create unique index console_sessions_token on console_sessions (token_hash);
create index console_sessions_listed on console_sessions (platform_id, environment, created_at desc, id desc);
select corridor_protect('console_sessions');
