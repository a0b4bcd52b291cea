-- Why: an event whose HTTP answer decides something: which handler takes the answer, and about what. Old code does not
-- know the column; it sends such an event and ignores what it is answered, and the decision runs out of time.

alter table events add column question jsonb;
