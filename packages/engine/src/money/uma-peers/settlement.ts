import { toWireAmount } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Environment, Scope } from '../../vocabulary/scope.ts'
import { parseOutsideJson } from '../../vocabulary/storable.ts'
import { type Counterparty, transportTo } from './counterparties.ts'
import type { LightningTerms } from './lightning.ts'
import { identityOf } from './own-keys.ts'
import { hashOf, isPeerAddress, signParts, wellKnown } from './wire.ts'

const timeoutMs = 10_000

/** A payment that a peer has agreed to, as it is kept with the quote. JSON. */
export interface PeerPayment {
  readonly peerDomain: string
  /** An institution of this installation: nothing is owed to it. */
  readonly isHosted?: true
  /** Our own domain: whose keys sign. */
  readonly ownDomain: string
  readonly payerUma: string
  readonly payeeUma: string
  readonly paymentHash: string
  /** As text: JSON numbers end at 2^53. */
  readonly amountMsats: string
  /** Where it is settled bilaterally, as the peer said when it was agreed. */
  readonly settlementEndpoint?: string
  /** Where the peer wants to be told afterwards. */
  readonly utxoCallback?: string
  /** It settles over Lightning. */
  readonly lightning?: LightningTerms
}

/** UNKNOWN: it may have happened. Asked again, never given back meanwhile (webhooks-uma 5.2). */
export type SettlementOutcome = 'PAID' | 'REFUSED' | 'UNKNOWN'

/** Promises the amount to the peer, who proves with the preimage that its customer is credited (6.7). Repeatable. */
export async function settleWithPeer(
  engine: Engine,
  scope: Scope,
  payment: PeerPayment,
): Promise<SettlementOutcome> {
  const { peerDomain, ownDomain, paymentHash, amountMsats, payerUma, payeeUma } = payment
  const { isHosted = false } = payment
  const peers = transportTo(engine, scope.environment, { isHosted })
  // What was agreed settles by what was kept with it: by then a peer may have another domain, or be nobody's any more.
  const endpoint =
    payment.settlementEndpoint ??
    (await settlementEndpoint(engine, scope.environment, { domain: peerDomain, isHosted }))
  if (endpoint === undefined) return 'UNKNOWN'
  const identity = await identityOf(engine, scope, ownDomain)
  const { world } = engine
  const signed = signParts([paymentHash, amountMsats], identity.signingKey, { world, now: world.now() })
  const body = {
    paymentHash,
    amountMsats: toWireAmount(BigInt(amountMsats)),
    payeeIdentifier: payeeUma,
    payerIdentifier: payerUma,
    vaspDomain: ownDomain,
    ...signed,
  }
  const answer = await peers.post(endpoint, JSON.stringify(body), timeoutMs)
  if (!answer.ok) return 'UNKNOWN'
  const { preimage, code } = read(answer.body)
  if (answer.status === 200) {
    const isProof = typeof preimage === 'string' && /^[0-9a-f]{64}$/.test(preimage)
    return isProof && hashOf(preimage) === paymentHash ? 'PAID' : 'UNKNOWN'
  }
  return refusals.has(String(code)) ? 'REFUSED' : 'UNKNOWN'
}

/** After these nothing was credited and nothing will be. */
const refusals: ReadonlySet<string> = new Set([
  'REQUEST_NOT_FOUND',
  'QUOTE_EXPIRED',
  'VELOCITY_LIMIT_EXCEEDED',
])

/** Where a peer takes settlements, as it says itself; undefined where it does not say. */
export async function settlementEndpoint(
  engine: Engine,
  environment: Environment,
  { domain, isHosted }: Counterparty,
): Promise<string | undefined> {
  if (isHosted) return `${engine.settings.baseUrl}/uma/settle`
  const peers = transportTo(engine, environment, { isHosted })
  const answer = await peers.get(wellKnown(domain, 'uma-configuration'), timeoutMs)
  if (!answer.ok || answer.status !== 200) return undefined
  const endpoint = read(answer.body).settlement_endpoint
  return isPeerAddress(endpoint, domain) ? endpoint : undefined
}

function read(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = parseOutsideJson(text)
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}
