-- Why: money in suspense whose owner is known, but who cannot be given it now: what arrived for an account
-- that is not active, and refunds that failed. It is credited once, when the account becomes active or the
-- operator says so. Old code does not know the table and may go on running.

create table suspense_items (
  platform_id uuid not null,
  environment text not null,
  -- The transaction that a deposit will be credited with, or the one whose refund failed.
  id text not null,
  version bigint not null default 1,
  kind text not null check (kind in ('DEPOSIT', 'REFUND')),
  status text not null check (status in ('WAITING', 'CREDITED', 'SENT_BACK')),
  -- The account whose activation credits it; null where only the operator decides.
  internal_account_id text,
  currency text not null,
  amount bigint not null check (amount > 0),
  -- How a deposit came and what it will be credited as. Who paid is forgotten here once it is credited.
  deposit jsonb,
  created_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  primary key (platform_id, environment, id)
);
create index suspense_items_waiting
  on suspense_items (platform_id, environment, internal_account_id, created_at, id) where status = 'WAITING';
select corridor_protect('suspense_items');
