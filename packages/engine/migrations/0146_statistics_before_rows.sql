-- Why: a table that was never analysed has no statistics, and PostgreSQL then takes a book for a single row: reading all of it
-- costs as much as finding one by its key, and which of the two it does is luck. The plans of a new installation were made so,
-- and stay until the first look at a table that has grown. Tables now know from the beginning that a book is half of them
-- (ADR 46): one row is analysed and taken away again, which leaves the statistics. Older code may still run.
-- Which columns have a value in that row: those that must, and what rows are found by where they have it. Times that may be
-- absent mostly are.
create function corridor_is_expected(a pg_attribute) returns boolean language sql stable as $$
  select a.attnum > 0 and not a.attisdropped and not a.atthasdef and a.attidentity = '' and a.attgenerated = ''
    and (a.attnotnull or a.atttypid in ('text'::regtype, 'uuid'::regtype, 'bytea'::regtype))
$$;

create function corridor_expect_rows() returns int language plpgsql as $$
declare
  fresh record;
  checks text[][];
  at int;
  expected int := 0;
  has_rows boolean;
begin
  for fresh in
    select c.oid, c.oid::regclass as name,
      exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'status') as has_status,
      (select string_agg(quote_ident(a.attname), ', ' order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and corridor_is_expected(a)) as columns,
      (select string_agg(case
           when a.atttypid = 'uuid'::regtype then '''00000000-0000-0000-0000-000000000000'''
           when a.atttypid in ('jsonb'::regtype, 'json'::regtype, 'text[]'::regtype) then '''{}'''
           when a.atttypid = 'timestamptz'::regtype then '''2026-01-01'''
           when a.atttypid = 'date'::regtype then '''2026-01-01'''
           when a.atttypid = 'boolean'::regtype then 'false'
           when a.atttypid in ('text'::regtype, 'bytea'::regtype) then '''-'''
           else '0' end, ', ' order by a.attnum) from pg_attribute a
       where a.attrelid = c.oid and corridor_is_expected(a)) as row
    from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'platform_id')
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'environment')
      and c.relname not like 'corridor\_%' and c.relname <> 'books'
      and not exists (select from pg_attribute a
        where a.attrelid = c.oid and a.attname = 'platform_id' and 'n_distinct=2' = any(a.attoptions))
  loop
    -- Kept by every later look: however many platforms there are, a book counts as half of its tables.
    execute format('alter table %s alter column platform_id set (n_distinct = 2), alter column environment set (n_distinct = 1)',
      fresh.name);
    execute format('select exists (select from %s)', fresh.name) into has_rows;
    if not has_rows then
      -- Policies may have hidden rows, and older processes may write the first one: looked at again with neither.
      execute format('lock table %s in access exclusive mode', fresh.name);
      execute format('alter table %s no force row level security', fresh.name);
      execute format('select exists (select from %s)', fresh.name) into has_rows;
      if has_rows then
        execute format('alter table %s force row level security', fresh.name);
      end if;
    end if;
    if not has_rows then
      execute format('alter table %s disable trigger user', fresh.name);
      checks := array(select array[quote_ident(conname), pg_get_constraintdef(oid)] from pg_constraint
        where conrelid = fresh.oid and contype = 'c');
      for at in 1 .. coalesce(array_length(checks, 1), 0) loop
        execute format('alter table %s drop constraint %s', fresh.name, checks[at][1]);
      end loop;
      execute format('insert into %s (%s) values (%s)', fresh.name, fresh.columns, fresh.row);
      if fresh.has_status then
        -- What waits is taken for many as well, or all of it would be read for one row of it.
        execute format('alter table %s alter column status set (n_distinct = 2)', fresh.name);
      end if;
      execute format('analyze %s', fresh.name);
      if fresh.has_status then
        execute format('alter table %s alter column status reset (n_distinct)', fresh.name);
      end if;
      execute format('truncate %s', fresh.name);
      for at in 1 .. coalesce(array_length(checks, 1), 0) loop
        execute format('alter table %s add constraint %s %s', fresh.name, checks[at][1], checks[at][2]);
      end loop;
      execute format('alter table %s enable trigger user', fresh.name);
      execute format('alter table %s force row level security', fresh.name);
      expected := expected + 1;
    end if;
  end loop;
  return expected;
end $$;
revoke execute on function corridor_is_expected, corridor_expect_rows from public;
select corridor_expect_rows();
