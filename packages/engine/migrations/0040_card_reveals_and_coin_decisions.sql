-- Why: who asked to see the number of a card is on record with the address the request came from, and what the
-- operator decides about a stablecoin with its reason. Old code leaves the new column empty and does not know the
-- table.

alter table card_reveals add column source text;

create table stablecoin_decisions (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  -- A coin or the linked account of its provider.
  subject_id text not null,
  decision text not null check (decision in ('APPROVE', 'DECLINE', 'DISABLE', 'RE_ENABLE', 'REVOKE')),
  reason text not null,
  actor_id text not null,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index stablecoin_decisions_of_subject
  on stablecoin_decisions (platform_id, environment, subject_id, created_at desc);
select corridor_protect('stablecoin_decisions');
