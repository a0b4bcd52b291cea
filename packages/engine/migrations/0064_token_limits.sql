-- Why: a token was good for ever, from everywhere, for all that its permissions cover, and its secret could only be changed
-- by making another token. All of the new columns may be empty, and then nothing is limited. Older code does not heed the
-- limits, so stop it before giving a token any.
alter table tokens
  add column expires_at timestamptz,
  -- Written now and then, not at each request.
  add column last_used_at timestamptz,
  add column allowed_addresses text[],
  add column areas text[],
  -- The secret before the last rotation, and how long it is still good.
  add column former_secret_hash text,
  add column former_secret_until timestamptz;
