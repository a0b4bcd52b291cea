import { failed, type Instant, ok, type Result } from '@corridor/kernel'
import { type Failure, fail } from '../http/errors.ts'
import { type Book, bookKey, type Scope } from '../http/scope.ts'
import { mustNotGoNegative } from '../ledger/chart.ts'
import { collect, emptyOutput, writeOutput } from './batch-output.ts'
import { emptyState, loadState, type Reads } from './batch-state.ts'
import { coreParameters, isUncovered, writeCoreRows } from './core-rows.ts'
import type { Database } from './database.ts'
import { type Applied, type Decision, stale } from './decision.ts'
import { isSqlError } from './driver.ts'
import { BalancesNotRead, type BatchState, evaluate, rowKey } from './evaluate.ts'
import { createLanes, type Waiting } from './lanes.ts'

/** What apply needs of the engine. */
export interface ApplyContext {
  readonly database: Database
  readonly world: { now(): Instant; uuid(): string; id(kind: 'Webhook'): string }
  /** Called after a commit that left work for the background loops. */
  readonly wake: (what: 'jobs' | 'events') => void
}

export interface Applier {
  /**
   * Commits a decision whole or not at all. Decisions of one book that arrive while a batch is in flight
   * form the next batch and share its transaction; each is decided in order and refused on its own.
   */
  apply<T>(scope: Scope, decision: Decision<T>): Promise<Applied<T>>
}

const maxBatch = 512

/** A second batch decides while the first waits for the disk. PGlite has one connection to use. */
const lanesOf = { postgresql: 2, pglite: 1 } as const

interface Member extends Waiting {
  readonly scope: Scope
  readonly decision: Decision
  readonly settle: (outcome: Applied<unknown>) => void
  readonly reject: (error: unknown) => void
}

export function createApplier(context: ApplyContext): Applier {
  const books = new Map<string, ReturnType<typeof createLanes<Member>>>()

  function lanesFor(book: Book) {
    const key = bookKey(book)
    let known = books.get(key)
    if (!known) {
      known = createLanes<Member>({
        lanes: lanesOf[context.database.kind],
        maxBatch,
        worthALane: maxBatch / 16,
        run: (batch) => applyBatch(context, book, batch),
        onIdle: () => books.delete(key),
      })
      books.set(key, known)
    }
    return known
  }

  return {
    apply<T>(scope: Scope, decision: Decision<T>): Promise<Applied<T>> {
      return new Promise((resolve, reject) => {
        lanesFor(scope).add({
          scope,
          decision,
          ...rowsOf(decision),
          settle: resolve as (outcome: Applied<unknown>) => void,
          reject,
        })
      })
    },
  }
}

/**
 * Verdicts depend on guarded rows, on transfers that may be there already, and on the accounts that pay.
 * An account that is paid only gains by it: a fee account gets its share from all lanes at once.
 */
function rowsOf(decision: Decision): Waiting {
  const touches: string[] = []
  const adds: string[] = []
  for (const { table, id } of decision.updates ?? []) touches.push(rowKey(table, id))
  for (const { id, pendingId, debit, credit } of decision.transfers ?? []) {
    touches.push(id)
    if (pendingId) touches.push(pendingId)
    if (mustNotGoNegative(debit)) touches.push(debit)
    if (mustNotGoNegative(credit)) adds.push(credit)
  }
  return { touches, adds }
}

/** Resolves with what tells the members how it went. */
async function applyBatch(
  context: ApplyContext,
  book: Book,
  members: readonly Member[],
): Promise<() => void> {
  try {
    const outcomes = await commitBatch(context, book, members)
    return () => {
      for (const [index, member] of members.entries()) member.settle(outcomes[index]!)
      wakeFor(context, members)
    }
  } catch (error) {
    const [only] = members
    if (members.length > 1) {
      // One member broke the statement for all. Halves find it in few transactions and keep the order.
      const half = Math.ceil(members.length / 2)
      const tellFirst = await applyBatch(context, book, members.slice(0, half))
      const tellSecond = await applyBatch(context, book, members.slice(half))
      return () => {
        tellFirst()
        tellSecond()
      }
    }
    const refusal = constraintRefusal(error, only!.decision)
    return () => (refusal ? only!.settle(failed(refusal)) : only!.reject(error))
  }
}

function wakeFor(context: ApplyContext, members: readonly Member[]): void {
  if (members.some(({ decision }) => decision.jobs?.length)) context.wake('jobs')
  // An event that changed may be due again, or make room for the next one of its resource.
  const isForRelay = ({ decision }: Member) =>
    decision.events?.length || decision.updates?.some(({ table }) => table === 'events')
  if (members.some(isForRelay)) context.wake('events')
}

