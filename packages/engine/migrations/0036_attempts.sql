-- Why: the operator reads how the delivery of an event went, attempt by attempt. Old code does not know the column; its
-- attempts are counted and not listed.

-- The last attempts, oldest first: when, and with what status or error.
alter table events add column attempt_log jsonb;
-- Why: what the UMA protocol keeps: the key pairs of each UMA domain, messages seen before, lookups that peers made, and
-- payments that wait to be settled by a peer. Old code does not know the tables.

create table uma_keys (
  platform_id uuid not null,
  environment text not null,
  -- The UMA domain.
  id text not null,
  signing_public text not null,
  encryption_public text not null,
  -- Both private keys, sealed.
  sealed_part text not null,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
select corridor_protect('uma_keys');

create table uma_nonces (
  platform_id uuid not null,
  environment text not null,
  -- The peer's domain and its nonce.
  id text not null,
  seen_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index uma_nonces_old on uma_nonces (platform_id, environment, seen_at);
select corridor_protect('uma_nonces');

create table uma_requests (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  peer_domain text not null,
  customer_id text not null,
  expires_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index uma_requests_id on uma_requests (id);
create index uma_requests_old on uma_requests (platform_id, environment, expires_at);
select corridor_protect('uma_requests');

create table uma_payments (
  platform_id uuid not null,
  environment text not null,
  -- The payment hash.
  id text not null,
  version bigint not null default 1,
  transaction_id text not null,
  customer_id text not null,
  peer_domain text not null,
  payer_uma text not null,
  payee_uma text not null,
  amount_msats bigint not null check (amount_msats > 0),
  -- What proves the settlement, sealed.
  preimage text not null,
  -- Of the payer, as it came: encrypted to the key of the domain.
  travel_rule_info text,
  expires_at timestamptz not null,
  settled_at timestamptz,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index uma_payments_id on uma_payments (id);
create unique index uma_payments_transaction on uma_payments (platform_id, environment, transaction_id);
select corridor_protect('uma_payments');
