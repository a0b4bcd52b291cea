-- Why: the daily volume of a corridor is limited over all requests and all processes of a platform.
-- A counter is one row per corridor and UTC day; it is raised in the commit of the payment it counts.

create table volume_counters (
  platform_id uuid not null,
  environment text not null,
  -- `2026-11-20/USD-MXN`
  id text not null,
  -- US cents, as the equivalents of the payments that count.
  used bigint not null check (used >= 0),
  primary key (platform_id, environment, id)
);
select corridor_protect('volume_counters');
