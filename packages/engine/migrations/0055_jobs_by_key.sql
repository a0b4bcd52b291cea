-- Why: what the planner does not know. The jobs of a payment were looked for among all jobs of its book, because both
-- indexes begin with the book and a table that is emptied all the time has no statistics that hold. The key stands
-- first now, and only this index begins with it (ADR 11).
drop index jobs_key;
create unique index jobs_key on jobs (key, platform_id, environment, kind) where key is not null and dead_at is null;

-- Statistics are for the columns by which rows are found. Nobody looks for a body, and sampling them was the larger part
-- of the work.
do $$
declare
  body record;
begin
  for body in
    select a.attrelid::regclass as of_table, a.attname as name
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace and a.attnum > 0 and not a.attisdropped
      and (a.atttypid in ('jsonb'::regtype, 'json'::regtype, 'bytea'::regtype)
           or a.attname in ('body', 'personal', 'sealed_key', 'sealed_part', 'details_sealed', 'content', 'last_error'))
  loop
    execute format('alter table %s alter column %I set statistics 0', body.of_table, body.name);
  end loop;
end $$;

-- How many rows there are is what plans hang on: a tenth of the usual sample says that of tables that grow, and the
-- housekeeping of the server takes the whole one later.
create or replace function corridor_analyze(any_table regclass) returns void language plpgsql security definer as $$
begin
  perform set_config('default_statistics_target', '10', true);
  execute format('analyze %s', any_table);
end $$;
do $$ begin
  execute format('alter function corridor_analyze set search_path = %I, pg_temp', current_schema());
  revoke execute on function corridor_analyze from public;
  grant execute on function corridor_analyze to corridor_system;
end $$;
