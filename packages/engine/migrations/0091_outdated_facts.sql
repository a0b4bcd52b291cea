-- Why: a decision may be made from rows that the process had read for an earlier one. The transaction that writes it fails
-- where one of them is no longer as it was, and is then decided anew. A new function only; older code may still run.

create function corridor_outdated(anyelement) returns anyelement language plpgsql as $$
begin
  raise exception 'taken for unchanged' using errcode = 'CR003';
end $$;
