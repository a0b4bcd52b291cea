-- Why: a rail tells of the same payment twice, late, or after a restart. Its own id meets itself here, so
-- money that arrived once is booked once. Old code does not know the table and may go on running.

create table inbound_payments (
  platform_id uuid not null,
  environment text not null,
  -- The rail and the rail's own reference of the payment.
  id text not null,
  currency text not null,
  amount bigint not null check (amount > 0),
  reference text,
  outcome text not null check (outcome in ('CREDITED', 'FUNDED_QUOTE', 'REFUNDED', 'SUSPENSE')),
  transaction_id text,
  created_at timestamptz not null,
  primary key (platform_id, environment, id)
);
select corridor_protect('inbound_payments');
