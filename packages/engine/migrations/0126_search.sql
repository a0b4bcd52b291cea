-- Why: whoever looks for something knows a name, the beginning of a name, a number or its last digits. Of what is made now
-- and then, never of payments. Each index with a condition: no choice for what is looked up by its own id (migration 0109).
-- Older code may still run; what it writes meanwhile is found by its id alone until it is changed.

-- In an order that is the same in every database, so that a beginning is a range of it.
create index customers_by_beginning on customers (platform_id, environment, (platform_customer_id collate "C"))
  where platform_customer_id <> '';
create index external_accounts_by_beginning
  on external_accounts (platform_id, environment, (platform_account_id collate "C"))
  where deleted_at is null and platform_account_id <> '';
create index cards_by_last4 on cards (platform_id, environment, last4, created_at, id) where last4 is not null;

-- Keyed hashes of what is sealed: they find what is asked for and tell nothing.
alter table customers
  add column email_hash text,
  add column phone_hash text,
  add column name_hash text;
create index customers_by_email on customers (platform_id, environment, email_hash, created_at, id)
  where email_hash is not null;
create index customers_by_phone on customers (platform_id, environment, phone_hash, created_at, id)
  where phone_hash is not null;
create index customers_by_name on customers (platform_id, environment, name_hash, created_at, id)
  where name_hash is not null;
alter table external_accounts
  add column number_hash text,
  add column ending_hash text;
create index external_accounts_by_number on external_accounts (platform_id, environment, number_hash, created_at, id)
  where deleted_at is null and number_hash is not null;
create index external_accounts_by_ending on external_accounts (platform_id, environment, ending_hash, created_at, id)
  where deleted_at is null and ending_hash is not null;

-- Only the program has the key: its jobs give them to what is there.
insert into jobs (platform_id, environment, id, kind, payload, run_at, due_at, created_at)
select b.platform_id, b.environment, gen_random_uuid(), w.kind, '{}', at, at, at
from books b, (values ('customers.hash', timestamptz '2025-01-01Z'), ('externalAccounts.hash', '2025-01-01Z')) w(kind, at)
where exists (select from customers c where c.platform_id = b.platform_id and c.environment = b.environment)
   or exists (select from external_accounts a where a.platform_id = b.platform_id and a.environment = b.environment);
