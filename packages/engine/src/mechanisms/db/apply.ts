import { failed, type Instant, ok, type Result } from '@corridor/kernel'
import {
  type Applied,
  ContradictoryFacts,
  type Decision,
  stale,
  type Update,
} from '../../vocabulary/decision.ts'
import { type Failure, outOfRange, passingConflict } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import { type Book, bookKey, type Scope, type SilentScope } from '../../vocabulary/scope.ts'
import { changedBy } from '../../vocabulary/sequence.ts'
import type { Words } from '../../vocabulary/words.ts'
import { availableOf, isOfHolder, mustNotGoNegative } from '../ledger/chart.ts'
import { DatabaseUnavailable } from './availability.ts'
import { collect, emptyOutput, type Output, writeOutput } from './batch-output.ts'
import { loadState, type Reads, takenForGranted } from './batch-state.ts'
import { latestChange } from './changes.ts'
import {
  coreParameters,
  type EventRow,
  isFrozen,
  isMistaken,
  isOvertaken,
  isUncovered,
  writeCoreRows,
} from './core-rows.ts'
import type { Database } from './database.ts'
import { isSqlError, type Statement } from './driver.ts'
import { type BatchState, evaluate, lastChange, NotRead, rowKey } from './evaluate.ts'
import { requireGuards } from './guards.ts'
import { createKnownBalances, type KnownBalances } from './known-balances.ts'
import { createLanes, type Waiting } from './lanes.ts'
import { isForAll, NotCommitted, OutcomeUnknown } from './outcome.ts'
import { isOutdated, reliedRows, requireRelied } from './relied.ts'
import { createRowTurns, type RowTurns } from './row-turns.ts'
import { leavesWitness, numberOf, type TransactionNumber, type Witness, wasWritten } from './witness.ts'

/** What apply needs of the engine. */
export interface ApplyContext {
  readonly database: Database
  readonly world: {
    now(): Instant
    uuid(): string
    id(kind: 'Webhook'): string
    sleep(ms: number): Promise<void>
    asHere?(): <T>(work: () => T) => T
  }
  /** What the clock of a book shows, where that is known without being read; absent: what its decisions count as now. */
  readonly clockOf?: (book: Book) => Instant | undefined
  /** Called after a commit that left work for the background loops. */
  readonly wake: (what: 'jobs' | 'events') => void
  /** Seals what is written of people; absent: it is written as it is. */
  readonly sealWritten?: SealWritten
  /** Takes on what a decision begins, so that nobody has to look for it (jobs/runner.ts); absent: nobody does. */
  readonly adopt?: (scope: Scope, decision: Decision) => Adopted | undefined
}

/**
 * Seals the bodies of events and the words of rows in their place. `newKeys` are rows of data keys that the same
 * transaction writes; `ask` reads in it, or just before it. Undefined where nothing has to be asked.
 */
export interface SealWritten {
  (
    book: Book,
    written: { readonly events: readonly EventRow[]; readonly words: readonly Words[] },
    newKeys: readonly NewDataKey[],
    ask: <R>(statement: Statement, parameters: readonly unknown[]) => Promise<R[]>,
  ): Promise<void> | undefined
  /** The keys of these owners have been destroyed: what is written from now on is not sealed with them. */
  forget(book: Book, ownerIds: readonly string[]): void
}

/** A key of an owner that is about to be written. */
export interface NewDataKey {
  readonly ownerId: string
  readonly sealedKey: string
}

/** A decision with the jobs that were taken on, and what becomes of them once it is committed, or is not. */
export interface Adopted {
  readonly decision: Decision
  begin(): void
  leave(): void
}

export interface Applier {
  /**
   * Commits a decision whole or not at all. Decisions of one book that arrive while a batch is in flight
   * form the next batch and share its transaction; each is decided in order and refused on its own. What is
   * recorded under an idempotency key is the value of the decision, so there it has to be an answer.
   */
  apply<T>(scope: SilentScope, decision: Decision<T>): Promise<Applied<T>>
  apply(scope: Scope, decision: Decision<Reply>): Promise<Applied<Reply>>
  readonly turns: RowTurns
}

const maxBatch = 512
/** How many decisions of one book may wait for their batch: some seconds of the fastest book. */
const maxWaiting = 20 * maxBatch

/** A second batch decides while the first waits for the disk. PGlite has one connection to use. */
const lanesOf = { postgresql: 2, pglite: 1 } as const

