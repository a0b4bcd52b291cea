-- Why: an operator could invite an account, join with its code and approve their own proposals with it. An account remembers
-- whose idea it was, and counts as a second person for those operators only after a week or once another one confirms it.
-- Accounts from before remember nothing, and count as they did. New columns only; older code may still run.
alter table operators
  add column invited_by text,
  add column approved_by text,
  add column joined_at timestamptz,
  add column confirmed_by text,
  add column confirmed_at timestamptz;
