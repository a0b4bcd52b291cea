import type { PayInToIssue } from '@corridor/engine/ports/instructions.ts'
import type { AccountInfo, PaymentInstructions } from '@corridor/engine/reference/account-types/index.ts'
import { currencyOf, isFiat } from '@corridor/engine/reference/currencies/index.ts'
import { isNetworkId, networkOf } from '@corridor/engine/reference/rails/index.ts'
import { assert } from '@corridor/kernel'
import type { Randomness } from './coordinates.ts'
import { bankEntries, bitcoinEntry, freshAddress, walletEntry, withNotes } from './funding-instructions.ts'
import { lightningInvoice } from './lightning-invoice.ts'

type RealtimePayIn = Omit<PayInToIssue, 'quoteId'>

/**
 * How a realtime-funded quote is paid in (accounts 7.1, 7.2): instant rails only, under a reference of its
 * own; chains by a fresh address, Lightning and Spark by an invoice over the exact amount. The caller has
 * checked that the currency can be paid in at once, and that the chain carries it.
 */
export function realtimeInstructions(world: Randomness, payIn: RealtimePayIn): PaymentInstructions[] {
  return (isFiat(payIn.currency) ? fiatEntries(world, payIn) : cryptoEntries(world, payIn)).map(withNotes)
}

function fiatEntries(world: Randomness, payIn: RealtimePayIn): AccountInfo[] {
  const { currency, reference, amountMinor } = payIn
  const { instantInboundRails } = currencyOf(currency)
  assert(instantInboundRails.length > 0, `${currency} can be paid in at once`)
  const isInstant = (rail: string) => instantInboundRails.some((instant) => instant === rail)
  const bank = bankEntries(world, currency, reference, amountMinor).map((info) =>
    Array.isArray(info.paymentRails) ? { ...info, paymentRails: info.paymentRails.filter(isInstant) } : info,
  )
  return currency === 'USD' ? [...bank, walletEntry('SOLANA', 'USDC', freshAddress(world, 'SOLANA'))] : bank
}

function cryptoEntries(world: Randomness, payIn: RealtimePayIn): AccountInfo[] {
  const { currency, cryptoNetwork } = payIn
  // Without a choice bitcoin may come any way it can.
  const networks = cryptoNetwork === undefined ? currencyOf(currency).instantInboundRails : [cryptoNetwork]
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

function invoiceOf(world: Randomness, payIn: RealtimePayIn): string {
  const { amountMinor, reference, now, expiresAt } = payIn
  return lightningInvoice(world, {
    amountSat: amountMinor,
    description: reference,
    now,
    lifeSeconds: Math.max(1, Math.floor((expiresAt - now) / 1000)),
  })
}
