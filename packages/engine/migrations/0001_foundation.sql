-- Why: the tenant key, its two locks, and the mechanisms every feature writes to.
-- Every tenant table starts its primary key with (platform_id, environment): a book. Rows of two books
-- never meet in one statement, which keeps a later split over several databases possible.
-- Times are parameters from the application; now() appears nowhere.

do $$ begin
  if not exists (select from pg_roles where rolname = 'corridor_app') then
    create role corridor_app nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  execute format('grant corridor_app to %I', current_user);
exception when others then null; -- a superuser needs no membership
end $$;
do $$ begin
  execute format('grant usage on schema %I to corridor_app', current_schema());
end $$;

-- The second lock: whatever a statement says, the application role sees the rows of one book.
create function corridor_protect(tenant_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format(
    'create policy one_book on %s to corridor_app
       using (platform_id = current_setting(''corridor.platform'')::uuid
              and environment = current_setting(''corridor.environment''))', tenant_table);
  execute format('grant select, insert, update, delete on %s to corridor_app', tenant_table);
end $$;

-- Fails a statement whose parts did not do as much as they had to; apply then decides again, with locks.
create function corridor_expect(actual bigint, expected bigint) returns void language plpgsql as $$
begin
  if actual <> expected then
    raise exception 'expected % rows and found %', expected, actual using errcode = 'CR001';
  end if;
end $$;

create table platforms (
  id uuid primary key,
  name text not null unique,
  is_regulated boolean not null,
  skip_paperwork boolean not null,
  created_at timestamptz not null
);

-- One row per platform and environment that has credentials: the book itself, with its settings.
create table books (
  platform_id uuid not null references platforms (id),
  environment text not null check (environment in ('SANDBOX', 'PRODUCTION')),
  -- Sandbox clocks only move forward, and only relative to real time.
  clock_offset_ms bigint not null default 0 check (clock_offset_ms >= 0),
  settings jsonb not null default '{}',
  primary key (platform_id, environment)
);
select corridor_protect('books');

create table tokens (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  name text not null,
  client_id text not null,
  secret_hash text not null,
  permissions text[] not null check (cardinality(permissions) > 0),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (platform_id, environment, id)
);
create unique index tokens_client_id on tokens (client_id);
create index tokens_listed on tokens (platform_id, environment, created_at desc, id desc) where deleted_at is null;
select corridor_protect('tokens');

-- Keys that belong to the installation: webhook signing pairs (private part sealed) and the operator key hash.
create table installation_keys (
  id text primary key,
  purpose text not null,
  environment text,
  public_part text,
  sealed_part text not null,
  created_at timestamptz not null,
  retired_at timestamptz
);

create table ledger_accounts (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  currency text not null,
  debits_posted bigint not null default 0 check (debits_posted >= 0),
  credits_posted bigint not null default 0 check (credits_posted >= 0),
  debits_pending bigint not null default 0 check (debits_pending >= 0),
  credits_pending bigint not null default 0 check (credits_pending >= 0),
  must_not_go_negative boolean not null,
  moved_at timestamptz not null,
  primary key (platform_id, environment, id),
  constraint ledger_accounts_covered
    check (not must_not_go_negative or credits_posted - debits_posted - debits_pending >= 0)
);
select corridor_protect('ledger_accounts');

-- Immutable: a correction is a new transfer. The id is the caller's, so a repeated step meets itself here.
create table ledger_transfers (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  kind text not null check (kind in ('POSTED', 'PENDING', 'POST_PENDING', 'VOID_PENDING')),
  debit_account text not null,
  credit_account text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  pending_id text,
  created_at timestamptz not null,
  primary key (platform_id, environment, id),
  check (debit_account <> credit_account),
  check ((pending_id is null) = (kind in ('POSTED', 'PENDING')))
);
-- A pending transfer is posted or voided once.
create unique index ledger_transfers_resolution
  on ledger_transfers (platform_id, environment, pending_id) where pending_id is not null;
select corridor_protect('ledger_transfers');
revoke update, delete on ledger_transfers from corridor_app;

-- The outbox. A row is written in the transaction that it tells of; its body is final from then on.
create table events (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  seq bigint generated always as identity,
  version bigint not null default 1,
  type text not null,
  resource_id text not null,
  body text not null,
  status text not null check (status in ('QUEUED', 'RETRYING', 'DELIVERED', 'FAILED', 'STORED')),
  -- Attempts that have an outcome; the one under way is not among them.
  attempts int not null default 0,
  max_attempts int,
  created_at timestamptz not null,
  -- Real time at which the relay may take it, and the end of the lease while it has it. Null while the
  -- event waits for its next retry, and once nothing is left to do.
  due_at timestamptz,
  last_status int,
  last_error text,
  last_response text,
  delivered_at timestamptz,
  primary key (platform_id, environment, id)
);
create index events_due on events (platform_id, environment, due_at) where due_at is not null;
create index events_retries on events (platform_id, environment, due_at)
  where status = 'RETRYING' and due_at is not null;
-- The relay only takes the oldest queued event of each resource.
create index events_heads on events (platform_id, environment, resource_id, seq) where status = 'QUEUED';
create index events_given_up on events (platform_id, environment, created_at desc, id desc)
  where status = 'FAILED';
create index events_listed on events (platform_id, environment, seq desc);
select corridor_protect('events');

create table jobs (
  platform_id uuid not null,
  environment text not null,
  id uuid not null,
  kind text not null,
  payload_version int not null default 1,
  payload jsonb not null,
  -- At most one pending job of a kind has a given key.
  key text,
  -- The book's time at which the job is to run, and the real time at which that is.
  run_at timestamptz not null,
  due_at timestamptz not null,
  attempts int not null default 0,
  last_error text,
  dead_at timestamptz,
  created_at timestamptz not null,
  primary key (platform_id, environment, id)
);
-- The key before the kind: the steps of one payment are found by their key alone.
create unique index jobs_key on jobs (platform_id, environment, key, kind) where key is not null and dead_at is null;
create index jobs_due on jobs (due_at) where dead_at is null;
create index jobs_book on jobs (platform_id, environment, run_at) where dead_at is null;
select corridor_protect('jobs');

create table idempotency_keys (
  platform_id uuid not null,
  environment text not null,
  -- Hash of actor, method, path and key (and Request-Id on signed retries).
  id text not null,
  fingerprint text not null,
  status int not null,
  body text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
select corridor_protect('idempotency_keys');
