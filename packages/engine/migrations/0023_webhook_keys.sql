-- Why: a webhook that is signed for one platform must be no true signature at the endpoint of another, so each
-- platform has a signing key of its own. Older code cannot run on this.

create table webhook_keys (
  platform_id uuid not null,
  environment text not null,
  -- Sent with every webhook.
  id text not null,
  -- 1, 2, 3 … of the platform.
  number int not null check (number > 0),
  public_part text not null,
  sealed_part text not null,
  created_at timestamptz not null,
  -- When it signs no more.
  retired_at timestamptz,
  primary key (id, platform_id, environment),
  unique (platform_id, environment, number)
);
select corridor_protect('webhook_keys');
