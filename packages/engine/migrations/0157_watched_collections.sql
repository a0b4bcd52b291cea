-- Why: earlier releases did not watch a collection once it had paid for a payout, so nobody noticed when its bank took it back. Every one
-- of the last 120 days that was collected gets its watch, which ends when its bank says so. The time at which it was submitted was
-- overwritten by that of the payout: the beginning of the payment stands for it. A payout may have been handed over, unless its first
-- attempt has not begun. Older code drops the watch, so none may run beside this.
with enrolled as (
  update transactions t set version = t.version + 1, flow = t.flow
    || jsonb_build_object('collection', jsonb_build_object(
      'submittedAt', (extract(epoch from t.created_at) * 1000)::bigint))
    || case when t.flow ->> 'stage' = 'SUBMIT_PAYOUT' and exists (
        select from jobs j where j.platform_id = t.platform_id and j.environment = t.environment and j.key = t.id
          and j.kind = 'payments.advance' and j.attempts = 0 and j.last_error is null and j.dead_at is null)
      then '{}' else jsonb_build_object('handOverAt', (extract(epoch from t.updated_at) * 1000)::bigint) end
  from books b
  where b.platform_id = t.platform_id and b.environment = t.environment
    and t.created_at > clock_timestamp() + b.clock_offset_ms * interval '1 millisecond' - interval '120 days'
    and t.flow -> 'funding' ->> 'kind' = 'PULL' and t.flow -> 'delivery' ->> 'kind' <> 'INTERNAL'
    and not t.flow ? 'collection'
    and exists (select from ledger_transfers l where l.platform_id = t.platform_id and l.environment = t.environment
      and l.id = t.id || '/collect/0')
  returning t.platform_id, t.environment, t.id, b.clock_offset_ms
)
insert into jobs (platform_id, environment, id, kind, key, payload, run_at, due_at, created_at)
select platform_id, environment, gen_random_uuid(), 'payments.watchCollection', id,
  jsonb_build_object('transactionId', id), clock_timestamp() + clock_offset_ms * interval '1 millisecond',
  clock_timestamp(), clock_timestamp() + clock_offset_ms * interval '1 millisecond'
from enrolled;
