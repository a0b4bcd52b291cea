import { ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import {
  loadInternalAccount,
  platformOwner,
  replaySuspense,
  replaySuspenseKind,
} from '../../platform/internal-accounts/index.ts'
import { decideReplay } from './suspense.ts'
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
    // What came for a customer who is deleted waits for the operator; refunds go where they belong.
    const kinds = customer?.deletedAt ? (['REFUND'] as const) : (['DEPOSIT', 'REFUND'] as const)
    const [item, next] = await loadWaiting(engine.database, scope, internalAccountId, kinds)
    if (!item) return ok({ result: () => undefined })
    const platformCustomerId = customer?.platformCustomerId ?? platformOwner
    return ok({
      ...decideReplay(scope, item, account, platformCustomerId),
      jobs: next ? [replaySuspense(internalAccountId)] : [],
    })
  },
})
