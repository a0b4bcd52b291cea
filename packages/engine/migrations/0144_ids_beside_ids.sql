-- Why: under row-level security PostgreSQL finds rows by a comparison only where nothing in it could leak a row, and
-- putting an id together (`||`, `substr`) counts as what could. A balance of one account was looked for among all ledger
-- accounts of the book, and the status of a quote among all its transactions. The ids stand in columns of their own now.
-- Older code may still run.
alter table internal_accounts
  add column available_account text not null generated always as ('avail:' || id) stored,
  add column pending_account text not null generated always as ('pend:' || id) stored;
alter table quotes
  add column transaction_id text not null generated always as ('Transaction:' || substr(id, 7)) stored;
