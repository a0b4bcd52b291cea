-- Why: whether a payment may be with the Lightning node already was told from the count of its attempts, so one that failed before
-- it had said anything to anybody was only asked for from then on, and given back in the end. The row of its invoice, written
-- right before the node is told, says it: whoever wrote it hands over, and everybody else asks. One new column that may be empty.
-- Empty in older rows: those payments may be with the node.

-- Drawn anew by each attempt; the row has that of the one that wrote it.
alter table lightning_payouts add column claim uuid;
