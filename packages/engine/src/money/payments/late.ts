import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { stepKind } from './step.ts'
import type { ShownTransaction } from './transaction.ts'

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

const due = statement(
  'transactions.due',
  `select id, case when flow ->> 'stage' in (${lateStages}) then ${expectedEndOf('transactions')} end as "expectedBy",
     ${stuckAt.replace('?', '$4')} as "isOverdue"
   from transactions where platform_id = $1 and environment = $2 and id = any($3::text[])`,
)

/** By when a payment that is under way is to be over, and whether it is past that or nobody goes on with it. */
export interface Due {
  /** Null where no rail and no step of its own is waited for. */
  readonly expectedBy: Instant | null
  /** As `isStuck` finds it. */
  readonly isOverdue: boolean
}

/** Whether a payment may be late: it is on its way, or its money is on its way back. */
export function isUnderWay({ status, refund }: Pick<ShownTransaction, 'status' | 'refund'>): boolean {
  return status === 'PENDING' || status === 'PROCESSING' || refund?.status === 'PENDING'
}

/** Of those under way among these, at the moment of the scope; nothing is asked where none is. */
export async function loadDue(
  database: Database,
  scope: Scope,
  transactions: readonly Pick<ShownTransaction, 'id' | 'status' | 'refund'>[],
): Promise<ReadonlyMap<string, Due>> {
  const ids = transactions.filter(isUnderWay).map(({ id }) => id)
  if (ids.length === 0) return new Map()
  const parameters = [scope.platformId, scope.environment, ids, toTimestamp(scope.now)]
  const rows = await database.read<Due & { readonly id: string }>(scope, due, parameters)
  return new Map(rows.map(({ id, expectedBy, isOverdue }) => [id, { expectedBy, isOverdue }]))
}

/** The same for whoever reads the payment. */
export function dueOnWire(due: Due | undefined): { expectedBy?: string; isOverdue?: boolean } {
  if (!due) return {}
  const { expectedBy, isOverdue } = due
  return { ...(expectedBy === null ? {} : { expectedBy: toTimestamp(expectedBy) }), isOverdue }
}
