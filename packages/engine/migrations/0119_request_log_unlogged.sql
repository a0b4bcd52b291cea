-- Why: the log of requests is no record. Outside of the write-ahead log a request costs half a kilobyte less of it; after a
-- crash of the database the table is empty. Older code may still run.
alter table request_log set unlogged;