interface Member extends Waiting {
  readonly scope: Scope
  readonly decision: Decision
  /** What a decision draws by chance is its own, in whichever batch it is. */
  readonly asItself: <T>(work: () => T) => T
  readonly settle: (outcome: Applied<unknown>) => void
  readonly reject: (error: unknown) => void
}

/** Decisions of one book that are committed together. */
interface Batch {
  readonly context: ApplyContext
  readonly book: Book
  readonly balances: KnownBalances
  readonly members: readonly Member[]
}

export function createApplier(context: ApplyContext): Applier {
  const books = new Map<string, ReturnType<typeof createLanes<Member>>>()
  const balances = createKnownBalances()

  function lanesFor({ platformId, environment }: Book) {
    // Without the actor: a batch has many, and each decided on what it may see.
    const book = { platformId, environment }
    const key = bookKey(book)
    let known = books.get(key)
    if (!known) {
      known = createLanes<Member>({
        lanes: lanesOf[context.database.kind],
        maxBatch,
        worthALane: maxBatch / 16,
        run: (members) => applyBatch({ context, book, balances, members }),
        onIdle: () => books.delete(key),
      })
      books.set(key, known)
    }
    return known
  }

  return {
    turns: createRowTurns(),
    apply<T>(scope: Scope, decision: Decision<T>): Promise<Applied<T>> {
      return new Promise((resolve, reject) => {
        const lanes = lanesFor(scope)
        if (lanes.waiting() >= maxWaiting) throw new DatabaseUnavailable('BUSY', 'too many changes wait')
        const adopted = context.adopt?.(scope, decision)
        const guarded = whileActorStays(scope, adopted?.decision ?? decision)
        lanes.add({
          scope,
          decision: guarded,
          asItself: context.world.asHere?.() ?? ((work) => work()),
          ...rowsOf(guarded),
          settle(outcome) {
            if (outcome.ok) adopted?.begin()
            else adopted?.leave()
            resolve(outcome as Applied<T>)
          },
          reject(error) {
            adopted?.leave()
            reject(error)
          },
        })
      })
    },
  }
}

/**
 * What an actor was admitted for has to hold when its decision is committed, whatever it decided. Deciding again admits
 * nobody anew, and would only keep waiting whoever changed the actor.
 */
function whileActorStays<T>({ actor }: Scope, decision: Decision<T>): Decision<T> {
  if (!actor.while) return decision
  const admitted = { ...actor.while, orElse: passingConflict('CONCURRENT_UPDATE') }
  return { ...decision, requires: [admitted, ...(decision.requires ?? [])] }
}

/**
 * Verdicts depend on guarded rows, on transfers that may be there already, and on the accounts that pay.
 * An account that is paid only gains by it: a fee account gets its share from all lanes at once, unless somebody is told
 * what stands in it then. What is only required stays as it is, so those who require it may overlap as well.
 */
function rowsOf(decision: Decision): Waiting {
  const touches: string[] = []
  const adds: string[] = []
  const told = decision.events?.some(({ data }) => typeof data === 'function') ? touches : adds
  for (const { table, id } of decision.updates ?? []) touches.push(rowKey(table, id))
  for (const { table, id } of decision.requires ?? []) adds.push(rowKey(table, id))
  for (const { id, pendingId, debit, credit } of decision.transfers ?? []) {
    touches.push(id)
    if (pendingId) touches.push(pendingId)
    if (mustNotGoNegative(debit)) touches.push(debit)
    if (mustNotGoNegative(credit)) told.push(credit)
  }
  for (const { id } of decision.changes ?? []) touches.push(availableOf(id))
  return { touches, adds }
}

/** Resolves with what tells the members how it went. */
async function applyBatch(batch: Batch): Promise<() => void> {
  const { context, members } = batch
  try {
    const outcomes = await commitSurely(batch)
    return () => {
      for (const [index, member] of members.entries()) member.settle(outcomes[index]!)
      wakeFor(context, members)
    }
  } catch (error) {
    const [only] = members
    if (members.length > 1 && !isForAll(error)) {
      // One member broke the statement for all. Halves find it in few transactions and keep the order.
      const half = Math.ceil(members.length / 2)
      const tellFirst = await applyBatch({ ...batch, members: members.slice(0, half) })
      const tellSecond = await applyBatch({ ...batch, members: members.slice(half) })
      return () => {
        tellFirst()
        tellSecond()
      }
    }
    const refusal = members.length === 1 ? constraintRefusal(error, only!.decision) : undefined
    return () => {
      if (refusal) only!.settle(failed(refusal))
      else for (const { reject } of members) reject(error)
    }
  }
}

