import { failed, ok, type Result, toTimestamp, toWireAmount } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { HostedAnswer, HostedRequest } from '../../mechanisms/http/hosted-page.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import { refusing } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { SilentScope } from '../../vocabulary/scope.ts'
import { loadTransaction } from '../payments/index.ts'
import { admit, countCredit, findCounterparty, tellPeer } from '../uma-peers/index.ts'
import { decideFailure, decideSettlement, isAwaited, loadSettlementFacts } from '../uma-receipts/index.ts'
import { json, refuse, refuseAs } from './errors.ts'
import { findBookOfHash, loadPromised, type PromisedPayment, sealedPreimages } from './store.ts'

/**
 * A peer promises what it owes for a payment and gets the preimage once our customer is credited (webhooks-uma 6.7). The
 * signature covers hash and amount. A repetition gets the same preimage and moves nothing.
 */
export async function answerSettlement(engine: Engine, { body }: HostedRequest): Promise<HostedAnswer> {
  const { paymentHash, amountMsats, payeeIdentifier, payerIdentifier, vaspDomain } = body
  const hash = typeof paymentHash === 'string' && /^[0-9a-f]{64}$/.test(paymentHash) ? paymentHash : ''
  const book = hash === '' ? undefined : await findBookOfHash(engine.database, hash)
  if (!book) return refuse('REQUEST_NOT_FOUND')
  const scope = await engine.clock.scope(book, { id: 'peer', permissions: [] })
  const [promised, config] = await Promise.all([
    loadPromised(engine.database, book, hash),
    loadConfig(engine.database, book),
  ])
  if (!promised || promised.peerDomain !== vaspDomain) return refuse('REQUEST_NOT_FOUND')
  const { peerDomain, layer, peerSigningKey, creditLineMsats } = promised
  if (layer !== 'BILATERAL') return refuse('REQUEST_NOT_FOUND')
  // What was promised is kept, whatever has become of the peer's entry or domain since.
  const peer = { domain: peerDomain, isHosted: creditLineMsats === null && peerSigningKey !== null }
  const listed = await findCounterparty(engine, book, config, peerDomain)
  const known = peerSigningKey === null ? listed : peer
  if (!known) return refuse('COUNTERPARTY_NOT_ALLOWED')
  const admitted = await admit(engine, book, {
    peer: known,
    knownKey: peerSigningKey,
    parts: [hash, String(amountMsats)],
    signature: body.signature,
    nonce: body.signatureNonce,
    timestamp: body.signatureTimestamp,
  })
  if ('refusal' in admitted) return refuseAs(admitted.refusal)
  // Of what is settled the names may be erased; what was signed is hash and amount.
  const isSame =
    amountMsats === toWireAmount(promised.amountMsats) &&
    (promised.settledAt !== null ||
      (payeeIdentifier === promised.payeeUma && payerIdentifier === promised.payerUma))
  if (!isSame) return refuse('INVALID_INPUT')
  const lineMsats = BigInt(listed?.creditLineMsats ?? creditLineMsats ?? 0)
  const settled = await settleOrClose(engine, scope, hash, known.isHosted ? {} : { lineMsats })
  if (!settled.ok) {
    return settled.failure.code === 'REFERENCE_NOT_FOUND'
      ? refuse('REQUEST_NOT_FOUND')
      : refuseAs(settled.failure)
  }
  return json({ preimage: engine.keys.open(book, sealedPreimages, hash, settled.value.preimageSealed) })
}

/**
 * A refusal is final: the peer gives the money back to its customer on our word, so what it asked before, and what of
 * that arrives late, is not taken either, whatever would let it pass by then.
 */
async function settleOrClose(
  engine: Engine,
  scope: SilentScope,
  hash: string,
  terms: SettlementTerms,
): Promise<Result<PromisedPayment, Failure>> {
  const settled = await settle(engine, scope, hash, terms)
  if (settled.ok || !finalRefusals.has(settled.failure.code)) return settled
  const { failure } = settled
  return commit<PromisedPayment>(engine.applier, scope, async () => {
    const known = await loadPromised(engine.database, scope, hash)
    const transaction = known && (await loadTransaction(engine, scope, known.transactionId))
    // Read after the transaction, so that whoever settled it in between is seen, and nobody is refused what is credited.
    const promised = await loadPromised(engine.database, scope, hash)
    if (promised && promised.settledAt !== null) return ok({ result: () => promised })
    if (!transaction || !isAwaited(transaction)) return failed(failure)
    const reason = failure.code === 'QUOTE_EXPIRED' ? 'QUOTE_EXPIRED' : 'OFFRAMP_FAILED'
    return ok(refusing(failure, decideFailure(scope, transaction, reason)))
  })
}

/** What the peer takes for an end. */
const finalRefusals: ReadonlySet<string> = new Set([
  'REFERENCE_NOT_FOUND',
  'QUOTE_EXPIRED',
  'VELOCITY_LIMIT_EXCEEDED',
])

function tellingOf(promised: PromisedPayment) {
  const { id: paymentHash, layer, utxoCallback, peerDomain, creditLineMsats, peerSigningKey } = promised
  return tellPeer({
    url: utxoCallback,
    peerDomain,
    isHosted: creditLineMsats === null && peerSigningKey !== null,
    ownDomain: promised.payeeUma.split('@')[1] ?? '',
    ...(layer === 'LIGHTNING' ? { overLightning: { paymentHash, direction: 'RECEIVED' as const } } : {}),
  })
}

interface SettlementTerms {
  /** How much the peer may owe in the end; absent where it does not owe for this. */
  readonly lineMsats?: bigint
  /** What has come over Lightning: it is taken, also late, and whatever has become of the account. */
  readonly arrivedMsats?: bigint
}

/** Credits a promised payment, once. REFERENCE_NOT_FOUND, QUOTE_EXPIRED, VELOCITY_LIMIT_EXCEEDED. */
export async function settle(
  engine: Engine,
  scope: SilentScope,
  hash: string,
  { lineMsats, arrivedMsats }: SettlementTerms,
): Promise<Result<PromisedPayment, Failure>> {
  return commit<PromisedPayment>(engine.applier, scope, async () => {
    const gone = failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Transaction' }))
    const promised = await loadPromised(engine.database, scope, hash)
    const transaction = promised && (await loadTransaction(engine, scope, promised.transactionId))
    if (!promised || !transaction) return gone
    if (promised.settledAt !== null) return ok({ result: () => promised })
    if (arrivedMsats === undefined && engine.world.now() >= promised.expiresAt) {
      return failed(fail('QUOTE_EXPIRED'))
    }
    const facts = await loadSettlementFacts(engine, scope, transaction)
    const effect = decideSettlement(scope, transaction, facts, arrivedMsats)
    // Not approved, over by now, or for an account that cannot take it: nothing is owed.
    if (!effect.transfers || effect.transfers.length === 0) return gone
    return ok({
      ...effect,
      updates: [
        ...(effect.updates ?? []),
        {
          table: 'uma_payments',
          id: hash,
          version: promised.version,
          set: { settled_at: toTimestamp(scope.now) },
        },
      ],
      jobs: [...(effect.jobs ?? []), ...tellingOf(promised)],
      counts:
        lineMsats === undefined ? [] : [countCredit(promised.peerDomain, promised.amountMsats, lineMsats)],
      result: () => promised,
    })
  })
}
