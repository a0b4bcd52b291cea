-- Why: events that change places on purpose (REORDER) do so with those that come soon after. Older code does not know the
-- column, and makes no such fault.

-- Of REORDER: which window is open, since when, and how many are in it.
alter table faults add column reorder_window jsonb;
