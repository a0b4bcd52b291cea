import { type Instant, ok, toTimestamp } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Sweep } from '../../mechanisms/feature/bound.ts'
import type { Attempt } from '../../mechanisms/jobs/runner.ts'
import { type PauseInForce, pausesInForce } from '../../mechanisms/pauses/pauses.ts'
import type { Delete } from '../../vocabulary/decision.ts'
import type { PauseReason } from '../../vocabulary/pause-reason.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { begin, finish, nextStep, processed, type Step, type StepFacts, waitUntil } from './step.ts'
import { change, type Transaction } from './transaction.ts'

/**
 * Payments that wait because the operator has paused payouts on their rail. They are converted and PROCESSING, like those
 * that a rail keeps, and have no job: nothing looks at them until their pause is lifted. Then the sweep below gives each its
 * job back, those that have waited longest first.
 */

/** Of a payment that is or was held back from its rail. */
export interface HeldBack {
  readonly pauseId: string
  /** Why, by the word that everybody may know. */
  readonly reasonCode: PauseReason
  /** On the clock of its book. */
  readonly since: Instant
  /** When it went on. */
  readonly until?: Instant
  /** Whether no attempt to hand it over had begun before, so that the rail cannot know it. */
  readonly isFirst: boolean
}

/**
 * An attempt of a payment that was held back: its job is a new one, so what the jobs before it may have told the rail stands in
 * the payment.
 */
export function sinceHeld(attempt: Attempt, { flow: { held } }: Transaction): Attempt {
  if (!held || held.isFirst) return attempt
  return { ...attempt, isFirst: async () => false }
}

/**
 * Nothing is handed over: the payment waits until this pause is lifted. `isFirst`: the rail cannot have heard of it.
 */
export function decideHold(facts: StepFacts, pause: PauseInForce, isFirst: boolean): Step {
  const { transaction, now } = facts
  const { flow, id } = transaction
  const before = flow.held
  // It stands there as held by this pause already; should that be lifted by now, the sweep gives it a job.
  const isHeld = before !== undefined && before.until === undefined
  if (isHeld && before.pauseId === pause.id && before.isFirst === isFirst) return waitUntil(facts, undefined)
  const { id: pauseId, reasonCode } = pause
  const since = isHeld ? before.since : now
  const story = begin(facts).change({ flow: { ...flow, held: { pauseId, reasonCode, since, isFirst } } })
  const held = finish(facts, story, { step: 'convert', postings: processed(facts, story) })
  const { delivery } = flow
  const rail = 'rail' in delivery ? delivery.rail : ''
  const row = { id, pause_id: pauseId, rail, held_at: toTimestamp(since) }
  return {
    ...held,
    deletes: isHeld ? [{ table: 'held_payouts', row: { id } }] : [],
    inserts: [...(held.inserts ?? []), { table: 'held_payouts', row }],
  }
}

/** A payment that goes on, or ends, as its pause holds it no longer. */
export function goesOn({ flow, ...transaction }: Transaction, now: Instant): Transaction {
  const { held } = flow
  return held && held.until === undefined
    ? { ...transaction, flow: { ...flow, held: { ...held, until: now } } }
    : { ...transaction, flow }
}

/** The step of a payment that goes on: it is not among those that wait any more. */
export function noLongerHeld<S extends Step>(step: S, before: Transaction): S {
  const { held } = before.flow
  const isStill = step.leaves.flow.held?.until === undefined
  if (!held || held.until !== undefined || isStill) return step
  const deletes: Delete[] = [...(step.deletes ?? []), { table: 'held_payouts', row: { id: before.id } }]
  if (step.updates?.length) return { ...step, deletes }
  // Nothing is known yet of what becomes of it, and that it went on is on record all the same.
  const { next, update } = change(before, step.leaves.flow.held!.until!, { flow: step.leaves.flow })
  return { ...step, leaves: next, updates: [update], deletes }
}

/**
 * Those whose pause is lifted, of all books. `$1` is real time, as are the times of pauses. The id says of which pause it was: a
 * payment that another one holds back next is no row that came back unchanged, which is left alone for a while.
 */
const due = statement(
  'payments.heldDue',
  `select h.platform_id as "platformId", h.environment, h.id || ' ' || h.pause_id as id
   from payout_pauses p cross join lateral (
     select platform_id, environment, id, pause_id, held_at from held_payouts where pause_id = p.id
     order by held_at, id limit $2) h
   where p.status = 'LIFTED' and p.lifted_at <= $1::timestamptz
   order by h.held_at, h.id limit $2`,
)
const ofBook = `select h.id, h.held_at as "runAt" from held_payouts h join payout_pauses p on p.id = h.pause_id
   where h.platform_id = $1 and h.environment = $2 and p.status = 'LIFTED'`
const dueOfBook = statement(
  'payments.firstHeldOfBook',
  `${ofBook} and h.held_at <= $3 and h.id <> all($4::text[]) order by h.held_at, h.id limit 1`,
)
const upcomingOfBook = statement('payments.heldOfBook', `${ofBook} order by h.held_at, h.id limit $3`)
const loadHeld = statement(
  'payments.loadHeld',
  `select id, pause_id as "pauseId" from held_payouts where platform_id = $1 and environment = $2 and id = $3`,
)

async function pauseIdOf(database: Database, book: Book, id: string): Promise<string | undefined> {
  const parameters = [book.platformId, book.environment, id]
  const [row] = await database.read<{ pauseId: string }>(book, loadHeld, parameters)
  return row?.pauseId
}

/**
 * Lets what waited go on once its pause is lifted. What it is found by stands in the database: no notice of the lifting can be
 * lost, and a payment that is held back at the very moment of it is found a moment later. Twice is once: whether it may be
 * handed over is asked again by its job.
 */
export const releaseHeld: Sweep = {
  kind: 'payments.release',
  due,
  dueOfBook,
  upcomingOfBook,
  async run({ database }, scope, found) {
    const [id = found] = found.split(' ')
    const pauseId = await pauseIdOf(database, scope, id)
    const stays =
      pauseId === undefined || (await pausesInForce(database)).some((pause) => pause.id === pauseId)
    if (stays) return ok({ result: () => undefined })
    return ok({
      deletes: [{ table: 'held_payouts', row: { id, pause_id: pauseId } }],
      jobs: [nextStep(id, scope.now)],
      result: () => undefined,
    })
  },
}
