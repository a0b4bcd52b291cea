-- Why: platforms' own stablecoins: the linked credentials of their provider, the coins, and what was minted and
-- burned. Old code does not know the tables and may go on running.

create table stablecoin_provider_accounts (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  provider text not null check (provider in ('BRALE')),
  provider_account_id text not null,
  -- Sealed; shown to nobody.
  credentials text not null,
  status text not null check (status in ('ACTIVE', 'INVALID', 'REVOKED')),
  last_verified_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index stablecoin_provider_accounts_linked
  on stablecoin_provider_accounts (platform_id, environment, provider, provider_account_id)
  where status <> 'REVOKED';
create index stablecoin_provider_accounts_listed
  on stablecoin_provider_accounts (platform_id, environment, created_at desc, id desc);
select corridor_protect('stablecoin_provider_accounts');

create table stablecoins (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  provider_account_id text not null,
  provider text not null,
  name text not null,
  symbol text not null,
  base_currency text not null,
  decimals bigint not null check (decimals between 0 and 18),
  network text not null,
  network_token_identifier text not null,
  provider_token_identifier text not null,
  issuance_status text not null
    check (issuance_status in ('PENDING_REVIEW', 'PROVISIONING', 'PROVISIONED', 'REJECTED', 'FAILED')),
  enablement_status text not null
    check (enablement_status in ('NOT_ENABLED', 'PENDING_APPROVAL', 'ENABLING', 'ENABLED', 'DISABLED')),
  requested_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
-- A token has one owner in the whole environment; whose it is, nobody else is told.
create unique index stablecoins_token on stablecoins (environment, network, network_token_identifier);
create unique index stablecoins_provider_token
  on stablecoins (platform_id, environment, provider_account_id, provider_token_identifier);
create unique index stablecoins_currency
  on stablecoins (platform_id, environment, symbol) where enablement_status in ('ENABLING', 'ENABLED', 'DISABLED');
create index stablecoins_listed on stablecoins (platform_id, environment, created_at desc, id desc);
select corridor_protect('stablecoins');

create table stablecoin_operations (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  coin_id text not null,
  provider_account_id text not null,
  operation_type text not null check (operation_type in ('MINT', 'BURN')),
  status text not null check (status in
    ('CREATED', 'PENDING_FUNDING', 'PENDING_PROVIDER', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED')),
  amount bigint not null check (amount > 0),
  source jsonb not null,
  destination jsonb not null,
  funding_instructions jsonb,
  description text,
  expires_at timestamptz,
  provider_status text,
  failure_reason text,
  started_at timestamptz,
  -- The request that made it, so that its repetition after a crash finds it.
  request_key text not null,
  request_fingerprint text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index stablecoin_operations_request
  on stablecoin_operations (platform_id, environment, request_key);
create index stablecoin_operations_listed
  on stablecoin_operations (platform_id, environment, coin_id, created_at desc, id desc);
select corridor_protect('stablecoin_operations');
