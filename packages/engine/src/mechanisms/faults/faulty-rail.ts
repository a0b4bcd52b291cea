import type { Instant } from '@corridor/kernel'
import type { RailClient, RailContext, Submission } from '../../ports/rail.ts'
import { TriedAgain } from '../jobs/postpone.ts'
import { type FaultsOfCalls, hitsOfCall } from './calls.ts'
import { type Fault, type FaultKind, type FaultSubject, fits } from './fault.ts'
import type { Faults } from './faults.ts'
import { overlaid } from './overlay.ts'
import { repeated } from './repeated.ts'

/** A payment as its rail knows it. */
type Payment = Parameters<RailClient['fetchPayout']>[0]

/** How soon a rail that says nothing is asked again, on the clock of the book. */
const askAgainMs = 60_000

/** Nothing was asked of the rail, or its answer did not arrive: the step is taken again, with the same id. */
class RailFault extends TriedAgain {
  override readonly name = 'RailFault'
  constructor({ kind, id }: Fault) {
    super(`${kind} on purpose: ${id}`)
  }
}

const refusing: ReadonlySet<FaultKind> = new Set([
  'REFUSED',
  'ERROR',
  'RATE_LIMITED',
  'OUTAGE',
  'PARTIAL_OUTAGE',
])

const lastingKinds: ReadonlySet<FaultKind> = new Set(['OUTCOME', 'SILENCE', 'DELAY', 'REORDER'])
/** An institution that has credited it does not know of a fault here: what goes to an address of UMA ends as it says. */
const mayDecide = (kind: FaultKind, { rail }: Payment) => kind !== 'OUTCOME' || rail !== 'UMA'
const isOfEveryCall = (kind: FaultKind) => refusing.has(kind) || kind === 'LOST_ANSWER'

/** An instruction to a rail, with its context: the side of the payment, its customers and accounts. */
type Told<I> = I & { readonly context: RailContext }

/**
 * A rail as the faults of a book make it appear. The rail itself is asked with the same id and works as ever: what is lost,
 * late or said twice is what the platform hears of it.
 */
