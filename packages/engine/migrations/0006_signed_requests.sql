-- Why: what a wallet has to sign is asked once and answered once; between the two it waits here, verbatim.
-- New table only; older code may still run.

create table signed_requests (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  version bigint not null default 1,
  -- Which operation on which resource with which body may be repeated with a signature.
  operation text not null,
  resource_id text not null,
  body jsonb not null,
  -- The exact text that was given out. It is never built again.
  payload_to_sign text not null,
  details jsonb not null,
  status text not null check (status in ('PENDING', 'CONSUMED', 'DEAD')),
  failures int not null default 0,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (platform_id, environment, id)
);
create index signed_requests_expired on signed_requests (platform_id, environment, expires_at);
select corridor_protect('signed_requests');
