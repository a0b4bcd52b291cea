-- Why: whoever runs an installation had one key without a name. Operators are people now, with a role, a key of their
-- own that ends, and a second person for what one alone should not do. They belong to no platform, so their rows stand
-- in the book that none has. New tables only; older code may still run.

create table operators (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  name text not null,
  role text not null check (role in ('VIEWER', 'REVIEWER', 'OPERATOR', 'ADMINISTRATOR')),
  -- How long a key of theirs is good for.
  key_days int not null,
  -- Keyed hashes. A code makes the first key, once.
  code_hash text,
  code_expires_at timestamptz,
  key_hash text,
  key_expires_at timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  ended_at timestamptz,
  primary key (id, platform_id, environment)
);
create unique index operators_key on operators (key_hash) where key_hash is not null;
create unique index operators_code on operators (code_hash) where code_hash is not null;
select corridor_protect('operators');

create table operator_proposals (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  operation text not null,
  -- What was asked for, sealed: it may hold what customers wrote.
  input text not null,
  status text not null check (status in ('OPEN', 'APPROVED', 'REFUSED')),
  proposed_by text not null,
  decided_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index operator_proposals_listed on operator_proposals (platform_id, environment, created_at desc, id desc);
select corridor_protect('operator_proposals');
