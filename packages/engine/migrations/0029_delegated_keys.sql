-- Why: a wallet can let the service sign for card payments, with a key that nobody else has.
-- New table only; older code may still run.

create table delegated_keys (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  card_id text not null,
  funding_source_id text not null,
  account_id text not null,
  owner_id text not null,
  -- Compressed, lower-case hex; and the private half, sealed with the key of the customer.
  public_key text not null,
  secret text not null,
  nickname text not null,
  status text not null check (status in ('PENDING', 'ACTIVE', 'REVOKED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index delegated_keys_of_account on delegated_keys (platform_id, environment, account_id);
create unique index delegated_keys_one_active on delegated_keys (platform_id, environment, funding_source_id)
  where status = 'ACTIVE';
create index delegated_keys_of_funding_source on delegated_keys (platform_id, environment, funding_source_id);
select corridor_protect('delegated_keys');
