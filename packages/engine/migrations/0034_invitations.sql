-- Why: invitations by which a customer's friends open an account elsewhere. A code is good in one environment, for
-- whichever platform holds it, and is never given out a second time. Old code does not know the table.

create table invitations (
  platform_id uuid not null,
  environment text not null,
  -- The code.
  id text not null,
  version bigint not null default 1,
  -- Who invites.
  customer_id text not null,
  inviter_uma text not null,
  first_name text,
  amount bigint check (amount > 0),
  currency text,
  status text not null check (status in ('PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED')),
  expires_at timestamptz,
  claimed_at timestamptz,
  invitee_uma text,
  -- The request that claimed it, so that its repetition after a crash finds its own work.
  claimed_by text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create unique index invitations_code on invitations (id);
create index invitations_expiring on invitations (platform_id, environment, expires_at)
  where status = 'PENDING' and expires_at is not null;
select corridor_protect('invitations');
