-- A balance that was known without being read is another one (apply, known-balances.ts).
create function corridor_mistaken(anyelement) returns anyelement language plpgsql as $$
begin
  raise exception 'taken for the balance' using errcode = 'CR004';
end $$;
