import { assert } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import { takeCollectionStep } from './collection-steps.ts'
import { loadStepFacts } from './jobs.ts'
import { collectionKind } from './step.ts'
import { loadTransaction } from './store.ts'

/**
 * Watches a collection for as long as its bank may take it back, whatever becomes of the payment meanwhile. A bank that cannot be
 * asked for hours may take it back all the same, so the watch is not given up (GET /operator/stuck lists it).
 */
export const watchCollections = jobHandler<{ transactionId: string }>({
  kind: collectionKind,
  maxAttempts: Number.POSITIVE_INFINITY,
  async run(engine, scope, { transactionId }) {
    const transaction = await loadTransaction(engine, scope, transactionId)
    assert(transaction, 'a collection has a transaction')
    return takeCollectionStep(engine, scope, await loadStepFacts(engine, scope, transaction))
  },
})
