-- Why: whoever develops on a laptop has no address that events could be sent to. A listener reads them from the outbox
-- instead, under a name, and goes on where it was. Old code knows neither table and sends to endpoints as before.

create table webhook_listeners (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  name text not null,
  -- Of the process that listens now; another that opens the same name takes over.
  session text not null,
  -- Null: all types.
  types text[],
  -- Whether the endpoint gets nothing while the listener is connected.
  only_here boolean not null,
  -- Events of before this time, on the book's clock, are done; of later ones webhook_attempts says which.
  done_until timestamptz not null,
  -- What done_until becomes once no transaction can be under way that is older (real time).
  next_done_until timestamptz not null,
  next_since timestamptz not null,
  -- Real time until which it counts as connected.
  connected_until timestamptz not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index webhook_listeners_name on webhook_listeners (platform_id, environment, name);
select corridor_protect('webhook_listeners');

-- The last attempt of a listener at an event.
create table webhook_attempts (
  platform_id uuid not null,
  environment text not null,
  listener_id text not null,
  event_id text not null,
  status text not null check (status in ('DELIVERED', 'RETRYING', 'FAILED')),
  attempts int not null,
  -- On the book's clock; of RETRYING alone.
  due_at timestamptz,
  last_status int,
  last_error text,
  milliseconds int not null,
  attempted_at timestamptz not null,
  primary key (platform_id, environment, event_id, listener_id)
);
create index webhook_attempts_due on webhook_attempts (platform_id, environment, listener_id, due_at)
  where status = 'RETRYING';
select corridor_protect('webhook_attempts');

-- What listeners, lists and repetitions of events read along.
create index events_created on events (platform_id, environment, created_at desc, id desc);
