-- Why: what was revoked, replaced or used up once must not be good again because the sandbox is set back to an earlier time, and
-- the row that says so is not in every copy. So it is written down by itself, and taken over by whatever takes the place of this
-- database. New table and triggers only; older code may still run.

create table ended_credentials (
  platform_id uuid not null,
  environment text not null,
  -- The keyed hash of a secret, of an agent's token or of its device code; or the id of a token that was revoked.
  id text not null,
  kind text not null check (kind in ('SECRET', 'TOKEN')),
  ended_at timestamptz not null,
  primary key (id, platform_id, environment)
);
select corridor_protect('ended_credentials');

create function corridor_end_credential(platform uuid, environment text, ended text, kind text, at timestamptz)
returns void language sql as $$
  insert into ended_credentials values (platform, environment, ended, kind, at) on conflict do nothing
$$;

create function corridor_token_ended() returns trigger language plpgsql as $$
begin
  if old.secret_hash <> new.secret_hash then
    perform corridor_end_credential(new.platform_id, new.environment, old.secret_hash, 'SECRET', new.updated_at);
  end if;
  if new.deleted_at is not null then
    perform corridor_end_credential(new.platform_id, new.environment, new.id, 'TOKEN', new.deleted_at);
  end if;
  return null;
end $$;
create trigger corridor_token_ended after update of secret_hash, deleted_at on tokens for each row
  when (old.secret_hash is distinct from new.secret_hash or old.deleted_at is null and new.deleted_at is not null)
  execute function corridor_token_ended();

-- Codes of an agent end with it.
create function corridor_agent_ended() returns trigger language plpgsql as $$
begin
  if old.token_hash is not null and old.token_hash is distinct from new.token_hash then
    perform corridor_end_credential(new.platform_id, new.environment, old.token_hash, 'SECRET', new.updated_at);
  end if;
  if new.deleted_at is not null then
    perform corridor_end_credential(c.platform_id, c.environment, c.code_hash, 'SECRET', new.deleted_at)
      from agent_device_codes c
      where (c.platform_id, c.environment, c.agent_id) = (new.platform_id, new.environment, new.id) and c.status = 'LIVE';
  end if;
  return null;
end $$;
create trigger corridor_agent_ended after update of token_hash, deleted_at on agents for each row
  when (old.token_hash is distinct from new.token_hash or old.deleted_at is null and new.deleted_at is not null)
  execute function corridor_agent_ended();

create function corridor_device_code_ended() returns trigger language plpgsql as $$
begin
  perform corridor_end_credential(new.platform_id, new.environment, old.code_hash, 'SECRET', new.updated_at);
  return null;
end $$;
create trigger corridor_device_code_ended after update of status on agent_device_codes for each row
  when (old.status = 'LIVE' and new.status <> 'LIVE')
  execute function corridor_device_code_ended();

insert into ended_credentials
  select platform_id, environment, id, 'TOKEN', deleted_at from tokens where deleted_at is not null;
insert into ended_credentials
  select platform_id, environment, code_hash, 'SECRET', updated_at from agent_device_codes where status <> 'LIVE';
