-- Why: wrong keys lock nobody out any more. The keys that are checked have 128 bits or more, so that a lock stopped only
-- their owners. Failures are limited in the memory of each process. Older code
-- reads this table with each key, so none may run beside this.
drop table failed_logins;
