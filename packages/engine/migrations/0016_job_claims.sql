-- Why: two workers must never take one job for their own. Whoever takes a job leaves a token in it, and only
-- with that token is it finished, postponed or held for longer. A job that is asked for while it runs is not
-- lost: it remembers, and runs once more. Old code does not know the columns and may go on running.

alter table jobs
  -- Who runs it now; null while nobody does. The end of the lease is due_at.
  add column claim uuid,
  -- The book's time at which it is to run once more: somebody asked for it while it ran.
  add column woken_at timestamptz;

-- Fails a transaction that finishes a job which another worker has taken over; apply then decides again, with
-- locks. Stands where a value of the argument's type is asked for.
create function corridor_overtaken(anyelement) returns anyelement language plpgsql as $$
begin
  raise exception 'the job was taken over' using errcode = 'CR002';
end $$;
