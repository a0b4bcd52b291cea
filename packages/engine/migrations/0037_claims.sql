-- Why: whose rows a session sees was a setting that any statement could change, the owner of the tables was bound by
-- no policy, and work on all books took no role at all. Now a session sees what it holds a claim to. The program makes
-- claims with a key that no statement can read, and every table holds everybody to them, its owner too (ADR 21).
-- Older code cannot run on this.

do $$ begin
  if not exists (select from pg_roles where rolname = 'corridor_system') then
    create role corridor_system nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  execute format('grant corridor_system to %I', current_user);
exception when others then null; -- a superuser needs no membership
end $$;
do $$ begin
  execute format('grant usage on schema %I to corridor_system', current_schema());
end $$;

-- A table of one's own would stand before those of everybody in the sessions that others use afterwards. Where this
-- may not be revoked, sessions look there last all the same.
do $$ begin
  execute format('revoke temporary on database %I from public', current_database());
exception when insufficient_privilege then null;
end $$;
do $$ begin
  execute format('revoke create on schema %I from public', current_schema());
exception when insufficient_privilege then null;
end $$;

-- Asked by the session itself, because nobody else is told when it began.
create function corridor_session_start() returns timestamptz language sql stable as $$
  select backend_start from pg_catalog.pg_stat_get_activity(pg_catalog.pg_backend_pid())
$$;

-- The key of every session, written once when it begins. Which session that is nobody can say but the server: only
-- the column `key` is granted. Unlogged, because it means nothing once the server has ended.
create unlogged table corridor_sessions (
  pid int primary key default pg_backend_pid(),
  started_at timestamptz not null default corridor_session_start(),
  key bytea not null check (length(key) = 32)
);
grant insert (key) on corridor_sessions to corridor_app, corridor_bound, corridor_system;

-- Numbers of sessions come again. A row of this very session stays, so that a second key is refused.
create function corridor_forget_sessions() returns trigger language plpgsql security definer as $$
begin
  delete from corridor_sessions where pid in (
    select s.pid from corridor_sessions s
    where (s.pid = new.pid and s.started_at <> new.started_at)
      or not exists (select from pg_catalog.pg_stat_get_activity(null) a where a.pid = s.pid)
    for update skip locked);
  return new;
end $$;
create trigger corridor_forget_sessions before insert on corridor_sessions
  for each row execute function corridor_forget_sessions();

-- Makes the key of this session and says it, this once.
create function corridor_open() returns text language plpgsql as $$
declare
  made bytea := sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()));
begin
  insert into corridor_sessions (key) values (made);
  return encode(made, 'hex');
end $$;

-- What a session may see, by a token that nobody can guess: a book, or a customer of it, or all books (environment
-- SYSTEM, a platform that does not exist). Made once, and then worn whenever the session is for that book.
create unlogged table corridor_claims (
  token text primary key default encode(sha256(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid())), 'hex'),
  pid int not null references corridor_sessions (pid) on delete cascade,
  platform_id uuid not null,
  environment text not null,
  customer_id text not null
);
create index corridor_claims_of_session on corridor_claims (pid);

-- Makes a claim of this session for who knows its key; `alone` ends its others.
create function corridor_make_claim(session_key text, platform uuid, environment text, customer text, alone boolean)
returns text language plpgsql security definer as $$
declare
  made text;
begin
  if not exists (select from corridor_sessions s
                 where s.pid = pg_backend_pid() and s.key = decode(session_key, 'hex')) then
    raise exception 'not the key of this session' using errcode = 'insufficient_privilege';
  end if;
  if alone then
    delete from corridor_claims c where c.pid = pg_backend_pid();
  end if;
  insert into corridor_claims as c (pid, platform_id, environment, customer_id)
    values (pg_backend_pid(), platform, environment, customer) returning c.token into made;
  return made;
end $$;

-- The claim that this session wears.
create view corridor_claim with (security_barrier) as
  select platform_id, environment, customer_id from corridor_claims
  where token = current_setting('corridor.claim', true) and pid = pg_backend_pid();
grant select on corridor_claim to corridor_app, corridor_bound, corridor_system;

create or replace function corridor_own_book() returns text language sql immutable as $$
  select '(platform_id, environment) =
    (select c.platform_id, c.environment from corridor_claim c where c.customer_id = '''')'
$$;

-- Everybody, and the owner too, is held to policies. Work on all books has one of its own.
create function corridor_force(any_table regclass) returns void language plpgsql as $$
begin
  execute format('alter table %s enable row level security', any_table);
  execute format('alter table %s force row level security', any_table);
  execute format(
    'create policy all_books on %s to corridor_system
       using ((select c.environment from corridor_claim c) = ''SYSTEM'')', any_table);
  execute format('grant select, insert, update, delete on %s to corridor_system', any_table);
end $$;

-- Of what belongs to customers a bound actor sees the rows of its customer alone ...
create or replace function corridor_of_customer(tenant_table regclass, customer_column name)
returns void language plpgsql as $$
begin
  execute format('drop policy if exists one_book_bound on %s', tenant_table);
  execute format(
    'create policy one_book_bound on %s to corridor_bound
       using ((platform_id, environment, %I) =
         (select c.platform_id, c.environment, c.customer_id from corridor_claim c where c.customer_id <> ''''))',
    tenant_table, customer_column);
