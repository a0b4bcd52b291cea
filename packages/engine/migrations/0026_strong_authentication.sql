-- Why: customers in the EEA authorize payments with a second factor (customers 13). New tables and a column that
-- may be null; older code may still run.

-- One row per customer who has anything here; `id` is the customer's.
create table sca_customers (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  -- Wrong proofs in a row, and what they led to.
  failed_attempts int not null default 0,
  locked_until timestamptz,
  is_suspended boolean not null default false,
  -- The end of the longest login session; null when there is none.
  session_expires_at timestamptz,
  -- Secrets, passkey and enrolments under way, as one text under the customer's key.
  factors text not null,
  primary key (id, platform_id, environment)
);
select corridor_protect('sca_customers');

-- What a customer has been asked to prove, until it is proved, replaced or too late.
create table sca_challenges (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  customer_id text not null,
  kind text not null check (kind in ('LOGIN', 'PAYMENT', 'TRUST', 'UNTRUST')),
  -- The customer, the quote or the external account that it is about.
  subject_id text not null,
  factor text not null check (factor in ('SMS_OTP', 'TOTP', 'PASSKEY')),
  purpose text,
  status text not null check (status in ('PENDING', 'ACCEPTED', 'REPLACED', 'EXPIRED')),
  -- Of the last code that was sent; null for the other factors.
  code_hash text,
  -- What an authenticator signs, in base64url; null for the other factors.
  passkey_challenge text,
  -- Of the passkey that is asked.
  credential_id text,
  -- Times of the last answers and of the last codes, for their limits.
  answered_at jsonb not null default '[]',
  resent_at jsonb not null default '[]',
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (id, platform_id, environment)
);
-- One question at a time about one thing.
create unique index sca_challenges_pending
  on sca_challenges (platform_id, environment, subject_id) where status = 'PENDING';
create index sca_challenges_by_customer on sca_challenges (platform_id, environment, customer_id);
select corridor_protect('sca_challenges');

-- The replacement of a factor that was lost.
create table sca_resets (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  customer_id text not null,
  factor text not null check (factor in ('SMS_OTP', 'TOTP', 'PASSKEY')),
  status text not null check (status in
    ('INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED', 'COMPLETED', 'REJECTED', 'EXPIRED')),
  -- How often its status was read: the sandbox goes by it.
  reads int not null default 0,
  -- Whether the factor was enrolled again afterwards.
  is_enrolled boolean not null default false,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  completed_at timestamptz,
  primary key (id, platform_id, environment)
);
create index sca_resets_by_customer on sca_resets (platform_id, environment, customer_id, created_at);
select corridor_protect('sca_resets');

-- What the quote shows of the challenge that it waits for.
alter table quotes add column sca_challenge jsonb;
