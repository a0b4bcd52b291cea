-- Why: what an owner owes after a bank took back a collection stood in the ledger alone: nobody could list it, be told of it or
-- collect it. Each receivable now has a row. What is owed by earlier releases gets one for each account of the ledger, so that
-- the rows and the ledger agree. Older code posts to these accounts without a row, so none may run beside this.

create table receivables (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  owner_id text not null,
  currency text not null,
  status text not null check (status in ('OPEN', 'SETTLED')),
  cause text not null,
  transaction_id text not null,
  -- The account that the record of a payment names as its other side.
  counter_account_id text,
  amount bigint not null check (amount > 0),
  remaining bigint not null check (remaining >= 0 and remaining <= amount),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  settled_at timestamptz,
  primary key (id, platform_id, environment),
  check ((status = 'SETTLED') = (remaining = 0)),
  check ((status = 'SETTLED') = (settled_at is not null))
);
create index receivables_listed on receivables (platform_id, environment, created_at desc, id desc);
create index receivables_of_owner on receivables (platform_id, environment, owner_id, currency, created_at, id);
create index receivables_of_transaction on receivables (platform_id, environment, transaction_id);
-- The few that are open, of all books: for their collection from later credits.
create index receivables_open on receivables (created_at, id) where status = 'OPEN';
select corridor_protect('receivables');

-- What its owner owes is shown on an internal account, and found by key.
alter table internal_accounts
  add column receivable_account text not null generated always as ('recv:' || owner_id || ':' || currency) stored;

-- Whether a platform has what is owed collected from later credits.
alter table platform_configs add column collects_receivables boolean not null default false;

insert into receivables (platform_id, environment, id, owner_id, currency, status, cause, transaction_id, amount, remaining,
  created_at, updated_at)
select a.platform_id, a.environment, 'Receivable:' || gen_random_uuid(),
  substr(a.id, 6, length(a.id) - 6 - length(a.currency)), a.currency, 'OPEN', t.cause, t.transaction_id,
  a.debits_posted - a.credits_posted, a.debits_posted - a.credits_posted, t.created_at, t.created_at
from ledger_accounts a cross join lateral (
  select split_part(l.id, '/', 1) as transaction_id, l.created_at,
    case when l.credit_account like 'refund:%' then 'PAYOUT_RETURNED' else 'COLLECTION_RETURNED' end as cause
  from ledger_transfers l
  where l.platform_id = a.platform_id and l.environment = a.environment and l.debit_account = a.id
  order by l.created_at desc limit 1) t
where a.id like 'recv:%' and a.debits_posted > a.credits_posted;
