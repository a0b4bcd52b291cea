-- Why: an attempt that ends with its process, or overruns its lease, tells nothing and would be repeated like one
-- that failed with an error. How many attempts had an outcome says how many had none.
alter table jobs add column outcomes int not null default 0;
update jobs set outcomes = attempts;
