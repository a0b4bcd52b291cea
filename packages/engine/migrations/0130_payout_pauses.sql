-- Why: when a rail misbehaves at night, whoever runs the installation has to be able to stop handing payouts to it without
-- refusing a single payment, and to let them go on later. Pauses belong to the installation: their rows stand in the book that
-- no platform has. New tables only. Older code knows of no pause and goes on handing over, so none may run beside this.

create table payout_pauses (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  status text not null check (status in ('IN_FORCE', 'LIFTED')),
  -- What is paused: payouts in one environment, of one platform or of all, on one rail or on all.
  of_environment text not null check (of_environment in ('SANDBOX', 'PRODUCTION')),
  of_platform_id uuid,
  of_rail text,
  reason_code text not null,
  -- Why, in the operator's words, sealed: it may be about somebody.
  reason text not null,
  paused_by text not null,
  lifted_by text,
  lifted_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment),
  check (of_platform_id is not null or of_rail is not null),
  check ((status = 'LIFTED') = (lifted_at is not null))
);
-- The same is paused once at a time.
create unique index payout_pauses_once
  on payout_pauses (of_environment, coalesce(of_platform_id::text, ''), coalesce(of_rail, '')) where status = 'IN_FORCE';
create index payout_pauses_listed on payout_pauses (platform_id, environment, created_at desc, id desc);
select corridor_protect('payout_pauses');

-- Payments that wait at a pause, each by the id of its transaction. A row goes when its payment goes on.
create table held_payouts (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  pause_id text not null,
  rail text not null,
  held_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index held_payouts_of_pause on held_payouts (pause_id, held_at, id);
create index held_payouts_of_book on held_payouts (platform_id, environment, held_at, id);
select corridor_protect('held_payouts');
