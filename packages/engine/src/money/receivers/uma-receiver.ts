import { failed, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { assertCustomerReady, type Customer, loadCustomer } from '../../people/customers/index.ts'
import { loadOwnedInternalAccounts } from '../../platform/internal-accounts/index.ts'
import { loadConfig, loadDomainHolder, loadPlatform, moneyGates } from '../../platform/platforms/index.ts'
import type { UmaReceiver } from '../../ports/uma.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Book, Scope } from '../../vocabulary/scope.ts'
import { findPeer, lookUpAtPeer, type PeerReceiver } from '../uma-peers/index.ts'
import { offeredCurrencies } from './rules.ts'
import { findAddressHolder } from './store.ts'
import { parseReceiverAddress } from './uma-address.ts'

/** Somebody who can be paid by UMA address. */
export interface ResolvedReceiver extends UmaReceiver {
  /** In lower case. */
  readonly address: string
  /** A customer of a platform of this installation. */
  readonly isHosted: boolean
  /** What another institution said that the protocol goes on with. */
  readonly peer?: PeerReceiver
}

/**
 * Who is behind a UMA address (accounts 5.1): a customer of any platform of this installation, or a user
 * of another institution. INVALID_UMA_ADDRESS, SELF_PAYMENT, UMA_NOT_FOUND, COUNTERPARTY_NOT_ALLOWED, or
 * INVALID_RECEIVER for somebody who may not be paid.
 */
export async function resolveReceiver(
  engine: Engine,
  scope: Scope,
  { umaAddress, sender }: { readonly umaAddress: string; readonly sender: Customer | undefined },
): Promise<Result<ResolvedReceiver, Failure>> {
  const { database } = engine
  const { uma, rules } = engine.adapters[scope.environment]
  const parsed = parseReceiverAddress(umaAddress, { allowsPorts: rules.allowsPrivateEndpoints })
  if (!parsed) return failed(fail('INVALID_UMA_ADDRESS', { umaAddress }))
  const address = `$${parsed.user}@${parsed.domain}`
  if (sender?.umaAddress === address) return failed(fail('SELF_PAYMENT'))

  const holder = await findAddressHolder(database, scope, address)
  if (holder) {
    const { platformId, customerId } = holder
    const book = { platformId, environment: scope.environment }
    const receiver = await loadOwnReceiver(engine, book, customerId)
    return receiver.ok ? ok({ address, isHosted: true, ...receiver.value }) : receiver
  }
  const config = await loadConfig(database, scope)
  const peer = findPeer(config, parsed.domain)
  if (peer) {
    const found = await lookUpAtPeer(engine, scope, { config, receiver: parsed })
    return found.ok ? ok({ ...found.value, address, isHosted: false, peer: found.value }) : found
  }
  const resolution = await uma.resolve(parsed)
  if (resolution.status === 'FOUND') return ok({ address, isHosted: false, ...resolution.receiver })
  const isHosted = (await loadDomainHolder(database, scope, parsed.domain)) !== undefined
  return failed(
    resolution.status === 'NOT_FOUND' || isHosted
      ? fail('UMA_NOT_FOUND', { umaAddress: address })
      : fail('COUNTERPARTY_NOT_ALLOWED', { counterpartyDomain: parsed.domain }),
  )
}

/** A customer of this installation. Its book may be another platform's: only what is offered leaves it. */
async function loadOwnReceiver(
  engine: Engine,
  book: Book,
  customerId: string,
): Promise<Result<UmaReceiver, Failure>> {
  const { database } = engine
  const [customer, accounts, config, platform] = await Promise.all([
    loadCustomer(engine, book, customerId),
    loadOwnedInternalAccounts(database, book, customerId),
    loadConfig(database, book),
    loadPlatform(database, book),
  ])
  const gates = moneyGates(engine.adapters[book.environment].rules, config.settings, platform)
  const isReady = customer && !assertCustomerReady(customer, gates)
  if (!isReady) return failed(fail('INVALID_RECEIVER', { reason: 'NOT_READY' }))
  return ok({ currencies: offeredCurrencies(customer, accounts, config), requiredPayerFields: [] })
}
