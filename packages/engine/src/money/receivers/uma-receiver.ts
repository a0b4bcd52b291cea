import { failed, ok, type Result } from '@corridor/kernel'
import { peerFault, peerSubject } from '../../mechanisms/faults/faulty-peer.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Customer } from '../../people/customers/index.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import type { UmaReceiver } from '../../ports/uma.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { findCounterparty, lookUpAtPeer, lookupFailure, type PeerReceiver } from '../uma-peers/index.ts'
import { parseReceiverAddress } from './uma-address.ts'

/** Somebody who can be paid by UMA address. */
export interface ResolvedReceiver extends UmaReceiver {
  /** In lower case. */
  readonly address: string
  /** What its institution said that the protocol goes on with. */
  readonly peer?: PeerReceiver
}

/**
 * Who is behind a UMA address (accounts 5.1): a user of an institution that the operator lists, a customer of a platform
 * of this installation, which is asked in the same way, or somebody of the simulated world. INVALID_UMA_ADDRESS,
 * SELF_PAYMENT, UMA_NOT_FOUND, COUNTERPARTY_NOT_ALLOWED, INVALID_RECEIVER for somebody who may not be paid, and what the
 * protocol fails with.
 */
export async function resolveReceiver(
  engine: Engine,
  scope: Scope,
  {
    umaAddress,
    sender,
    wasLookedUp = false,
  }: {
    readonly umaAddress: string
    readonly sender: Customer | undefined
    /** Before, for a quote that names that: a fault meets it where it asks for terms, and not here. */
    readonly wasLookedUp?: boolean
  },
): Promise<Result<ResolvedReceiver, Failure>> {
  const { database } = engine
  const { uma, rules } = engine.adapters[scope.environment]
  const parsed = parseReceiverAddress(umaAddress, { allowsPorts: rules.allowsPrivateEndpoints })
  if (!parsed) return failed(fail('INVALID_UMA_ADDRESS', { umaAddress }))
  const address = `$${parsed.user}@${parsed.domain}`
  if (sender?.umaAddress === address) return failed(fail('SELF_PAYMENT'))

  const config = await loadConfig(database, scope)
  const counterparty = await findCounterparty(engine, scope, config, parsed.domain)
  const resolution = counterparty ? undefined : await uma.resolve(parsed)
  // Nobody is asked where there is no institution.
  const refused =
    resolution?.status !== 'NOT_ALLOWED' &&
    !wasLookedUp &&
    (await refusedOnPurpose(engine, scope, { address, peerDomain: parsed.domain, sender }))
  if (refused) return failed(refused)
  if (counterparty) {
    const found = await lookUpAtPeer(engine, scope, { config, counterparty, receiver: parsed })
    return found.ok ? ok({ ...found.value, address, peer: found.value }) : found
  }
  if (resolution?.status === 'FOUND') return ok({ address, ...resolution.receiver })
  return failed(
    resolution?.status === 'NOT_FOUND'
      ? fail('UMA_NOT_FOUND', { umaAddress: address })
      : fail('COUNTERPARTY_NOT_ALLOWED', { counterpartyDomain: parsed.domain }),
  )
}

async function refusedOnPurpose(
  { faults }: Engine,
  scope: Scope,
  {
    address,
    peerDomain,
    sender,
  }: { readonly address: string; readonly peerDomain: string; readonly sender: Customer | undefined },
): Promise<Failure | undefined> {
  const subject = peerSubject(address, sender?.id)
  const fault = await peerFault(faults, scope, subject, { isLookup: true })
  if (fault === undefined) return undefined
  return lookupFailure(typeof fault === 'number' ? fault : undefined, undefined, { address, peerDomain })
}
