-- Why: what a row costs to find and to write. All rows of a book share its two columns, so an index that
-- begins with them compares them again and again before it comes to the id (ADR 11).

-- The book stays in the key, behind the id.
do $$
declare
  tenant_table text;
begin
  for tenant_table in
    select c.relname from pg_index i join pg_class c on c.oid = i.indrelid
    where i.indisprimary and c.relnamespace = current_schema()::regnamespace
      and pg_get_indexdef(i.indexrelid) like '%(platform_id, environment, id)'
  loop
    execute format('alter table %I drop constraint %I, add primary key (id, platform_id, environment)',
      tenant_table, tenant_table || '_pkey');
  end loop;
end $$;

-- The second lock reads its settings once per statement instead of once per row.
create function corridor_own_book() returns text language sql immutable as $$
  select '(platform_id, environment) = (select current_setting(''corridor.platform'')::uuid,
                                               current_setting(''corridor.environment''))'
$$;
create or replace function corridor_protect(tenant_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', tenant_table);
  execute format('create policy one_book on %s to corridor_app using (%s)', tenant_table, corridor_own_book());
  execute format('grant select, insert, update, delete on %s to corridor_app', tenant_table);
end $$;
do $$
declare
  tenant_table regclass;
begin
  for tenant_table in
    select polrelid from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'one_book' and c.relnamespace = current_schema()::regnamespace
  loop
    execute format('alter policy one_book on %s using (%s)', tenant_table, corridor_own_book());
  end loop;
end $$;

-- A new event is due at once, which its status says; only a lease and a retry have a time of their own.
comment on column events.due_at is
  'QUEUED: null is due at once, else the end of its lease. RETRYING: null waits for its job, else due then or the end of its lease.';

-- Asked by no statement.
drop index events_listed;
drop index transactions_by_quote;

-- Answers expire in the order in which they are written, so a range of pages says enough.
drop index idempotency_keys_expiry;
create index idempotency_keys_expiry on idempotency_keys using brin (expires_at) with (autosummarize = on);
