-- Why: an actor may act for one customer alone, as an agent does. Its sessions have a role of their own, whose
-- policies show, of what belongs to customers, the rows of that customer; sessions of everybody else stay as
-- they are and pay nothing for it. Old code may still run: it never takes the role.

do $$ begin
  if not exists (select from pg_roles where rolname = 'corridor_bound') then
    create role corridor_bound nologin;
  end if;
exception when duplicate_object or unique_violation then null;
end $$;
do $$ begin
  execute format('grant corridor_bound to %I', current_user);
exception when others then null; -- a superuser needs no membership
end $$;
do $$ begin
  execute format('grant usage on schema %I to corridor_bound', current_schema());
end $$;

-- Of what belongs to customers a bound actor sees the rows of its customer alone ...
create function corridor_of_customer(tenant_table regclass, customer_column name) returns void language plpgsql as $$
begin
  execute format(
    'create policy one_customer on %s as restrictive to corridor_bound
       using (%I = (select current_setting(''corridor.customer'')))', tenant_table, customer_column);
end $$;

-- ... and of every table of a tenant those of its book. Which tables belong to customers their columns say.
create function corridor_protect_bound(tenant_table regclass) returns void language plpgsql as $$
declare
  customer_column name;
begin
  execute format('create policy one_book_bound on %s to corridor_bound using (%s)', tenant_table, corridor_own_book());
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
  execute format('alter table %s enable row level security', tenant_table);
  execute format('create policy one_book on %s to corridor_app using (%s)', tenant_table, corridor_own_book());
  execute format('grant select, insert, update, delete on %s to corridor_app', tenant_table);
  perform corridor_protect_bound(tenant_table);
end $$;

do $$
declare
  tenant_table regclass;
begin
  for tenant_table in
    select polrelid from pg_policy p join pg_class c on c.oid = p.polrelid
    where p.polname = 'one_book' and c.relnamespace = current_schema()::regnamespace
  loop
    perform corridor_protect_bound(tenant_table);
  end loop;
end $$;
grant select, insert, update, delete on uma_domains, uma_addresses to corridor_bound;

-- Its own id is what a customer's row belongs to.
select corridor_of_customer('customers', 'id');