/** A transfer of the batch stands in the ledger already. */
function isRepeated(error: unknown): boolean {
  return isSqlError(error) && error.constraint === 'ledger_transfers_pkey'
}

/** What a violated constraint means to the one decision that violated it. */
function constraintRefusal(error: unknown, decision: Decision) {
  if (!isSqlError(error) || !['23505', '23514'].includes(error.code)) return undefined
  const { constraint = '' } = error
  const named = decision.unique?.[constraint]
  if (named) return named === 'stale' ? stale : named
  return raceConstraints.has(constraint) ? stale : undefined
}

/** Violated only when somebody else did the same at the same moment: the facts answer the second time. */
const raceConstraints = new Set([
  'ledger_accounts_covered',
  'ledger_transfers_pkey',
  'ledger_transfers_resolution',
  'idempotency_keys_pkey',
])

/**
 * One transaction: lock, decide in order, write. Balances and counters are first taken for sufficient, which
 * nearly always holds, and transfers for new, so that nothing has to be read before it is written; when the
 * write finds otherwise, nothing has happened yet, and the batch is decided once more with all of it locked
 * and known.
 */
async function commitBatch(
  context: ApplyContext,
  book: Book,
  members: readonly Member[],
): Promise<Applied<unknown>[]> {
  const reads = { balances: members.some(needsBalances), counters: members.some(givesBack) }
  if (reads.balances && reads.counters) return decideAndWrite(context, book, members, reads)
  try {
    return await decideAndWrite(context, book, members, reads)
  } catch (error) {
    if (!isUncovered(error) && !isRepeated(error) && !(error instanceof BalancesNotRead)) throw error
    return decideAndWrite(context, book, members, { balances: true, counters: true })
  }
}

async function decideAndWrite(
  context: ApplyContext,
  book: Book,
  members: readonly Member[],
  reads: Reads,
): Promise<Applied<unknown>[]> {
  const decide = (state: BatchState) => {
    const output = emptyOutput()
    const outcomes = members.map(({ scope, decision }) => {
      const verdict = evaluate(state, decision)
      if (!verdict.accepted) return failed(verdict.failure)
      const { refusal } = decision
      const outcome: Result<unknown, Failure> = refusal ? failed(refusal) : ok(decision.result(verdict.after))
      collect(context.world, output, scope, decision, verdict, outcome)
      return outcome
    })
    return { state, output, outcomes }
  }
  let decided: ReturnType<typeof decide> | undefined
  if (!reads.balances && members.every(({ decision }) => writesCoreRowsOnly(decision))) {
    decided = decide(emptyState())
    await context.database.write(
      book,
      writeCoreRows,
      coreParameters(book, decided.state, decided.output.core),
    )
  } else {
    await context.database.transact(book, async (connection) => {
      const decisions = members.map(({ decision }) => decision)
      decided = decide(await loadState(connection, book, decisions, reads))
      writeOutput(connection, book, decided.state, decided.output)
      return ok(null)
    })
  }
  const { outcomes, output } = decided!
  // Only now: an answer whose transaction was rolled back must be recorded by the one that follows it.
  for (const [recording, stored] of output.answers) recording.stored = stored
  return outcomes
}

/** Holds are resolved, and events that show a balance are rendered, only from balances that are known. */
function needsBalances({ decision: { transfers = [], events = [] } }: Member): boolean {
  return (
    transfers.some(({ pendingId }) => pendingId !== undefined) ||
    events.some(({ data }) => typeof data === 'function')
  )
}

/** A counter never falls below zero, so what it gives back depends on what it stands at. */
function givesBack({ decision: { counts = [] } }: Member): boolean {
  return counts.some(({ addMinor }) => addMinor < 0n)
}

/** One statement is enough then. A member of a decision that is not named here needs more. */
function writesCoreRowsOnly(decision: Decision): boolean {
  for (const [member, value] of Object.entries(decision)) {
    if (!coreMembers.has(member) && Array.isArray(value) && value.length > 0) return false
  }
  return true
}

const coreMembers: ReadonlySet<string> = new Set<keyof Decision>(['transfers', 'events', 'jobs'])

const maxRounds = 6

/**
 * Loads facts, decides, applies; and again when somebody changed the facts in between. The rules see
 * the new state the second time and answer for it.
 */
export async function commit<T>(
  applier: Applier,
  scope: Scope,
  decide: () => Promise<Result<Decision<T>, Failure>>,
): Promise<Result<T, Failure>> {
  for (let round = 0; round < maxRounds; round++) {
    const decision = await decide()
    if (!decision.ok) return decision
    const outcome = await applier.apply(scope, decision.value)
    if (outcome.ok) return outcome
    if (outcome.failure.code !== 'STALE') return failed(outcome.failure as Failure)
  }
  return failed(fail('CONFLICT', { reason: 'CONCURRENT_UPDATE' }))
}
