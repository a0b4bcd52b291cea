-- An account lacks what a batch took for covered: fails the statement; apply then decides again, with locks.
create function corridor_uncovered() returns timestamptz language plpgsql as $$
begin
  raise exception 'an account lacks what it needs' using errcode = 'CR001';
end $$;
drop function corridor_expect;
