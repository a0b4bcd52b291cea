-- Why: a challenge repeats what was asked for, such as a new e-mail address, so it is sealed like all that is
-- known about the customer. Challenges wait five minutes: those under way are asked for again. Older code
-- cannot run on this.

delete from signed_requests;

alter table signed_requests
  drop column body,
  drop column payload_to_sign,
  drop column details,
  -- Whose key seals it: the customer's, or that of the holder of the wallet.
  add column owner_id text not null,
  -- The body, the exact text that was given out and never built again, and what was put aside: one sealed text.
  add column content text not null,
  -- Whether the request is known for what it was when its time is up, or counts as never made.
  add column is_remembered boolean not null default false;

drop index signed_requests_expired;
create index signed_requests_expired on signed_requests (platform_id, environment, expires_at)
  where not is_remembered;
