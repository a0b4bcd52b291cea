-- Why: messages to people, the codes that prove a contact, and customers that come in files.
-- New tables only; older code may still run.

-- A message is written with the change that causes it and sent by a job. The text is sealed with the key of
-- the person it is about; where a message really leaves, the text goes with it.
create table messages (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  owner_id text not null,
  channel text not null check (channel in ('EMAIL', 'SMS')),
  purpose text not null,
  status text not null check (status in ('QUEUED', 'SENT', 'FAILED', 'EXPIRED')),
  content text,
  last_error text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create index messages_listed on messages (platform_id, environment, created_at desc, id desc);
select corridor_protect('messages');

-- The last code that was sent over a channel of a customer; `id` is made of both. Null once it was used or
-- guessed at too often (customers 9.1).
create table contact_codes (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  code_hash text,
  wrong_attempts int not null,
  sent_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, environment, id)
);
select corridor_protect('contact_codes');

-- An import of a CSV file, and how far it has come: counts change in the transaction of the rows they tell
-- of (customers 6.2).
create table bulk_imports (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  status text not null check (status in ('PENDING', 'PROCESSING', 'COMPLETED', 'FAILED')),
  -- The data rows of the file, once it is parsed.
  total int not null default 0,
  successful int not null default 0,
  failed int not null default 0,
  created_at timestamptz not null,
  completed_at timestamptz,
  primary key (platform_id, environment, id),
  check (successful + failed <= total)
);
select corridor_protect('bulk_imports');

-- The file as it was uploaded, then its rows in pieces, compressed and sealed. A piece goes with the
-- transaction that has dealt with it; at the end nothing is left.
create table bulk_import_parts (
  platform_id uuid not null,
  environment text not null,
  import_id text not null,
  kind text not null check (kind in ('FILE', 'ROWS')),
  -- Of the first data row, counted from 1.
  position int not null,
  content text not null,
  primary key (platform_id, environment, import_id, kind, position)
);
select corridor_protect('bulk_import_parts');

-- Rows that did not become customers. Says which and why, never what stood in them.
create table bulk_import_errors (
  platform_id uuid not null,
  environment text not null,
  import_id text not null,
  position int not null,
  entry jsonb not null,
  primary key (platform_id, environment, import_id, position)
);
select corridor_protect('bulk_import_errors');
