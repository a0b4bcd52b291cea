import { ledgerAccountRule } from '@corridor/engine/mechanisms/ledger/accounts.ts'
import type { Payment, Posting } from '@corridor/engine/money/payments/postings.ts'
import { depositToAccount } from '@corridor/engine/money/payments/receipts.ts'
import { type PricingInput, pricePayment } from '@corridor/engine/money/quotes/index.ts'
import { crossRate, offlineSnapshot } from '@corridor/engine/reference/rates/index.ts'
import { assert, parseRate } from '@corridor/kernel'

/** A ledger in memory, for the tests of this folder, that refuses what the real one refuses. */

const snapshot = offlineSnapshot(0)
export const transactionId = 'Transaction:1'
export const customer = 'InternalAccount:customer'
export const other = 'InternalAccount:other'
export const platform = 'InternalAccount:platform'

/** Checks every posting on its own: a journal may not overdraw an account even on the way. */
export class Ledger {
  /** What can be spent: what is held is taken off. */
  readonly balances = new Map<string, bigint>()
  readonly held = new Map<string, bigint>()

  post(postings: readonly Posting[]): this {
    for (const { debit, credit, currency, amountMinor, kind = 'POSTED' } of postings) {
      assert(amountMinor > 0n && debit !== credit, 'a posting moves something')
      for (const key of [debit, credit]) {
        assert((ledgerAccountRule(key).currency ?? currency) === currency, `${key} in its own currency`)
      }
      const held = `${debit} ${currency}`
      if (kind === 'PENDING') this.held.set(held, (this.held.get(held) ?? 0n) + amountMinor)
      if (kind.endsWith('_PENDING')) {
        assert((this.held.get(held) ?? 0n) >= amountMinor, `${debit} holds what is captured or released`)
        this.held.set(held, this.held.get(held)! - amountMinor)
      }
      if (kind === 'POSTED' || kind === 'PENDING') this.#move(debit, currency, -amountMinor)
      if (kind === 'VOID_PENDING') this.#move(debit, currency, amountMinor)
      if (kind === 'POSTED' || kind === 'POST_PENDING') this.#move(credit, currency, amountMinor)
    }
    return this
  }

  #move(key: string, currency: string, amountMinor: bigint): void {
    const slot = `${key} ${currency}`
    const balance = (this.balances.get(slot) ?? 0n) + amountMinor
    assert(balance >= 0n || !ledgerAccountRule(key).mustNotGoNegative, `${key} stays above zero`)
    this.balances.set(slot, balance)
  }

  balance(key: string, currency: string): bigint {
    return this.balances.get(`${key} ${currency}`) ?? 0n
  }

  /** Balances other than zero, as `key currency`: the end state of a worked example. */
  state(): Record<string, bigint> {
    return Object.fromEntries([...this.balances].filter(([, balance]) => balance !== 0n))
  }

  /** What a finished transaction still holds in accounts that must end empty. */
  leftOver(): string[] {
    return Object.keys(this.state()).filter((slot) => ledgerAccountRule(slot.split(' ')[0]!).mustEndEmpty)
  }

  sums(): Record<string, bigint> {
    const sums: Record<string, bigint> = {}
    for (const [slot, balance] of this.balances) {
      const currency = slot.split(' ')[1]!
      sums[currency] = (sums[currency] ?? 0n) + balance
    }
    return sums
  }
}

export interface Priced {
  readonly pair: readonly [string, string]
  readonly lock?: PricingInput['lockedSide']
  readonly amount: bigint
  readonly serviceRate?: string
  readonly fixed?: bigint
  readonly network?: bigint
  readonly platformFee?: { readonly fixedMinor: bigint; readonly bps: number }
  readonly counterparty?: bigint
}

export function paymentOf(priced: Priced): Payment {
  const [sendingCurrency, receivingCurrency] = priced.pair
  const result = pricePayment({
    lockedSide: priced.lock ?? 'SENDING',
    lockedAmountMinor: priced.amount,
    crossRate: crossRate(snapshot, { source: sendingCurrency, destination: receivingCurrency })!,
    serviceFee: {
      fixedMinor: priced.fixed ?? 0n,
      rate: priced.serviceRate ? parseRate(priced.serviceRate) : { numerator: 0n, denominator: 1n },
    },
    networkFeeMinor: priced.network ?? 0n,
    platformFee: priced.platformFee ?? { fixedMinor: 0n, bps: 0 },
    counterpartyFeeMinor: priced.counterparty ?? 0n,
  })
  assert(result.ok, 'the example can be priced')
  return { ...result.value, transactionId, sendingCurrency, receivingCurrency }
}

export const sent = (payment: Payment) => ({
  transactionId,
  currency: payment.sendingCurrency,
  amountMinor: payment.sendingAmountMinor,
})

/** A ledger in which the customer owns `amountMinor`. */
export const funded = (currency: string, amountMinor: bigint) =>
  new Ledger().post(
    depositToAccount({ currency, amountMinor }, { rail: 'TEST', internalAccountId: customer }),
  )
