-- Why: two processes that got one Idempotency-Key at once both did the work of an operation whose answer is not stored with
-- its effect. Such an operation first claims its key here. A claim ends with its request, or with its lease where the process
-- dies. A new table; older code may still run.
create table idempotency_claims (
  platform_id uuid not null,
  environment text not null,
  id text not null,
  claim uuid not null,
  lease_end timestamptz not null,
  primary key (id, platform_id, environment)
);
create index idempotency_claims_ended on idempotency_claims (lease_end);
select corridor_protect('idempotency_claims');
