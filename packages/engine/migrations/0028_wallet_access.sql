-- Why: embedded wallets get their own words, credentials that unlock them, and sessions whose keys sign.
-- New tables only; older code may still run. A wallet that was opened before has no row here: its words are made
-- with the first export, and its holder adds the first credential.

create table wallet_secrets (
  platform_id uuid not null,
  environment text not null,
  -- The account.
  id text not null,
  owner_id text not null,
  -- Twelve words, sealed with the customer's key.
  mnemonic text not null,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
select corridor_protect('wallet_secrets');

create table auth_methods (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  account_id text not null,
  owner_id text not null,
  type text not null check (type in ('EMAIL_OTP', 'SMS_OTP', 'OAUTH', 'PASSKEY')),
  status text not null check (status in ('ACTIVE', 'REVOKED')),
  -- What it is: a contact, an identity or a passkey, sealed with the customer's key, and as a keyed hash to find
  -- it again.
  content text not null,
  identity_hash text not null,
  -- The newest one-time password, whatever became of it: its code as a keyed hash, and sealed the key that opens
  -- what clients send.
  otp jsonb,
  otp_target text,
  -- Times of late challenges and failures, for the limits on both.
  attempts jsonb not null,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index auth_methods_of_account on auth_methods (platform_id, environment, account_id);
create index auth_methods_of_owner on auth_methods (platform_id, environment, owner_id);
create unique index auth_methods_one_otp on auth_methods (platform_id, environment, account_id, type)
  where status = 'ACTIVE' and type in ('EMAIL_OTP', 'SMS_OTP');
create unique index auth_methods_identity on auth_methods (platform_id, environment, account_id, type, identity_hash)
  where status = 'ACTIVE';
create index auth_methods_contact on auth_methods (platform_id, environment, type, identity_hash)
  where status = 'ACTIVE';
select corridor_protect('auth_methods');

-- Challenges under which a passkey was registered: each counts once for an account, for good.
create table passkey_registrations (
  platform_id uuid not null,
  environment text not null,
  -- The account and the hash of the challenge.
  id text not null,
  owner_id text not null,
  created_at timestamptz not null,
  primary key (id, platform_id, environment)
);
select corridor_protect('passkey_registrations');

create table wallet_sessions (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  account_id text not null,
  owner_id text not null,
  credential_id text not null,
  -- Compressed, lower-case hex. The private half is with the client alone.
  public_key text not null,
  status text not null check (status in ('ACTIVE', 'REVOKED')),
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (id, platform_id, environment)
);
create index wallet_sessions_of_account on wallet_sessions (platform_id, environment, account_id, expires_at)
  where status = 'ACTIVE';
create index wallet_sessions_of_credential on wallet_sessions (platform_id, environment, credential_id)
  where status = 'ACTIVE';
select corridor_protect('wallet_sessions');
