-- Why: whoever begins a session removes the keys of those that have ended, and could take one for ended that had only
-- just begun. The server says once in a transaction who is there; a key is stamped with the beginning of its session, so
-- it had been asked before the keys were looked at. A session that began and wrote its key between the two, as it may
-- while the machine is busy, lost it with all its claims: it saw no row from then on, and whoever signed in over it was
-- refused.
create or replace function corridor_forget_sessions() returns trigger language plpgsql security definer as $$
begin
  -- Asked anew, after the statement below has fixed which keys it sees.
  perform pg_catalog.pg_stat_clear_snapshot();
  delete from corridor_sessions where pid in (
    select s.pid from corridor_sessions s
    where (s.pid = new.pid and s.started_at <> new.started_at)
      or not exists (select from pg_catalog.pg_stat_get_activity(null) a where a.pid = s.pid)
    for update skip locked);
  return new;
end $$;
do $$ begin
  execute format('alter function corridor_forget_sessions set search_path = %I, pg_temp', current_schema());
end $$;
