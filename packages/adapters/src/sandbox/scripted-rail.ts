import type {
  DecidedOutcome,
  PayoutInstruction,
  PayoutOutcome,
  PullInstruction,
  PullOutcome,
  RailClient,
  Submission,
} from '@corridor/engine/ports/rail.ts'
import type { Instant } from '@corridor/kernel'
import {
  magicSuffix,
  outcomeOf,
  quoteOutcomes,
  type ScriptedOutcome,
  transferOutcomes,
  umaUsers,
} from './outcomes.ts'

/**
 * A rail whose outcome stands in the account number. It keeps no state: what has become of a payment
 * follows from its identifier, when it was submitted and what time it is now, so the simulated clock
 * skips every delay.
 */
export function scriptedRail({ stepMs }: { stepMs: number }): RailClient {
  /** When the next step shows, so that a caller who polls can see each of them. */
  const next = (instruction: { isImmediate: boolean }, now: Instant) =>
    instruction.isImmediate ? now : now + stepMs

  return {
    async submitPayout(payout, now) {
      return submit(payoutScript(payout), payout, now)
    },
    async fetchPayout(payout, now): Promise<PayoutOutcome> {
      const script = payoutScript(payout)
      const waiting = stillWaiting(script, payout, now)
      if (waiting) return waiting
      if (script.isCancelled) return { status: 'CANCELLED' }
      if (script.failsAs) return failure(script)
      if (script.returnsAfterMs !== undefined) {
        // The return is counted from delivery, which one step after submission has happened.
        const returnAt = payout.submittedAt + 2 * stepMs + script.returnsAfterMs
        return now >= returnAt ? { status: 'RETURNED' } : { status: 'SETTLED', checkAt: returnAt }
      }
      return { status: 'SETTLED' }
    },
    async submitPull(pull, now) {
      return submit(outcomeOf(transferOutcomes, pull.primaryId), pull, now)
    },
    async fetchPull(pull, now): Promise<PullOutcome> {
      const script = outcomeOf(transferOutcomes, pull.primaryId)
      const waiting = stillWaiting(script, pull, now)
      if (waiting) return waiting
      return script.failsAs ? failure(script) : { status: 'SETTLED' }
    },
    async requestCancel() {
      return true
    },
    decides: decidedOutcome,
  }

  function submit(script: ScriptedOutcome, instruction: PullInstruction, now: Instant): Submission {
    if (script.refusedAs) return { status: 'FAILED', reason: script.refusedAs }
    const checkAt =
      script.delayMs === undefined ? next(instruction, now) : instruction.submittedAt + script.delayMs
    return { status: script.isAccepted === false ? 'PENDING' : 'ACCEPTED', checkAt }
  }
}

function payoutScript(payout: Pick<PayoutInstruction, 'rail' | 'primaryId' | 'flow'>): ScriptedOutcome {
  if (payout.rail === 'UMA') return umaScript(payout.primaryId)
  return outcomeOf(payout.flow === 'QUOTE' ? quoteOutcomes : transferOutcomes, payout.primaryId)
}

/** The simulated institution knows its users by name (accounts 12.5). */
function umaScript(umaAddress: string): ScriptedOutcome {
  const [user = ''] = umaAddress.slice(1).split('@')
  const { meaning = 'completes', delayMs, isRefused } = umaUsers[user] ?? {}
  return {
    meaning,
    ...(delayMs === undefined ? {} : { delayMs, isAccepted: true }),
    ...(isRefused ? { failsAs: 'COMPLIANCE_REJECTED' as const } : {}),
  }
}

function decidedOutcome(
  instruction: Pick<PullInstruction, 'rail' | 'primaryId' | 'flow'>,
  side: 'PAYOUT' | 'PULL',
): DecidedOutcome | undefined {
  const { primaryId, rail } = instruction
  const script = side === 'PULL' ? outcomeOf(transferOutcomes, primaryId) : payoutScript(instruction)
  const failsAs = script.refusedAs ?? script.failsAs
  const isReturned = script.returnsAfterMs !== undefined
  const isCancelled = script.isCancelled === true
  // One that is paid at once is paid as everywhere.
  if (!failsAs && !isReturned && !isCancelled && script.delayMs === undefined) return undefined
  return {
    by: rail === 'UMA' ? 'the name of the UMA address' : `the account ends in ${magicSuffix(primaryId)}`,
    meaning: script.meaning,
    ...(failsAs ? { failsAs } : {}),
    isReturned,
    isCancelled,
  }
}

function stillWaiting(script: ScriptedOutcome, instruction: PullInstruction, now: Instant) {
  const until = instruction.submittedAt + (script.delayMs ?? 0)
  if (now >= until) return undefined
  return { status: script.isAccepted === false ? 'PENDING' : 'ACCEPTED', checkAt: until } as const
}

function failure(script: ScriptedOutcome) {
  return {
    status: 'FAILED',
    reason: script.failsAs!,
    ...(script.isTimeout ? { isTimeout: true as const } : {}),
    ...(script.isRefundImpossible ? { isRefundImpossible: true as const } : {}),
  } as const
}
