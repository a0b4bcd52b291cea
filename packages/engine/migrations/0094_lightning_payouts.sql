-- Why: payouts to Lightning invoices go out over a node, which pays an invoice once: a second payment of it would find the proof of
-- the first. Old code does not know the table, and has no node for payouts in production.

-- Which payment an invoice is paid by, whichever platform made it, because all of an environment pay from one node.
create table lightning_payouts (
  platform_id uuid not null,
  environment text not null,
  -- The payment hash.
  id text not null,
  transaction_id text not null,
  primary key (id, platform_id, environment)
);
create unique index lightning_payouts_once on lightning_payouts (environment, id);
select corridor_protect('lightning_payouts');