export function faultyRail(client: RailClient, faults: FaultsOfCalls & Pick<Faults, 'lasting'>): RailClient {
  async function isFaulty<I extends Payment>(instruction: I): Promise<Told<I> | undefined> {
    const { context } = instruction
    return context && (await faults.inForce(context.scope)) ? { ...instruction, context } : undefined
  }

  async function meet(
    instruction: Told<Payment>,
    isAsked: (kind: FaultKind) => boolean,
  ): Promise<readonly Fault[]> {
    const hits = await hitsOfCall(faults, instruction.context, 'RAIL', isAsked, subjectOf(instruction))
    return hits.map(({ fault }) => fault)
  }

  /** What was decided before about this hand-over: the other of a payment is not meant, even by a fault that fits both. */
  async function decidedOf(instruction: Told<Payment>): Promise<readonly Fault[]> {
    const { scope, side } = instruction.context
    const lasting = await faults.lasting(scope, instruction.transactionId, side)
    return lasting.filter(
      (fault) => mayDecide(fault.kind, instruction) && fits(fault, subjectOf(instruction)),
    )
  }

  /** Submits as often as is said, unless nothing reaches the rail. */
  const submitting =
    <I extends Payment>(ask: (instruction: I, now: Instant) => Promise<Submission>) =>
    async (instruction: I, now: Instant): Promise<Submission> => {
      const told = await isFaulty(instruction)
      if (!told) return ask(instruction, now)
      const before = await decidedOf(told)
      // The submission decides the outcome once. A collection and a payout of one payment are decided separately.
      const met = await meet(
        told,
        (kind) => mayDecide(kind, told) && (before.length === 0 || !lastingKinds.has(kind)),
      )
      throwIfRefused(met)
      const lasting = before.length > 0 ? before : met
      const forced = withOutcome(instruction, lasting)
      const { copies = 2, order } = met.find(({ kind }) => kind === 'DUPLICATE')?.params ?? { copies: 1 }
      const submitted = await repeated(copies, order, () => ask(forced, now))
      throwIfLost(met)
      const silentUntil = silence(instruction, lasting, now)
      if (silentUntil === undefined || submitted.status === 'FAILED') return submitted
      return { ...submitted, checkAt: silentUntil }
    }

  /** What has become of it, or that there is no word of it yet. */
  const fetching =
    <I extends Payment, O extends { readonly status: string }>(
      ask: (instruction: I, now: Instant) => Promise<O>,
    ) =>
    async (instruction: I, now: Instant) => {
      const told = await isFaulty(instruction)
      if (!told) return ask(instruction, now)
      const lasting = await decidedOf(told)
      const met = await meet(told, isOfEveryCall)
      throwIfRefused(met)
      const checkAt = silence(instruction, lasting, now)
      if (checkAt !== undefined) return { status: 'ACCEPTED', checkAt } as const
      const outcome = await ask(withOutcome(instruction, lasting), now)
      throwIfLost(met)
      const returnAt = lateReturn(instruction, lasting)
      if (returnAt === undefined || outcome.status !== 'SETTLED') return outcome
      return now >= returnAt ? ({ status: 'RETURNED' } as const) : { ...outcome, checkAt: returnAt }
    }

  return overlaid(client, {
    submitPayout: (ask) => submitting(ask),
    fetchPayout: (ask) => fetching(ask) as typeof ask,
    submitPull: (ask) => ask && submitting(ask),
    fetchPull: (ask) => ask && (fetching(ask) as typeof ask),
    requestCancel: (ask) =>
      ask &&
      (async (instruction, now) => {
        const told = await isFaulty(instruction)
        if (!told) return ask(instruction, now)
        const lasting = await decidedOf(told)
        const met = await meet(told, isOfEveryCall)
        throwIfRefused(met)
        if (silence(instruction, lasting, now) !== undefined) return false
        const isStopped = await ask(withOutcome(instruction, lasting), now)
        throwIfLost(met)
        return isStopped
      }),
  })
}

function subjectOf({
  transactionId: id,
  rail: railId,
  amountMinor: amount,
  context: { customerIds, accountIds, side },
}: Told<Payment>): FaultSubject {
  return { id, railId, amount, customerIds, accountIds, side }
}

function throwIfRefused(met: readonly Fault[]): void {
  const refusal = met.find(({ kind }) => refusing.has(kind))
  if (refusal) throw new RailFault(refusal)
}

function throwIfLost(met: readonly Fault[]): void {
  const loss = met.find(({ kind }) => kind === 'LOST_ANSWER')
  if (loss) throw new RailFault(loss)
}

/** Until when nothing is heard of it; undefined: it is. */
function silence({ submittedAt }: Payment, lasting: readonly Fault[], now: Instant): Instant | undefined {
  if (lasting.some(({ kind }) => kind === 'SILENCE')) return now + askAgainMs
  const delay = lasting.find(({ kind }) => kind === 'DELAY')
  const delayed = submittedAt + (delay?.params.seconds ?? 0) * 1000
  const until = Math.max(delayed, ...lasting.map(({ silentUntil = 0 }) => silentUntil))
  return now < until ? until : undefined
}

/** The ending that decides in the sandbox, on any account. */
function withOutcome<I extends Payment>(instruction: I, lasting: readonly Fault[]): I {
  const { outcome, seconds } = lasting.find(({ kind }) => kind === 'OUTCOME')?.params ?? {}
  if (outcome === undefined) return instruction
  // A return that has a time of its own is told here; until then the payment succeeds.
  return { ...instruction, primaryId: seconds === undefined ? `0000${outcome}` : '0000000' }
}

function lateReturn({ submittedAt }: Payment, lasting: readonly Fault[]): Instant | undefined {
  const { seconds } = lasting.find(({ kind }) => kind === 'OUTCOME')?.params ?? {}
  return seconds === undefined ? undefined : submittedAt + seconds * 1000
}
