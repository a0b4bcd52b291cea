-- Why: the resources of the first payment end to end: configuration, customers, accounts, quotes, transactions.
-- `version` rises with every change and is the guard of optimistic updates.

create table platform_configs (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  uma_domain text not null,
  webhook_endpoint text,
  supported_currencies jsonb not null,
  fee_configs jsonb not null default '[]',
  embedded_wallet_config jsonb,
  card_tokenization_2fa_config jsonb,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create unique index platform_configs_one on platform_configs (platform_id, environment);
select corridor_protect('platform_configs');

-- UMA names are one name space for the whole installation, so these tables are keyed by the name itself
-- and are reached by it alone: a row says who holds the name and nothing else.
create table uma_domains (
  environment text not null,
  domain text not null,
  platform_id uuid not null,
  primary key (environment, domain)
);
create table uma_addresses (
  environment text not null,
  address text not null,
  platform_id uuid not null,
  customer_id text not null,
  primary key (environment, address)
);
grant select, insert, update, delete on uma_domains, uma_addresses to corridor_app;

create table customers (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  customer_type text not null check (customer_type in ('INDIVIDUAL', 'BUSINESS')),
  platform_customer_id text not null,
  uma_address text not null,
  status text not null check (status in ('UNVERIFIED', 'PENDING', 'APPROVED', 'REJECTED')),
  region text,
  currencies text[] not null,
  profile jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (platform_id, environment, id)
);
create unique index customers_platform_customer_id
  on customers (platform_id, environment, platform_customer_id) where deleted_at is null;
create index customers_by_platform_customer_id on customers (platform_id, environment, platform_customer_id);
create index customers_listed on customers (platform_id, environment, created_at desc, id desc);
select corridor_protect('customers');

-- `owner_id` is a customer id, or `platform` for the platform's own accounts.
create table internal_accounts (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  owner_id text not null,
  currency text not null,
  type text not null check (type in ('INTERNAL_FIAT', 'INTERNAL_CRYPTO', 'EMBEDDED_WALLET')),
  status text not null check (status in ('PENDING', 'ACTIVE', 'FROZEN', 'CLOSED', 'FAILED')),
  private_enabled boolean,
  funding_instructions jsonb not null,
  funding_reference text not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create unique index internal_accounts_one_per_currency
  on internal_accounts (platform_id, environment, owner_id, currency);
create unique index internal_accounts_reference on internal_accounts (platform_id, environment, funding_reference);
create index internal_accounts_listed on internal_accounts (platform_id, environment, created_at desc, id desc);
select corridor_protect('internal_accounts');

create table external_accounts (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  owner_id text not null,
  platform_account_id text,
  status text not null check (status in
    ('PENDING', 'ACTIVE', 'PENDING_OWNERSHIP_VERIFICATION', 'UNVERIFIED', 'UNDER_REVIEW', 'INACTIVE')),
  ownership_type text check (ownership_type in ('FIRST_PARTY', 'THIRD_PARTY')),
  currency text not null,
  default_uma_deposit_account boolean not null default false,
  beneficiary_verification_status text,
  beneficiary_verified_data jsonb,
  account_type text not null,
  account_info jsonb not null,
  -- What makes two registrations the same account (accounts 4.7).
  duplicate_key text not null,
  trusted boolean not null default false,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (platform_id, environment, id)
);
create unique index external_accounts_duplicate
  on external_accounts (platform_id, environment, owner_id, duplicate_key) where deleted_at is null;
create unique index external_accounts_default_uma
  on external_accounts (platform_id, environment, owner_id) where default_uma_deposit_account and deleted_at is null;
create index external_accounts_listed
  on external_accounts (platform_id, environment, created_at desc, id desc) where deleted_at is null;
select corridor_protect('external_accounts');

-- A quote fixes every amount of its payment; execution uses these integers and never computes again.
-- Its transaction has the same uuid under another prefix.
create table quotes (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  status text not null check (status in
    ('PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED')),
  owner_id text not null,
  source jsonb not null,
  destination jsonb not null,
  source_account_id text,
  destination_account_id text,
  sending_currency text not null,
  receiving_currency text not null,
  sending_amount bigint not null check (sending_amount > 0),
  receiving_amount bigint not null check (receiving_amount > 0),
  -- The parts of the sending amount and of the receiving side: an amounts record of the pricing rules.
  amounts jsonb not null,
  exchange_rate text not null,
  rate_details jsonb not null,
  payment_instructions jsonb,
  payment_reference text,
  options jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create index quotes_expiring on quotes (platform_id, environment, expires_at) where status = 'PENDING';
create unique index quotes_reference
  on quotes (platform_id, environment, payment_reference) where payment_reference is not null;
select corridor_protect('quotes');

create table transactions (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  status text not null check (status in
    ('CREATED', 'PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'REJECTED', 'FAILED', 'REFUNDED', 'EXPIRED')),
  type text not null check (type in ('INCOMING', 'OUTGOING')),
  direction text not null check (direction in ('CREDIT', 'DEBIT')),
  owner_id text not null,
  platform_customer_id text not null,
  quote_id text,
  sent_amount bigint,
  sent_currency text,
  received_amount bigint,
  received_currency text,
  source jsonb not null,
  destination jsonb not null,
  -- Account ids and lower-case UMA addresses, for the filters on either side (accounts 10.3).
  sender_identifiers text[] not null,
  receiver_identifiers text[] not null,
  reference text not null,
  refund_reference text,
  failure_reason text,
  refund jsonb,
  rail text,
  -- Which step of the flow the money is at, and what the flow needs to go on.
  flow jsonb not null,
  details jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  settled_at timestamptz,
  primary key (platform_id, environment, id)
);
create index transactions_listed on transactions (platform_id, environment, created_at desc, id desc);
create index transactions_by_owner on transactions (platform_id, environment, owner_id, created_at desc, id desc);
create index transactions_by_reference on transactions (platform_id, environment, reference);
create index transactions_by_refund_reference
  on transactions (platform_id, environment, refund_reference) where refund_reference is not null;
create index transactions_by_quote on transactions (platform_id, environment, quote_id) where quote_id is not null;
select corridor_protect('transactions');
