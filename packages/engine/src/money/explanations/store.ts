import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { stepKind } from '../payments/index.ts'

const nextStepOf = statement(
  'explanations.nextStep',
  `select job.run_at as "nextAt", job.last_error is not null as "isTriedAgain",
     exists (select from held_payouts where platform_id = $1 and environment = $2 and id = $4) as "isHeld"
   from (values (0)) one left join lateral (
     select run_at, last_error from jobs where platform_id = $1 and environment = $2 and kind = $3 and key = $4
       and dead_at is null order by run_at, id limit 1) job on true`,
)

export interface NextStep {
  /** When it is taken by itself, on the clock of the book; null: nobody takes it, as after too many failures. */
  readonly nextAt: Instant | null
  /** Whether it has failed before. */
  readonly isTriedAgain: boolean
  /** Whether the payment waits at a pause. */
  readonly isHeld: boolean
}

/** What takes a payment's next step, or keeps it from being taken. */
export async function loadNextStep(database: Database, book: Book, transactionId: string): Promise<NextStep> {
  const parameters = [book.platformId, book.environment, stepKind, transactionId]
  const [row] = await database.read<NextStep>(book, nextStepOf, parameters)
  return row!
}

export interface PaymentEventRow {
  readonly id: Id<'Webhook'>
  readonly type: string
  readonly resourceId: string
  readonly status: string
  readonly attempts: number
  readonly createdAt: Instant
}

/** Events of the book that are looked through at most for those of one payment. */
export const mostEvents = 5_000

const events = statement(
  'explanations.events',
  `select id, type, resource_id as "resourceId", status, attempts, created_at as "createdAt" from events
   where platform_id = $1 and environment = $2 and created_at >= $3::timestamptz and created_at <= $4::timestamptz
   order by created_at desc, id desc limit $5`,
)

/** Those of a payment: they happen when it changes, so between its first and its last change. */
export async function loadPaymentEvents(
  database: Database,
  book: Book,
  { ids, from, until }: { readonly ids: readonly string[]; readonly from: string; readonly until: string },
): Promise<{ rows: PaymentEventRow[]; lookedThrough: number }> {
  const parameters = [book.platformId, book.environment, from, until, mostEvents]
  const found = await database.read<PaymentEventRow>(book, events, parameters)
  const rows = found.filter(({ resourceId }) => ids.includes(resourceId)).reverse()
  return { rows, lookedThrough: found.length }
}
