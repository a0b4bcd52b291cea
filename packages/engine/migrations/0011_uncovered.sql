-- Fails a statement that took something for covered which is not; apply then decides again, with locks.
-- Stands where a value of the argument's type is asked for.
create function corridor_uncovered(anyelement) returns anyelement language plpgsql as $$
begin
  raise exception 'taken for covered' using errcode = 'CR001';
end $$;
drop function corridor_expect;
