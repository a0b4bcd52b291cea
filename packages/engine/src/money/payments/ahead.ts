import { ok, type Result } from '@corridor/kernel'
import { ledgerAccount } from '../../mechanisms/ledger/accounts.ts'
import { type InternalAccount, withReceivableAfter } from '../../platform/internal-accounts/index.ts'
import type { NewJob, Transfer } from '../../vocabulary/decision.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import { effectOf, inSequence } from '../../vocabulary/sequence.ts'
import { decideWithin } from './internal-steps.ts'
import { type Step, type StepFacts, stepKind } from './step.ts'

/** More than any payment takes; a rail that always says "ask again now" is left to the jobs. */
const maxStepsAhead = 8

/**
 * A step together with those after it that are due at once, as one decision: what needs no waiting is written once,
 * with the answer it comes to. `take` is asked for the next step from what the one before it leaves; where it has
 * none, or cannot tell, what has been decided stands, and the job of that step goes on from there.
 */
export async function withStepsDueNow<T extends Step>(
  first: T,
  facts: Omit<StepFacts, 'transaction'>,
  take: (facts: StepFacts) => Promise<Result<Step, Failure> | undefined>,
): Promise<T> {
  let taken: Step = first
  for (let count = 1; count < maxStepsAhead; count++) {
    const left: readonly NewJob[] = taken.jobs ?? []
    const due = left.find((job) => job.kind === stepKind && job.key === taken.leaves.id)
    if (!due || (due.runAt ?? facts.now) > facts.now) break
    const accounts = facts.accounts.map((account) => accountAfter(account, taken.transfers ?? []))
    const next = await take({ ...facts, transaction: taken.leaves, accounts })
    if (!next?.ok || !next.value.updates?.length) break
    const { leaves } = next.value
    const before = { ...taken, jobs: left.filter((job) => job !== due) }
    taken = { ...taken, ...inSequence(before, { ...next.value, result: taken.result }), leaves }
  }
  return taken as T
}

/**
 * The beginning of a payment together with the steps that take nobody outside and are due at once: a payment between
 * accounts of ours ends in the commit it begins with.
 */
export async function withStepsWithin<T extends Step>(
  begun: T,
  facts: Omit<StepFacts, 'transaction'>,
): Promise<T> {
  return withStepsDueNow(begun, facts, async (next) => {
    const step = decideWithin(next)
    return step && ok(step)
  })
}

function accountAfter(account: InternalAccount, transfers: readonly Transfer[]): InternalAccount {
  const { spendable, held } = effectOf(transfers, ledgerAccount.available(account.id))
  return {
    ...withReceivableAfter(account, transfers),
    availableMinor: account.availableMinor + spendable,
    heldMinor: account.heldMinor + held,
  }
}
