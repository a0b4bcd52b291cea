/**
 * SQL that runs after migrations. PostgreSQL takes a table without statistics for one whose books have a row each, and then
 * reads a whole book where it could find a row by its key (ADR 46).
 *
 * Each table of books gets `n_distinct`: however many platforms there are, a book counts as half of the table. In a new
 * installation one row of each table is analysed and taken away again, which leaves its statistics. Nobody waits for the
 * locks that this takes: before the first platform, no process works. Where there are rows, each process looks at the
 * tables that grow, within a second (statistics.ts).
 */
export const expectRows = `do $$
declare
  is_new constant boolean := coalesce(pg_relation_size(to_regclass('platforms')) = 0, false);
  tenant record;
  made record;
  checks record;
begin
  for tenant in
    select c.oid, c.oid::regclass as name, c.relforcerowsecurity as is_forced from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind = 'r'
      and pg_has_role(c.relowner, 'usage') and c.relname not like 'corridor\\_%' and c.relname <> 'books'
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'environment')
      and exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'platform_id'
        and a.attoptions is null)
  loop
    execute format('alter table %s alter column platform_id set (n_distinct = 2),
      alter column environment set (n_distinct = 1)', tenant.name);
    if pg_relation_size(tenant.oid) > 0 then
      perform corridor_analyze(tenant.oid);
      continue;
    end if;
    continue when not is_new;

    -- Rows that another process writes meanwhile wait for the end.
    execute format('lock table %s in access exclusive mode', tenant.name);
    continue when pg_relation_size(tenant.oid) > 0;
    -- Columns that have a value: those that must, and those that rows are found by. Most times that may be absent are.
    select string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns,
      string_agg(case
          when a.atttypid = 'uuid'::regtype then '''00000000-0000-0000-0000-000000000000'''
          when a.atttypid in ('jsonb'::regtype, 'json'::regtype, 'text[]'::regtype) then '''{}'''
          when a.atttypid in ('timestamptz'::regtype, 'date'::regtype) then '''2026-01-01'''
          when a.atttypid = 'boolean'::regtype then 'false'
          when a.atttypid in ('text'::regtype, 'bytea'::regtype) then '''-'''
          else '0' end, ', ' order by a.attnum) as values,
      bool_or(a.attname = 'status') as has_status
    into made
    from pg_attribute a
    where a.attrelid = tenant.oid and a.attnum > 0 and not a.attisdropped
      and ((not a.atthasdef and a.attidentity = '' and a.attgenerated = ''
          and (a.attnotnull or a.atttypid in ('text'::regtype, 'uuid'::regtype, 'bytea'::regtype)))
        or a.attname = 'status');
    select string_agg('drop constraint ' || quote_ident(conname), ', ') as dropped,
      string_agg('add constraint ' || quote_ident(conname) || ' ' || pg_get_constraintdef(oid), ', ') as added
    into checks
    from pg_constraint where conrelid = tenant.oid and contype = 'c';

    -- The row is none that a check, a trigger or a policy would allow.
    execute format('alter table %s no force row level security, disable trigger user %s', tenant.name,
      ', ' || checks.dropped);
    execute format('insert into %s (%s) values (%s)', tenant.name, made.columns, made.values);
    if made.has_status then
      -- Rows that wait are expected to be many as well, or one of them would be looked for among all.
      execute format('alter table %s alter column status set (n_distinct = 2)', tenant.name);
    end if;
    execute format('analyze %s', tenant.name);
    if made.has_status then
      execute format('alter table %s alter column status reset (n_distinct)', tenant.name);
    end if;
    execute format('truncate %s', tenant.name);
    execute format('alter table %s %s row level security, enable trigger user %s', tenant.name,
      case when tenant.is_forced then 'force' else 'no force' end, ', ' || checks.added);
  end loop;
end $$`
