-- Why: a pause says why it was made, and whoever looks back wants to know as much of its end. One new column that may be empty,
-- so older code goes on as it did. In the operator's words, sealed as those of the beginning are.

alter table payout_pauses add column lift_reason text;
