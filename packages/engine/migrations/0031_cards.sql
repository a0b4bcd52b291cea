-- Why: cards, the accounts that fund them, what was bought with them, and every attempt to. Old code does not
-- know the tables and may go on running.

create table cards (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  cardholder_id text not null,
  platform_card_id text not null,
  status text not null check (status in ('PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED')),
  state_reason text check (state_reason in ('ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_GRID')),
  form text not null check (form in ('VIRTUAL')),
  currency text not null,
  -- The currency of its accounts: that of the card, or dollars on a chain.
  funding_currency text not null,
  max_spend bigint check (max_spend > 0),
  -- Internal accounts in their order; empty once closed.
  funding_accounts text[] not null,
  -- What the issuer says of an active card; nothing of the number but its last digits.
  brand text,
  last4 text,
  exp_month bigint,
  exp_year bigint,
  processor_ref text,
  issuer_ref text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
-- Closed cards keep their name.
create unique index cards_platform_card_id on cards (platform_id, environment, platform_card_id);
create index cards_listed on cards (platform_id, environment, created_at desc, id desc);
create index cards_of_holder on cards (platform_id, environment, cardholder_id, created_at desc, id desc);
select corridor_protect('cards');

-- An account that funds a card: made when it is first bound, inactive once it is taken off or the card closed.
create table card_funding_sources (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  card_id text not null,
  account_id text not null,
  status text not null check (status in ('ACTIVE', 'INACTIVE')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index card_funding_sources_pair
  on card_funding_sources (platform_id, environment, card_id, account_id);
select corridor_protect('card_funding_sources');

create table card_transactions (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  card_id text not null,
  customer_id text not null,
  platform_customer_id text not null,
  account_id text not null,
  issuer_transaction_token text not null,
  status text not null
    check (status in ('AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION')),
  direction text not null check (direction in ('CREDIT', 'DEBIT')),
  merchant jsonb not null,
  currency text not null,
  funding_currency text not null,
  -- Cents of the card, all of them.
  authorized bigint not null check (authorized > 0),
  cleared bigint not null check (cleared >= 0),
  held bigint not null check (held >= 0),
  -- The pending transfers that make it up.
  holds jsonb not null,
  pulled bigint not null check (pulled >= 0),
  -- What the network was paid and the cardholder could not be charged: for purchases, and for returns taken back.
  owed bigint not null check (owed >= 0),
  owed_returns bigint not null check (owed_returns >= 0),
  clearings bigint not null,
  pulls bigint not null,
  pending_pulls bigint not null,
  -- Returns in their order, those taken back again marked as such.
  returns jsonb not null,
  is_expired boolean not null default false,
  last_event_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index card_transactions_listed
  on card_transactions (platform_id, environment, created_at desc, id desc);
create index card_transactions_of_card on card_transactions (platform_id, environment, card_id);
create index card_transactions_by_token
  on card_transactions (platform_id, environment, issuer_transaction_token);
select corridor_protect('card_transactions');

-- Every decision about an authorization, the refused ones too; for the operator alone.
create table card_attempts (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  card_id text not null,
  issuer_transaction_token text not null,
  kind text not null,
  amount bigint not null,
  currency text,
  merchant jsonb not null,
  -- Null: approved.
  decline_reason text,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index card_attempts_of_card on card_attempts (platform_id, environment, card_id, created_at desc);
select corridor_protect('card_attempts');

-- Who was given an address that shows a card's number, and until when it works.
create table card_reveals (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  card_id text not null,
  token_hash text not null,
  actor_id text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index card_reveals_token on card_reveals (token_hash);
select corridor_protect('card_reveals');
