-- Why: who did what is asked first by whoever reviews an installation. What a request did is written into the inbox in
-- the transaction of its effect, where nobody waits for anybody; from there it is moved into the log of its book, each
-- entry chained to the one before by hash. New tables only; older code may still run.

create table audit_inbox (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  -- JSON as it will be hashed: no secrets, no personal data.
  entry text not null,
  primary key (id, platform_id, environment)
);
create index audit_inbox_of_book on audit_inbox (platform_id, environment, id);
select corridor_protect('audit_inbox');

create table audit_entries (
  platform_id uuid not null,
  environment text not null,
  -- Counted from 1 in each book, without gaps.
  position bigint not null,
  entry text not null,
  -- SHA-256 of the hash before, the position and the entry, in hexadecimal.
  hash text not null,
  -- Read out of the entry by the database, so that what is found is what was hashed.
  id text not null generated always as ((entry::jsonb)->>'id') stored,
  at text not null generated always as ((entry::jsonb)->>'at') stored,
  actor text not null generated always as ((entry::jsonb)->>'actor') stored,
  operation text not null generated always as ((entry::jsonb)->>'operation') stored,
  outcome text not null generated always as ((entry::jsonb)->>'outcome') stored,
  resources jsonb not null generated always as (jsonb_path_query_array(entry::jsonb, '$.resources.*')) stored,
  primary key (platform_id, environment, position)
);
create index audit_entries_listed on audit_entries (id);
create index audit_entries_of_actor on audit_entries (actor, id);
create index audit_entries_of_resource on audit_entries using gin (resources);
select corridor_protect('audit_entries');

-- Where each chain ends and since when it is kept, vouched for with a key that is not in the database.
create table audit_heads (
  platform_id uuid not null,
  environment text not null,
  position bigint not null default 0,
  hash text not null default '',
  -- The last entry that retention has removed.
  forgotten_position bigint not null default 0,
  forgotten_hash text not null default '',
  tag text not null default '',
  primary key (platform_id, environment)
);
select corridor_protect('audit_heads');

-- Append-only: by grant for every role that serves requests, and by trigger for all. Only what retention has put
-- behind the head of the chain may go.
revoke update, delete on audit_entries from corridor_app, corridor_bound;
revoke update on audit_entries from corridor_system;
revoke delete on audit_heads from corridor_app, corridor_bound, corridor_system;
revoke update on audit_inbox from corridor_app, corridor_bound, corridor_system;

create function corridor_keep_audit_entries() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' then
    if old.position <= (select h.forgotten_position from audit_heads h
                        where h.platform_id = old.platform_id and h.environment = old.environment) then
      return old;
    end if;
  end if;
  raise exception 'the audit log is append-only' using errcode = 'insufficient_privilege';
end $$;
create trigger corridor_keep_audit_entries before update or delete on audit_entries
  for each row execute function corridor_keep_audit_entries();
create trigger corridor_keep_all_audit_entries before truncate on audit_entries
  for each statement execute function corridor_keep_audit_entries();
