-- Why: before there are statistics every index of a book seems to cost the same as the key, and the youngest is taken, also for
-- what is looked up by its id. With a condition, true of every row, this one is for the statements alone that name it.
drop index events_in_order;
create index events_in_order on events (platform_id, environment, seq) where seq > 0;
