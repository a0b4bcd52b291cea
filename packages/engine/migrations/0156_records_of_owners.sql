-- Why: each posting on an internal account has a record of the account's owner from now on, and the audit looks for it. What was
-- posted before has none where the owner did not pay: it is not looked for there. The moment is on the clock of each book.
-- Older code may still run, and what it posts meanwhile is reported: stop it first.
alter table books add column recorded_since timestamptz;
update books set recorded_since = clock_timestamp() + clock_offset_ms * interval '1 millisecond';
