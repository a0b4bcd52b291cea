-- Why: what agents did, or may do once somebody approves it.
-- New table only; older code may still run.

create table agent_actions (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  agent_id text not null,
  customer_id text not null,
  platform_customer_id text not null,
  type text not null check (type in ('EXECUTE_QUOTE', 'TRANSFER_OUT', 'TRANSFER_IN')),
  status text not null check (status in ('PENDING_APPROVAL', 'APPROVED', 'REJECTED', 'FAILED')),
  quote_id text,
  -- What was asked for, with the currency of the internal account.
  transfer jsonb,
  -- The stamp of an embedded wallet, verified when it came.
  signature text,
  -- Of an action that has begun.
  transaction_id text,
  rejection_reason text,
  -- The token that approved or rejected it.
  decided_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment),
  check ((type = 'EXECUTE_QUOTE') = (quote_id is not null) and (quote_id is null) = (transfer is not null))
);
-- A quote is for one action; only one that failed leaves it to another.
create unique index agent_actions_one_of_quote on agent_actions (platform_id, environment, quote_id)
  where status <> 'FAILED';
create index agent_actions_of_agent on agent_actions (platform_id, environment, agent_id, created_at desc, id desc);
create index agent_actions_pending on agent_actions (platform_id, environment, created_at desc, id desc)
  where status = 'PENDING_APPROVAL';
select corridor_protect('agent_actions');
