import { assert, divideRates, type Rate, rate, toDecimal, toWireAmount } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { assertCustomerReady, type Customer, loadCustomer } from '../../people/customers/index.ts'
import { type InternalAccount, loadOwnedInternalAccounts } from '../../platform/internal-accounts/index.ts'
import { type Configuration, loadConfig, loadPlatform, moneyGates } from '../../platform/platforms/index.ts'
import { toCurrency } from '../../reference/currencies/index.ts'
import { bitcoinPrice, toSnapshot } from '../../reference/rates/index.ts'
import type { Scope } from '../../vocabulary/scope.ts'
import { offeredCurrencies } from '../receivers/index.ts'
import { readMultiplier, type UmaMajor } from '../uma-peers/index.ts'

/** A currency in which a customer can be paid, at the price of this moment. */
export interface Offer {
  readonly currency: string
  readonly minMinor: bigint
  readonly maxMinor: bigint
  /** Millisatoshi per minor unit: the number on the wire, and what it stands for exactly. */
  readonly multiplier: number
  readonly rate: Rate
  readonly account: InternalAccount
}

export interface Receiver {
  readonly customer: Customer
  readonly config: Configuration
  readonly isReady: boolean
  readonly offers: readonly Offer[]
}

const msatsPerBitcoin = rate(10n ** 11n, 1n)

/** A customer as a peer may pay it; undefined where there is none. */
export async function loadReceiver(
  engine: Engine,
  scope: Scope,
  customerId: string,
): Promise<Receiver | undefined> {
  const { database } = engine
  const { rates, rules } = engine.adapters[scope.environment]
  const [customer, accounts, config, platform, table] = await Promise.all([
    loadCustomer(engine, scope, customerId),
    loadOwnedInternalAccounts(database, scope, customerId),
    loadConfig(database, scope),
    loadPlatform(database, scope),
    rates.snapshot(scope.now),
  ])
  if (!customer || customer.deletedAt !== null) return undefined
  const gates = moneyGates(rules, config.settings, platform)
  const snapshot = toSnapshot(table)
  const offers = offeredCurrencies(customer, accounts, config).flatMap((entry): Offer[] => {
    const price = bitcoinPrice(snapshot, entry.currency)
    const account = accounts.find(
      ({ currency, status }) => currency === entry.currency && status === 'ACTIVE',
    )
    if (!price || !account) return []
    const exact = divideRates(msatsPerBitcoin, price)
    const text = toDecimal(exact.numerator, exact.denominator, { fractionDigits: 0, significantDigits: 12 })
    const multiplier = Number(text)
    const onWire = readMultiplier(multiplier)
    assert(onWire, 'a price is a positive number')
    return [{ ...entry, multiplier, rate: onWire, account }]
  })
  return { customer, config, isReady: !assertCustomerReady(customer, gates), offers }
}

export function renderOffer({ currency, multiplier, minMinor, maxMinor }: Offer, major: UmaMajor) {
  const { code, name, symbol, decimals } = toCurrency(currency)
  const [min, max] = [toWireAmount(minMinor), toWireAmount(maxMinor)]
  const bounds = major === 0 ? { minSendable: min, maxSendable: max } : { convertible: { min, max } }
  return { code, name, symbol, multiplier, decimals, ...bounds }
}