function wakeFor(context: ApplyContext, members: readonly Member[]): void {
  // Whoever owns a job runs it himself.
  if (members.some(({ decision }) => decision.jobs?.some(({ owner }) => !owner))) context.wake('jobs')
  // One that was attempted is known to whoever attempted it, who also goes on with the next of its resource.
  const isDueAgain = ({ table, set }: Update) => table === 'events' && set.due_at !== null
  const isForRelay = ({ decision }: Member) => decision.events?.length || decision.updates?.some(isDueAgain)
  if (members.some(isForRelay)) context.wake('events')
}

/** A transfer of the batch stands in the ledger already. */
function isRepeated(error: unknown): boolean {
  return isSqlError(error) && error.constraint === 'ledger_transfers_pkey'
}

/** Of PostgreSQL: a number that its column cannot hold. */
const numberOutOfRange = '22003'

/** What a violated constraint means to the one decision that violated it. */
function constraintRefusal(error: unknown, decision: Decision) {
  if (!isSqlError(error)) return undefined
  // What has ever come to an account of the service, or left it, is more than a column holds.
  const [moved] = decision.transfers ?? []
  if (error.code === numberOutOfRange && moved) return outOfRange(moved.currency, { reason: 'LEDGER' })
  if (!['23505', '23514'].includes(error.code)) return undefined
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

/** Nothing happened, so it may be decided again: a connection that was cut is not the end of its work. */
async function commitSurely(batch: Batch): Promise<Applied<unknown>[]> {
  try {
    return await commitBatch(batch)
  } catch (error) {
    if (!(error instanceof NotCommitted)) throw error
    return commitBatch(batch)
  }
}

/**
 * One transaction. First everything is taken for granted: rows are as the decisions need them, balances and counters
 * sufficient or as this process left them, jobs those of their workers, facts those of before, and transfers new. So it
 * is decided before it begins, and what has to be true for it is a condition of the write: no lock is held while Node takes
 * its turn. When the write finds otherwise, nothing has happened yet, and the batch is decided once more with all of it
 * locked and known. What can be decided only from what stands there is read at once.
 */
async function commitBatch(batch: Batch): Promise<Applied<unknown>[]> {
  const { members } = batch
  const reads = {
    balances: members.some(needsBalances),
    counters: members.some(givesBack),
    claims: false,
    relied: false,
  }
  const isGranted = !reads.counters && members.some(mayLeaveWitness)
  try {
    if (isGranted && members.every((member) => isKnown(batch, member)))
      return await takeForGranted(batch, reads)
    return await readAndWrite(batch, reads)
  } catch (error) {
    if (!wasTakenForGranted(error)) throw error
  }
  const all = { balances: true, counters: true, claims: true, relied: true }
  try {
    return await readAndWrite(batch, all)
  } catch (error) {
    if (!isMistaken(error) && !isOpened(error)) throw error
    return readAndWrite(batch, all)
  }
}

/** Another transaction opened a ledger account at the same moment. It could not be locked before it was there. */
function isOpened(error: unknown): boolean {
  return isSqlError(error) && error.constraint === 'ledger_accounts_pkey'
}

function wasTakenForGranted(error: unknown): boolean {
  if (isUncovered(error) || isMistaken(error) || isOvertaken(error) || isOutdated(error)) return true
  if (isFrozen(error)) return true
  return isRepeated(error) || isOpened(error) || error instanceof NotRead
}

/** What a batch would write, and what its members are told. */
interface Decided {
  readonly state: BatchState
  readonly output: Output
  readonly outcomes: Applied<unknown>[]
}

function decide({ context, book, members }: Batch, state: BatchState): Decided {
  const output = emptyOutput()
  const now = Math.max(context.clockOf?.(book) ?? 0, ...members.map(({ scope }) => scope.now))
  state.latestChange = latestChange(now)
  const outcomes = members.map(({ scope, decision, asItself }) => {
    const verdict = evaluate(state, decision, scope.now)
    if (!verdict.accepted) return failed(verdict.failure)
    const { refusal } = decision
    const outcome: Result<unknown, Failure> = refusal ? failed(refusal) : ok(decision.result(verdict.after))
    asItself(() => collect(context.world, output, scope, decision, verdict, outcome))
    return outcome
  })
  return { state, output, outcomes }
}

function seal({ context, book }: Batch, { output }: Decided, ask: Parameters<SealWritten>[3]) {
  const { core, words, inserts } = output
  if (core.events.length === 0 && words.length === 0) return undefined
  const newKeys = (inserts.get('data_keys false')?.rows ?? []).map(({ owner_id, sealed_key }) => ({
    ownerId: owner_id as string,
    sealedKey: sealed_key as string,
  }))
  return context.sealWritten?.(book, { events: core.events, words }, newKeys, ask)
}

/** Decides, then writes in one packet what must be true for it and what follows. */
async function takeForGranted(batch: Batch, reads: Reads): Promise<Applied<unknown>[]> {
  const { context, book, members, balances } = batch
  const decisions = members.map(({ decision }) => decision)
  const isCoreOnly = decisions.every(writesCoreRowsOnly)
  const known = (account: string) => balances.of(book, account)
  const decided = decide(batch, takenForGranted(known))
  const { state, output } = decided
  // Whether it was written is told by these, should the acknowledgement be lost; there is no number to ask for.
  if (!isCoreOnly && !leavesWitness(output)) return readAndWrite(batch, reads)
  await seal(batch, decided, (...asked) => context.database.read(book, ...asked))
  const write = async () => {
    if (isCoreOnly) {
      await context.database.write(book, writeCoreRows, coreParameters(book, state, output.core))
      return
    }
    await context.database.transact(book, async (connection) => {
      const updated = new Set(
        decisions.flatMap(({ updates = [], requires = [] }) =>
          [...updates, ...requires.filter(({ inTurn }) => inTurn)].map(({ table }) => table),
        ),
      )
      requireGuards(connection, book, state.guards!, (table) => updated.has(table))
      const relied = reliedRows(decisions)
      if (relied.size > 0) requireRelied(connection, book, relied)
      writeOutput(connection, book, state, output)
      return ok(null)
    })
  }
  try {
    await write()
  } catch (error) {
    const consulted = state.consulted.keys()
    if (isMistaken(error)) balances.mistrust(book, consulted)
    else balances.forget(book, consulted)
    await mustBeWritten(batch, { output }, error)
  }
  return told(batch, decided)
}

/** Locks, decides in order, writes. */
async function readAndWrite(batch: Batch, reads: Reads): Promise<Applied<unknown>[]> {
  const { context, book, members, balances } = batch
  const decisions = members.map(({ decision }) => decision)
  let decided: Decided | undefined
  let transaction: TransactionNumber | undefined
  try {
    await context.database.transact(book, async (connection) => {
      // In the packet that is waited for in any case.
      const hasRows = decisions.some(({ updates, requires }) => updates?.length || requires?.length)
      const [state, number] = await Promise.all([
        loadState(connection, book, decisions, reads),
        connection.pipelines && hasRows ? numberOf(connection) : undefined,
      ])
      transaction = number
      decided = decide(batch, state)
      const sealing = seal(batch, decided, (...asked) => connection.query(...asked))
      if (sealing) await sealing
      const relied = reads.relied ? undefined : reliedRows(decisions)
      if (relied && relied.size > 0) requireRelied(connection, book, relied)
      writeOutput(connection, book, state, decided.output)
      return ok(null)
    })
  } catch (error) {
    if (!decided) throw error
    balances.forget(book, decided.state.consulted.keys())
    await mustBeWritten(batch, { transaction, output: decided.output }, error)
  }
  return told(batch, decided!)
}

/** Returns where a write whose acknowledgement is lost took place after all, and throws what is known otherwise. */
async function mustBeWritten({ context, book }: Batch, witness: Witness, error: unknown): Promise<void> {
  if (!(error instanceof OutcomeUnknown)) throw error
  // Decided again it would meet what it did itself, and call that a conflict.
  const isWritten = await readOutcome(context, book, witness, error)
  if (isWritten === undefined) throw error
  if (!isWritten) throw new NotCommitted(error.cause)
}

/** Once it is committed. */
function told({ context, book, balances }: Batch, { state, output, outcomes }: Decided): Applied<unknown>[] {
  balances.learn(book, { ...state, lastChange: (account) => lastChange(state, account) })
  const destroyed = output.deletes.get('data_keys')
  if (destroyed) {
    context.sealWritten?.forget(
      book,
      destroyed.map((key) => key.owner_id as string),
    )
  }
  // Only now: an answer whose transaction was rolled back must be recorded by the one that follows it.
  for (const [recording, stored] of output.answers) recording.stored = stored
  for (const note of output.notes) note.isWritten = true
  return outcomes
}

const readAttempts = 4
const readPauseMs = 200

/** What became of a batch whose acknowledgement is lost; undefined while that cannot be read. */
async function readOutcome(
  { database, world }: ApplyContext,
  book: Book,
  witness: Witness,
  { isOver }: OutcomeUnknown,
): Promise<boolean | undefined> {
  for (let attempt = 1; ; attempt++) {
    try {
      await isOver()
      const server = database.server()
      const isWritten = await wasWritten(database, book, witness)
      // The end of its session may have made a commit visible that no standby has.
      if (isWritten) await database.confirm(server)
      return isWritten
    } catch {
      if (attempt === readAttempts) return undefined
      await world.sleep(readPauseMs)
    }
  }
}

/** Holds are resolved, and balances shown, only from what is known. */
function needsBalances({ decision: { transfers = [], events = [], changes = [] } }: Member): boolean {
  return (
    changes.length > 0 ||
    transfers.some(({ pendingId }) => pendingId !== undefined) ||
    events.some(({ data }) => typeof data === 'function')
  )
}

/** Whether it is known without being read. */
function isKnown({ book, balances }: Batch, member: Member): boolean {
  const { transfers = [], changes = [] } = member.decision
  if (!needsBalances(member)) return true
  if (changes.length > 0 || transfers.some(({ pendingId }) => pendingId !== undefined)) return false
  const shown = transfers.flatMap(({ debit, credit }) => [debit, credit]).filter(isOfHolder)
  const accounts = [...shown, ...changedBy(member.decision).map(availableOf)]
  // All are looked at, because each that has to be read for a while is read this once.
  return accounts.filter((account) => !balances.of(book, account)).length === 0
}

/** Whether its rows tell by themselves that it was written; what is nothing but core rows needs no more than their statement. */
function mayLeaveWitness({ scope, decision }: Member): boolean {
  const { events = [], transfers = [] } = decision
  return events.length + transfers.length > 0 || scope.recording !== undefined || writesCoreRowsOnly(decision)
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

/**
 * How often a decision that lost its row is made again in its turn. Only those who ask for the first time and other
 * processes can still come before it, and each time one of them is through.
 */
const maxRounds = 40

/**
 * Loads facts, decides, applies; and again when somebody changed the facts in between. The rules see
 * the new state the second time and answer for it. From then on those who change the same row take turns.
 */
export function commit<T>(
  applier: Applier,
  scope: SilentScope,
  decide: () => Promise<Result<Decision<T>, Failure>>,
): Promise<Result<T, Failure>>
export function commit(
  applier: Applier,
  scope: Scope,
  decide: () => Promise<Result<Decision<Reply>, Failure>>,
): Promise<Result<Reply, Failure>>
export async function commit(
  applier: Applier,
  scope: Scope,
  decide: () => Promise<Result<Decision<Reply>, Failure>>,
): Promise<Result<Reply, Failure>> {
  let contested: readonly string[] = []
  /** Undefined when the facts had changed. */
  const attempt = async (): Promise<Result<Reply, Failure> | undefined> => {
    const decision = await fromOneMoment(decide)
    if (!decision.ok) return decision
    const outcome = await applier.apply(scope, decision.value)
    if (outcome.ok) return outcome
    if (outcome.failure.code !== 'STALE') return failed(outcome.failure as Failure)
    contested = contestedBy(decision.value).map((key) => `${bookKey(scope)} ${key}`)
    return undefined
  }
  const first = await attempt()
  if (first) return first
  return applier.turns.take(contested, async () => {
    for (let round = 1; round <= maxRounds; round++) {
      const answer = await attempt()
      if (answer) return answer
    }
    return failed(passingConflict('CONCURRENT_UPDATE'))
  })
}

/** How often facts may contradict each other before it is their own fault. */
const maxReads = 3

async function fromOneMoment<T>(decide: () => Promise<T>): Promise<T> {
  for (let reads = 1; ; reads++) {
    try {
      return await decide()
    } catch (error) {
      if (!(error instanceof ContradictoryFacts) || reads === maxReads) throw error
    }
  }
}

/** What the decision may have lost to others: the rows it relied on, or else the place of a new one. */
function contestedBy({ updates = [], requires = [], inserts = [], relies }: Decision<unknown>): string[] {
  const rows = [...updates, ...requires].map(({ table, id }) => rowKey(table, id))
  if (rows.length > 0) return rows
  // Nobody has to be waited for where only facts were known: what has changed is read the next time.
  return relies ? [] : inserts.map(({ table }) => table)
}
