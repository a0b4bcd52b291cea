import { assert, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadOwnedInternalAccount } from '../../platform/internal-accounts/index.ts'
import type { Failure } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { collectionOf, decideCollectionOutcome } from './collections.ts'
import { instructionFor } from './rail-calls.ts'
import { type Step, type StepFacts, waitUntil } from './step.ts'
import { loadSuspenseItem } from './suspense-store.ts'

/** Asks the bank about a collection that has settled, and decides what that comes to. */
export async function takeCollectionStep(
  engine: Engine,
  scope: Scope,
  facts: StepFacts,
): Promise<Result<Step, Failure>> {
  const { transaction, now } = facts
  const collection = collectionOf(transaction)
  if (!collection || collection.returnedAt !== undefined) return ok(waitUntil(facts, undefined))
  const { rail, instruction } = await instructionFor(engine, scope, transaction, 'PULL')
  assert(rail.fetchPull, 'a rail that is pulled from declares so')
  const outcome = await rail.fetchPull(instruction, now)
  return ok(decideCollectionOutcome({ ...facts, ...(await whereRefundIs(engine, scope, facts)) }, outcome))
}

/** Where the money is that was given back, or was to be. */
async function whereRefundIs({ database }: Engine, scope: Scope, { transaction, accounts }: StepFacts) {
  const { refund, ownerId, sentCurrency, flow } = transaction
  const { refundRoute } = flow
  const suspended =
    refund?.status === 'FAILED' ? await loadSuspenseItem(database, scope, transaction.id) : undefined
  const isGiven = refund?.status === 'COMPLETED' || suspended?.status === 'CREDITED'
  if (!isGiven || !sentCurrency) return { suspended, refundedTo: undefined }
  const named =
    refundRoute?.kind === 'INTERNAL' ? accounts.find(({ id }) => id === refundRoute.accountId) : undefined
  if (named) return { suspended, refundedTo: named }
  // What waited in suspense was given to the account that its owner has by now.
  const refundedTo = await loadOwnedInternalAccount(database, scope, ownerId, sentCurrency)
  return { suspended, refundedTo, ...(refundedTo ? { accounts: [...accounts, refundedTo] } : {}) }
}
