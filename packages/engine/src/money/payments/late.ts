import { stepKind } from './step.ts'

/** What a payment may take of which no rail says how long it takes, such as one between two accounts here. */
const unsaidSeconds = 3_600

/** Stages in which a payment waits for a rail or for its own next step, and for no person. */
const movingStages = [
  'SUBMIT_PULL',
  'POLL_PULL',
  'SUBMIT_PAYOUT',
  'POLL_PAYOUT',
  'CONVERT_INTERNAL',
  'DELIVER_INTERNAL',
] as const

const quoted = (words: readonly string[]) => words.map((word) => `'${word}'`).join(', ')

/** In SQL: the stages in which a payment can be late. */
export const lateStages = quoted([...movingStages, 'SETTLE'])

/** In SQL: since when a payment of this table is where it is: handed to its rail, else last changed. */
export const begunAt = (table: string) =>
  `coalesce(to_timestamp((${table}.flow ->> 'submittedAt')::bigint / 1000.0), ${table}.updated_at)`

/** In SQL: when a payment of this table is to be over, as its rail says it, else an hour after it last changed. */
export const expectedEndOf = (table: string) =>
  `coalesce((${table}.details ->> 'expectedSettlementAt')::timestamptz,
     ${begunAt(table)} + coalesce((${table}.details ->> 'settlementTimelineSeconds')::bigint, ${unsaidSeconds}) * interval '1 second')`

/**
 * In SQL: whether a transaction is past its time at the moment `?`, or nobody takes its next step any more. One that the operator
 * holds back has no job either, and goes on by itself.
 */
export const stuckAt = `(status in ('PENDING', 'PROCESSING') or refund ->> 'status' = 'PENDING')
  and (flow ->> 'stage' in (${lateStages}) and ${expectedEndOf('transactions')} < ?::timestamptz
    or flow ->> 'stage' in (${quoted([...movingStages, 'REFUND'])}) and not exists (
      select from jobs j where j.platform_id = $1 and j.environment = $2 and j.kind = '${stepKind}'
        and j.key = transactions.id and j.dead_at is null)
      and not exists (select from held_payouts h where h.platform_id = $1 and h.environment = $2
        and h.id = transactions.id))`
