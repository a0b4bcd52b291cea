import { failed, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Customer } from '../../people/customers/index.ts'
import { loadConfig } from '../../platform/platforms/index.ts'
import type { UmaReceiver } from '../../ports/uma.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import {
  exchangeWith,
  findCounterparty,
  lookUpAtPeer,
  lookupFailure,
  type PeerReceiver,
} from '../uma-peers/index.ts'
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
    /** Before, for a quote that names that lookup: its exchange is the request for terms, and not this. */
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
  const lookUp = async (): Promise<Result<ResolvedReceiver, Failure>> => {
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
  // Nobody is asked where there is no institution.
  if (resolution?.status === 'NOT_ALLOWED' || wasLookedUp) return lookUp()
  const unanswered = (status: number | undefined) =>
    failed(lookupFailure(status, undefined, { address, peerDomain: parsed.domain }))
  return exchangeWith<Result<ResolvedReceiver, Failure>>(
    engine,
    scope,
    { kind: 'LOOKUP', address, customerId: sender?.id, unanswered },
    lookUp,
  )
}
