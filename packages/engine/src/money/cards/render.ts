import { toTimestamp, toWireAmount } from '@corridor/kernel'
import { toCurrency } from '../../reference/currencies/lookup.ts'
import type { Card } from './card.ts'
import type { Card as CardWire } from './card-schemas.ts'
import {
  type CardTransactionRecord,
  returnedMinor,
  standingReturns,
  unitsPerCent,
} from './card-transaction.ts'
import type { CardTransaction as CardTransactionWire } from './card-transaction-schemas.ts'

/** What comes from the issuer is absent until the card is active; the limit is always there (cards 1.2). */
export function renderCard(card: Card): CardWire {
  const { brand, last4, expMonth, expYear, processorRef, issuerRef } = card
  return {
    id: card.id,
    cardholderId: card.cardholderId,
    platformCardId: card.platformCardId,
    state: card.state,
    stateReason: card.stateReason,
    form: card.form,
    ...(brand === null ? {} : { brand }),
    ...(last4 === null ? {} : { last4 }),
    ...(expMonth === null ? {} : { expMonth }),
    ...(expYear === null ? {} : { expYear }),
    fundingSources: [...card.fundingAccounts],
    maxSpendPerTransaction: card.maxSpendMinor === null ? null : toWireAmount(card.maxSpendMinor),
    currency: card.currency,
    ...(processorRef === null ? {} : { processorRef }),
    ...(issuerRef === null ? {} : { issuerRef }),
    createdAt: toTimestamp(card.createdAt),
    updatedAt: toTimestamp(card.updatedAt),
  }
}

/**
 * Amounts in the currency of the card, summaries in the unit of the account that funded it (cards 1.6).
 */
export function renderCardTransaction(record: CardTransactionRecord): CardTransactionWire {
  const { currency, fundingCurrency, clearedMinor, clearings, isExpired, lastEventAt } = record
  const units = unitsPerCent(currency, fundingCurrency)
  const amount = (minor: bigint) => ({ amount: toWireAmount(minor), currency: toCurrency(currency) })
  const total = (minor: bigint) => toWireAmount(minor * units)
  const isDebit = record.direction === 'DEBIT'
  return {
    type: 'CARD',
    id: record.id,
    cardId: record.cardId,
    customerId: record.customerId,
    platformCustomerId: record.platformCustomerId,
    issuerTransactionToken: record.token,
    status: record.status,
    direction: record.direction,
    merchant: record.merchant,
    authorizedAmount: amount(record.authorizedMinor),
    ...(clearings > 0 || isExpired ? { settledAmount: amount(clearedMinor) } : {}),
    ...(record.returns.length > 0 ? { refundedAmount: amount(returnedMinor(record)) } : {}),
    accountId: record.accountId,
    pullSummary: {
      count: record.pulls,
      totalAmount: isDebit ? total(record.heldMinor + record.pulledMinor) : 0,
      pendingCount: record.pendingPulls,
    },
    refundSummary: { count: standingReturns(record).length, totalAmount: total(returnedMinor(record)) },
    settlementSummary: { count: clearings, totalAmount: total(clearedMinor) },
    authorizedAt: toTimestamp(record.createdAt),
    ...(lastEventAt === null ? {} : { lastEventAt: toTimestamp(lastEventAt) }),
    createdAt: toTimestamp(record.createdAt),
    updatedAt: toTimestamp(record.updatedAt),
  }
}
