-- Why: institutions tell each other after a payment which outputs moved. Old code does not know table and column: it gives no
-- address out and tells nobody.

-- Addresses that were given out, each to one peer for one payment.
create table uma_callbacks (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  peer_domain text not null,
  expires_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index uma_callbacks_id on uma_callbacks (id);
create index uma_callbacks_old on uma_callbacks (platform_id, environment, expires_at);
select corridor_protect('uma_callbacks');

-- Where the peer that pays wants to be told.
alter table uma_payments add column utxo_callback text;
