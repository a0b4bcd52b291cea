-- Why: proofs of who owns a wallet, and lookups of receivers that a quote may refer back to.
-- New tables only; older code may still run.

-- One challenge per wallet is outstanding at a time, and each is answered once (accounts 4.9).
create table ownership_challenges (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  external_account_id text not null,
  method text not null check (method in ('WALLET_SIGNATURE', 'LIVENESS')),
  status text not null check (status in ('OUTSTANDING', 'PASSED', 'FAILED', 'VOIDED')),
  -- The exact bytes to sign; they contain the nonce.
  message text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, environment, id),
  check ((message is not null) = (method = 'WALLET_SIGNATURE'))
);
create unique index ownership_challenges_outstanding
  on ownership_challenges (platform_id, environment, external_account_id) where status = 'OUTSTANDING';
select corridor_protect('ownership_challenges');

-- A lookup is bound to who asked and whom they asked about, and lives ten minutes (accounts 5).
create table lookups (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  -- A customer id, or `platform`.
  sender_id text not null,
  -- An external account id, or a UMA address in lower case.
  receiver text not null,
  details jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create index lookups_expired on lookups (platform_id, environment, expires_at);
select corridor_protect('lookups');
