-- Why: every list says how many rows it has on all pages, and counted them all to say it: 10 ms at a few thousand rows,
-- seconds at millions. What lists that grow large have is kept now. Each statement that adds rows writes how many they
-- were as a row of its own, so that nobody waits for anybody, and the background adds these up (lists/totals.ts).

create table list_totals (
  platform_id uuid not null,
  environment text not null,
  -- The table whose rows are counted, and which of them: '' where it has but one kind.
  list text not null,
  part text not null,
  id bigint generated always as identity,
  -- May be negative: what left.
  rows bigint not null,
  -- Whether it is a sum already.
  is_sum boolean not null default false,
  primary key (platform_id, environment, list, part, id)
);
-- A few rows that come and go all the time.
alter table list_totals set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 500);
create index list_totals_apart on list_totals (platform_id, environment, list, part) where not is_sum;
select corridor_protect('list_totals');

-- Keeps the totals of a table. `part` is an expression on its row `r`: which list the row is in, null for none. Rows
-- come and go by statements; a row that stays changes its part only with one of the columns that are named.
create function corridor_keep_total(kept regclass, part text, changing text)
returns void language plpgsql as $$
declare
  name text := (select relname from pg_class where oid = kept);
  add_rows text := 'insert into list_totals (platform_id, environment, list, part, rows)
    select r.platform_id, r.environment, %L, %s, %s from %s r where %s is not null group by 1, 2, 4';
begin
  execute format('create function %I() returns trigger language plpgsql as $trigger$
    begin
      %s;
      return null;
    end $trigger$', 'corridor_add_' || name, format(add_rows, name, part, 'count(*)', 'came', part));
  execute format('create function %I() returns trigger language plpgsql as $trigger$
    begin
      %s;
      return null;
    end $trigger$', 'corridor_take_' || name, format(add_rows, name, part, '-count(*)', 'went', part));
  execute format('create trigger corridor_added after insert on %s referencing new table as came
    for each statement execute function %I()', kept, 'corridor_add_' || name);
  execute format('create trigger corridor_taken after delete on %s referencing old table as went
    for each statement execute function %I()', kept, 'corridor_take_' || name);
  if changing is not null then
    execute format('create function %I() returns trigger language plpgsql as $trigger$
      begin
        insert into list_totals (platform_id, environment, list, part, rows)
          select old.platform_id, old.environment, %L, p.part, p.rows
          from (select %s, -1 union all select %s, 1) p(part, rows) where p.part is not null;
        return null;
      end $trigger$', 'corridor_move_' || name, name,
      replace(part, 'r.', 'old.'), replace(part, 'r.', 'new.'));
    execute format('create trigger corridor_moved after update of %s on %s
      for each row when ((%s) is distinct from (%s)) execute function %I()',
      changing, kept, replace(part, 'r.', 'old.'), replace(part, 'r.', 'new.'), 'corridor_move_' || name);
  end if;
  -- Nobody adds rows meanwhile: the triggers hold the table until this is committed.
  execute format('insert into list_totals (platform_id, environment, list, part, rows, is_sum)
    select r.platform_id, r.environment, %L, %s, count(*), true from %s r where %s is not null group by 1, 2, 4',
    name, part, kept, part);
end $$;

select corridor_keep_total('transactions', $$''$$, null);
select corridor_keep_total('card_transactions', $$''$$, null);
select corridor_keep_total('cards', $$''$$, null);
select corridor_keep_total('verifications', $$''$$, null);
select corridor_keep_total('customers',
  $$case when r.deleted_at is null then 'LIVE' else 'DELETED' end$$, 'deleted_at');
select corridor_keep_total('internal_accounts',
  $$case when r.owner_id = 'platform' then 'PLATFORM' else 'CUSTOMERS' end$$, null);
select corridor_keep_total('external_accounts',
  $$case when r.deleted_at is not null then null when r.owner_id = 'platform' then 'PLATFORM' else 'CUSTOMERS' end$$,
  'deleted_at');
select corridor_keep_total('documents', $$case when r.deleted_at is null then '' end$$, 'deleted_at');

-- Each customer's, read in their order without those of all others.
create index external_accounts_by_owner on external_accounts
  (platform_id, environment, owner_id, created_at desc, id desc) where deleted_at is null;
create index card_transactions_by_customer on card_transactions
  (platform_id, environment, customer_id, created_at desc, id desc);
create index verifications_by_customer on verifications
  (platform_id, environment, customer_id, created_at desc, id desc);
create index messages_by_owner on messages (platform_id, environment, owner_id, created_at desc, id desc);
