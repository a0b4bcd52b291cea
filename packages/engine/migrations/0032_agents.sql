-- Why: agents act for one customer each, under a policy, with an access token that they get for a device code.
-- New tables only; older code may still run.

create table agents (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  customer_id text not null,
  name text not null,
  is_paused boolean not null,
  is_connected boolean not null,
  policy jsonb not null,
  -- Currencies that its limits stood in before, each with the fraction that one minor unit of it is worth now.
  -- What was counted in them goes on counting.
  former_currencies jsonb not null,
  -- Keyed hash; the token itself is nowhere.
  token_hash text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  deleted_at timestamptz,
  primary key (id, platform_id, environment)
);
create unique index agents_token on agents (token_hash) where token_hash is not null;
create index agents_listed on agents (platform_id, environment, created_at desc, id desc) where deleted_at is null;
select corridor_protect('agents');

create table agent_device_codes (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  agent_id text not null,
  customer_id text not null,
  -- Keyed hash: whoever reads the database can redeem nothing.
  code_hash text not null,
  status text not null check (status in ('LIVE', 'REDEEMED', 'INVALIDATED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (id, platform_id, environment)
);
-- A code is all that its bearer has, so it names its book, too.
create unique index agent_device_codes_code on agent_device_codes (code_hash);
create index agent_device_codes_of_agent on agent_device_codes (platform_id, environment, agent_id)
  where status = 'LIVE';
select corridor_protect('agent_device_codes');

-- Its id is the customer's own.
select corridor_of_customer('sca_customers', 'id');
