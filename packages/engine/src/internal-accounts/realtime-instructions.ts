import { assert, type Instant, type World } from '@corridor/kernel'
import type { AccountInfo, PaymentInstructions } from '../account-types/index.ts'
import { currencyOf, isFiat } from '../currencies/index.ts'
import { isNetworkId, networkOf } from '../rails/index.ts'
import { bankEntries, bitcoinEntry, freshAddress, walletEntry, withNotes } from './funding-instructions.ts'
import { lightningInvoice } from './lightning-invoice.ts'

export interface RealtimePayIn {
  readonly currency: string
  /** Which chain to pay on: stablecoins name one, bitcoin may. */
  readonly cryptoNetwork?: string
  /** Unique to the quote. */
  readonly reference: string
  /** What has to arrive, in minor units of `currency`: the quote's whole sending amount. */
  readonly amountMinor: bigint
  readonly now: Instant
  readonly expiresAt: Instant
}

/**
 * How a realtime-funded quote is paid in (accounts 7.1, 7.2): instant rails only, under a reference of its
 * own; chains by a fresh address, Lightning and Spark by an invoice over the exact amount. The caller has
 * checked that the currency can be paid in at once, and that the chain carries it.
 */
export function realtimeInstructions(
  world: Pick<World, 'randomBytes'>,
  payIn: RealtimePayIn,
): PaymentInstructions[] {
  return (isFiat(payIn.currency) ? fiatEntries(world, payIn) : cryptoEntries(world, payIn)).map(withNotes)
}

function fiatEntries(world: Pick<World, 'randomBytes'>, payIn: RealtimePayIn): AccountInfo[] {
  const { currency, reference, amountMinor } = payIn
  const { instantInboundRails } = currencyOf(currency)
  assert(instantInboundRails.length > 0, `${currency} can be paid in at once`)
  const isInstant = (rail: string) => instantInboundRails.some((instant) => instant === rail)
  const bank = bankEntries(world, currency, reference, amountMinor).map((info) =>
    Array.isArray(info.paymentRails) ? { ...info, paymentRails: info.paymentRails.filter(isInstant) } : info,
  )
  return currency === 'USD' ? [...bank, walletEntry('SOLANA', 'USDC', freshAddress(world, 'SOLANA'))] : bank
}

function cryptoEntries(world: Pick<World, 'randomBytes'>, payIn: RealtimePayIn): AccountInfo[] {
  const { currency, cryptoNetwork } = payIn
  // Without a choice bitcoin may come any way it can.
  const networks = cryptoNetwork === undefined ? currencyOf(currency).rails : [cryptoNetwork]
  return networks.map((network) => {
    assert(
      isNetworkId(network) && networkOf(network).assets.includes(currency),
      `${network} carries ${currency}`,
    )
    if (network === 'BITCOIN') return bitcoinEntry(world)
    if (network === 'LIGHTNING') return { accountType: 'LIGHTNING', invoice: invoiceOf(world, payIn) }
    const entry = walletEntry(network, currency, freshAddress(world, network))
    return network === 'SPARK' && currency === 'BTC' ? { ...entry, invoice: invoiceOf(world, payIn) } : entry
  })
}

function invoiceOf(world: Pick<World, 'randomBytes'>, payIn: RealtimePayIn): string {
  const { amountMinor, reference, now, expiresAt } = payIn
  return lightningInvoice(world, {
    amountSat: amountMinor,
    description: reference,
    now,
    lifeSeconds: Math.max(1, Math.floor((expiresAt - now) / 1000)),
  })
}
