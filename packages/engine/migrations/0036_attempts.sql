-- Why: the operator reads how the delivery of an event went, attempt by attempt. Old code does not know the column; its
-- attempts are counted and not listed.

-- The last attempts, oldest first: when, and with what status or error.
alter table events add column attempt_log jsonb;
