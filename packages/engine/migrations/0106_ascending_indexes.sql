-- Why: what is new came to the left end of these indexes, where PostgreSQL splits a full page in the middle: the pages stayed
-- half empty and each split logged 4 KB. At the right end it leaves the full page as it is. They are read from either end.
-- Each is built anew, which takes as long as the table is large. Older code may still run.
drop index events_created;
create index events_created on events (platform_id, environment, created_at, id);
drop index transactions_listed;
create index transactions_listed on transactions (platform_id, environment, created_at, id);
-- After the list of all: before there are statistics both seem to cost the same, and the younger one is taken.
drop index transactions_by_owner;
create index transactions_by_owner on transactions (platform_id, environment, owner_id, created_at, id);
