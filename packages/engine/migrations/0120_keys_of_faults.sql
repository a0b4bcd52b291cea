-- Why: with conditions that are true of every row these indexes are no choice for what is looked up by its own id: before there
-- are statistics the younger of two indexes is taken (0109). Older code may still run.
drop index fault_activations_listed;
create index fault_activations_listed on fault_activations (platform_id, environment, fault_id, created_at, id)
  where fault_id <> '';
drop index fault_activations_of_subject;
create index fault_activations_of_subject on fault_activations (platform_id, environment, subject, created_at)
  where subject <> '';
-- Within its book, as every key that does not begin with an id.
alter table fault_encounters drop constraint fault_encounters_pkey;
alter table fault_encounters add primary key (platform_id, environment, fault_id, subject);