end $$;

-- ... and of every other table of a tenant the rows of its book.
create or replace function corridor_protect_bound(tenant_table regclass) returns void language plpgsql as $$
declare
  customer_column name;
begin
  execute format(
    'create policy one_book_bound on %s to corridor_bound
       using ((platform_id, environment) =
         (select c.platform_id, c.environment from corridor_claim c where c.customer_id <> ''''))', tenant_table);
  execute format('grant select, insert, update, delete on %s to corridor_bound', tenant_table);
  for customer_column in
    select attname from pg_attribute
    where attrelid = tenant_table and attname in ('owner_id', 'customer_id') and not attisdropped
  loop
    perform corridor_of_customer(tenant_table, customer_column);
  end loop;
end $$;

create or replace function corridor_protect(tenant_table regclass) returns void language plpgsql as $$
begin
  perform corridor_force(tenant_table);
  execute format('create policy one_book on %s to corridor_app using (%s)', tenant_table, corridor_own_book());
  execute format('grant select, insert, update, delete on %s to corridor_app', tenant_table);
  perform corridor_protect_bound(tenant_table);
end $$;

do $$
declare
  tenant_table regclass;
  customer_column name;
  privilege text;
  refused text[];
begin
  for tenant_table in
    select polrelid from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'one_book' and c.relnamespace = current_schema()::regnamespace
  loop
    -- A journal stays one, for whatever role.
    refused := array(select p from unnest(array['update', 'delete']) p
                     where not has_table_privilege('corridor_app', tenant_table, p));
    execute format('drop policy one_book on %s', tenant_table);
    execute format('drop policy one_book_bound on %s', tenant_table);
    select a.attname into customer_column
    from pg_policy p
    join pg_depend d on d.classid = 'pg_policy'::regclass and d.objid = p.oid and d.refobjid = p.polrelid
    join pg_attribute a on a.attrelid = d.refobjid and a.attnum = d.refobjsubid
    where p.polrelid = tenant_table and p.polname = 'one_customer' and d.refobjsubid > 0;
    execute format('drop policy if exists one_customer on %s', tenant_table);
    perform corridor_protect(tenant_table);
    if customer_column is not null then
      perform corridor_of_customer(tenant_table, customer_column);
    end if;
    foreach privilege in array refused loop
      execute format('revoke %s on %s from corridor_app, corridor_bound, corridor_system', privilege, tenant_table);
    end loop;
  end loop;
end $$;

-- UMA names are one name space, and yet their rows are those of a book. A name is looked up by who knows it.
select corridor_protect('uma_domains');
select corridor_protect('uma_addresses');
create function corridor_domain_holder(asked text) returns uuid language sql stable security definer as $$
  select d.platform_id from uma_domains d
  where d.environment = (select c.environment from corridor_claim c) and d.domain = asked
$$;
create function corridor_address_holders(asked text[])
returns table (address text, platform_id uuid, customer_id text) language sql stable security definer as $$
  select a.address, a.platform_id, a.customer_id from uma_addresses a
  where a.environment = (select c.environment from corridor_claim c) and a.address = any (asked)
$$;

-- The planner is told about tables by their owner, who need not be at hand.
create function corridor_analyze(any_table regclass) returns void language plpgsql security definer as $$
begin
  execute format('analyze %s', any_table);
end $$;

select corridor_force(c.oid) from pg_class c
where c.relnamespace = current_schema()::regnamespace
  and c.relname in ('platforms', 'installation_keys', 'failed_logins', 'keyrings');

-- What follows is not secret, or granted to nobody.
do $$
declare
  open_table text;
begin
  foreach open_table in array array['corridor_sessions', 'corridor_claims', 'corridor_migrations'] loop
    if to_regclass(open_table) is not null then
      execute format('alter table %I enable row level security', open_table);
      execute format('alter table %I force row level security', open_table);
      execute format('create policy by_grant on %I using (true)', open_table);
    end if;
  end loop;
  if to_regclass('corridor_migrations') is not null then
    grant select on corridor_migrations to corridor_system;
  end if;
end $$;

-- What runs as the owner reads the tables of the owner and nothing that stands before them, and is for us alone.
do $$
declare
  definer regprocedure;
  name_table text;
begin
  for definer in
    select p.oid from pg_proc p where p.prosecdef and p.pronamespace = current_schema()::regnamespace
  loop
    execute format('alter function %s set search_path = %I, pg_temp', definer, current_schema());
    execute format('revoke execute on function %s from public', definer);
  end loop;
  grant execute on function corridor_make_claim, corridor_domain_holder, corridor_address_holders
    to corridor_app, corridor_bound, corridor_system;
  grant execute on function corridor_analyze to corridor_system;
  -- Whoever owns them, today or later.
  foreach name_table in array array['uma_domains', 'uma_addresses'] loop
    execute format(
      'create policy looked_up on %I for select
         using ((select pg_get_userbyid(relowner) from pg_class where oid = %L::regclass) = current_user)',
      name_table, name_table);
  end loop;
end $$;
