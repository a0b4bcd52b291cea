import { assert, ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import {
  loadInternalAccount,
  platformOwner,
  replaySuspense,
  replaySuspenseKind,
} from '../../platform/internal-accounts/index.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { loadStepFacts } from './jobs.ts'
import { decideSuspendedCredit } from './pull-steps.ts'
import type { StepFacts } from './step.ts'
import { loadTransaction } from './store.ts'
import { decideReplay, type SuspenseItem } from './suspense.ts'
import { loadWaiting } from './suspense-store.ts'

/**
 * Credits what waits in suspense for an account that became active: one item at a time, so that each has its
 * own journal and the balance of its event is the one after it. Frozen again, the rest goes on waiting.
 */
export const replaySuspenseItems = jobHandler<{ internalAccountId: string }>({
  kind: replaySuspenseKind,
  async run(engine, scope, { internalAccountId }) {
    const account = await loadInternalAccount(engine.database, scope, internalAccountId)
    if (account?.status !== 'ACTIVE') return ok({ result: () => undefined })
    const customer =
      account.ownerId === platformOwner ? undefined : await loadCustomer(engine, scope, account.ownerId)
    // What came for a customer who is deleted waits for the operator; payments under way settle, and refunds are given.
    const kinds = customer?.deletedAt
      ? (['PULL', 'REFUND'] as const)
      : (['DEPOSIT', 'PULL', 'REFUND'] as const)
    const [item, next] = await loadWaiting(engine.database, scope, internalAccountId, kinds)
    if (!item) return ok({ result: () => undefined })
    const decision =
      item.kind === 'PULL'
        ? decideSuspendedCredit(await pullFacts(engine, scope, item), scope.actor.id)
        : decideReplay(scope, item, account, customer?.platformCustomerId ?? platformOwner)
    return ok({
      ...decision,
      jobs: [...(decision.jobs ?? []), ...(next ? [replaySuspense(internalAccountId)] : [])],
    })
  },
})

async function pullFacts(engine: Engine, scope: Scope, { id }: SuspenseItem): Promise<StepFacts> {
  const transaction = await loadTransaction(engine, scope, id)
  assert(transaction, 'a pull in suspense has a transaction')
  return loadStepFacts(engine, scope, transaction)
}
