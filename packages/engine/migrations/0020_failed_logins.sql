-- Why: who guesses credentials is stopped whichever process is asked. One time says all about a bucket: when
-- it is full again. Keys are hashes of a source and an id; rows that are past mean nothing and are removed.
create table failed_logins (
  key text primary key,
  full_at timestamptz not null
);
create index failed_logins_full_at on failed_logins (full_at);
