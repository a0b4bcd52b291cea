-- Why: these conditions read a book, a table or every book to find a few rows. Each has an index now that begins with what
-- it asks for, and columns stand where an expression stood that PostgreSQL compares with no index under row-level security.
-- Older code may still run.

-- What falls due by the clock of the world, in all books at once: the round visited every book.
-- Every version is above 0: only the statement of that round says so, and no statement about one book takes this index.
create index quotes_falling_due on quotes (expires_at) where status = 'PENDING' and version > 0;
create index invitations_falling_due on invitations (expires_at)
  where status = 'PENDING' and expires_at is not null and version > 0;
-- Those whose clock was moved are looked at by themselves.
create index books_ahead on books (platform_id, environment) where clock_offset_ms > 0;

-- Jobs that failed for good, for the operator.
create index jobs_dead on jobs (dead_at desc, id desc) where dead_at is not null;
create index jobs_dead_by_key on jobs (key, platform_id, environment, kind) where dead_at is not null;

-- Of a customer who is erased.
create index delegated_keys_of_owner on delegated_keys (platform_id, environment, owner_id);
create index lookups_of_sender on lookups (platform_id, environment, sender_id);
create index uma_payments_of_customer on uma_payments (platform_id, environment, customer_id);
create index uma_payee_information_of_customer on uma_payee_information (platform_id, environment, customer_id);

create index documents_of_file on documents (blob_key) where deleted_at is null;
create index webhook_attempts_of_listener on webhook_attempts (platform_id, environment, listener_id);
create index webhook_attempts_ended on webhook_attempts (platform_id, environment, attempted_at) where status <> 'RETRYING';

alter table customers add column uma_name text generated always as (lower(uma_address)) stored;
create index customers_by_uma_name on customers (platform_id, environment, uma_name) where uma_name is not null;

-- What a ledger account is for, and whose it is. Those of one transaction are read with it and have no place in lists.
drop index ledger_accounts_listed;
alter table ledger_accounts
  add column kind text not null generated always as (split_part(id, ':', 1)) stored,
  add column owner text generated always as (
    case when split_part(id, ':', 1) not in ('txn', 'refund', 'pfee')
      then split_part(id, ':', 2) || ':' || split_part(id, ':', 3) end) stored;
create index ledger_accounts_listed on ledger_accounts (platform_id, environment, kind, currency, id)
  where kind not in ('txn', 'refund', 'pfee');
create index ledger_accounts_of_owner on ledger_accounts (platform_id, environment, owner)
  where owner is not null;
