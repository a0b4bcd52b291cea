import { assert, ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { HostedAnswer, HostedRequest } from '../../mechanisms/http/hosted-page.ts'
import type { SilentScope } from '../../vocabulary/scope.ts'
import { loadTransaction } from '../payments/index.ts'
import {
  collectionOf,
  collectJob,
  decideFailure,
  isAwaited,
  type ReceiptPayload,
} from '../uma-receipts/index.ts'
import { json, refuse, refuseAs } from './errors.ts'
import { settle } from './settlements.ts'
import { findBookOfHash, loadPromised, sealedPreimages } from './store.ts'

/**
 * Looks whether a promised payment has come over Lightning (webhooks-uma 5.2), more and more rarely. Once its time is over,
 * the invoice is taken back first, so that nothing comes for a payment that has failed.
 */
export const collect = jobHandler<ReceiptPayload>({
  kind: collectJob,
  async run(engine, scope, { transactionId }) {
    const nothing = ok({ result: () => undefined })
    const transaction = await loadTransaction(engine, scope, transactionId)
    const hash = transaction?.flow.counterparty?.lightningHash
    if (!transaction || hash === undefined || !isAwaited(transaction)) return nothing
    const node = engine.adapters[scope.environment].lightning
    assert(node, 'there was a node when the payment was promised')
    const invoice = await node.lookUpInvoice(hash)
    if (invoice.status === 'SETTLED') {
      const settled = await settle(engine, scope, hash, { arrivedMsats: invoice.paidMsats })
      if (!settled.ok) throw new Error(`a payment that has come is not taken: ${settled.failure.code}`)
      return nothing
    }
    const isOver = scope.now >= transaction.createdAt + (transaction.flow.approval?.expiresAfterMs ?? 0)
    if (isOver && (invoice.status === 'CANCELLED' || (await node.cancelInvoice(hash)))) {
      return ok({ ...decideFailure(scope, transaction, 'QUOTE_EXPIRED'), result: () => undefined })
    }
    return ok({ jobs: [collectionOf(transaction, scope.now)], result: () => undefined })
  },
})

const hashForm = /^[0-9a-f]{64}$/

/**
 * Where simulated nodes say that they pay an invoice of ours, and ask whether it is paid: whoever knows its hash. Nowhere
 * else than in a simulated world.
 */
export async function answerSimulatedNode(
  engine: Engine,
  { params }: HostedRequest,
  { pays }: { readonly pays: boolean },
): Promise<HostedAnswer> {
  const hash = params.hash ?? ''
  const book = hashForm.test(hash) ? await findBookOfHash(engine.database, hash) : undefined
  if (!book || !engine.adapters[book.environment].lightning?.isSimulated) return refuse('REQUEST_NOT_FOUND')
  const scope: SilentScope = await engine.clock.scope(book, { id: 'peer', permissions: [] })
  const promised = await loadPromised(engine.database, book, hash)
  if (promised?.layer !== 'LIGHTNING') return refuse('REQUEST_NOT_FOUND')
  if (promised.settledAt !== null) return proof()
  if (!pays) return json({})
  // No node takes money for an invoice that is over.
  if (engine.world.now() >= promised.expiresAt) return refuse('QUOTE_EXPIRED')
  const settled = await settle(engine, scope, hash, { arrivedMsats: promised.amountMsats })
  return settled.ok ? proof() : refuseAs(settled.failure)

  function proof(): HostedAnswer {
    return json({ preimage: engine.keys.open(book!, sealedPreimages, hash, promised!.preimageSealed) })
  }
}
