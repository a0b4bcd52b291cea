import { paymentOf } from '@corridor/testkit/model-ledger.ts'
import { describe, expect, it } from 'vitest'
import { decidePayoutOutcome } from './payment-steps.ts'
import type { StepFacts } from './step.ts'
import { amountsToText, type Transaction } from './transaction.ts'

/** A payment of dollars to a Lightning account, taken on by the rail and converted. */
function onItsWay(): StepFacts {
  const payment = paymentOf({ pair: ['USD', 'BTC'], amount: 10_000n, serviceRate: '0.005' })
  const transaction: Transaction = {
    id: 'Transaction:1',
    version: 3n,
    status: 'PROCESSING',
    type: 'OUTGOING',
    direction: 'DEBIT',
    ownerId: 'Customer:1',
    platformCustomerId: 'u-1',
    quoteId: 'Quote:1',
    sentMinor: payment.sendingAmountMinor,
    sentCurrency: 'USD',
    receivedMinor: payment.receivingAmountMinor,
    receivedCurrency: 'BTC',
    source: { sourceType: 'ACCOUNT', accountId: 'InternalAccount:1', currency: 'USD' },
    destination: { destinationType: 'ACCOUNT', accountId: 'ExternalAccount:1', currency: 'BTC' },
    reference: 'REF-AAAAAAAAAA',
    refundReference: null,
    failureReason: null,
    refund: null,
    rail: null,
    flow: {
      stage: 'POLL_PAYOUT',
      kind: 'QUOTE',
      funding: { kind: 'INTERNAL', accountId: 'InternalAccount:1' },
      delivery: { kind: 'EXTERNAL', accountId: 'ExternalAccount:1', rail: 'LIGHTNING' },
      amounts: amountsToText(payment),
      isImmediate: false,
      isConverted: true,
    },
    details: {},
    createdAt: 0,
    updatedAt: 0,
    settledAt: null,
  }
  return {
    book: { platformId: 'p', environment: 'SANDBOX' },
    now: 1_000,
    transaction,
    accounts: [],
    newItemId: () => 'Transaction:3',
    newReceivableId: () => 'Receivable:1',
    stepMs: 0,
  }
}

describe('a Lightning payout that is delivered', () => {
  const movements = (outcome: Parameters<typeof decidePayoutOutcome>[1]) =>
    decidePayoutOutcome(onItsWay(), outcome).transfers?.map(
      ({ debit, credit, amountMinor }) => `${debit} ${credit} ${amountMinor}`,
    )

  it('costs the service what it cost to route, beside what the customer paid (accounts 13, row 11)', () => {
    const delivered = 'txn:Transaction:1:BTC rail:LIGHTNING:BTC 104736'
    expect(movements({ status: 'SETTLED' })).toEqual([delivered])
    expect(movements({ status: 'SETTLED', routingCostMinor: 12n })).toEqual([
      delivered,
      'fx:BTC rail:LIGHTNING:BTC 12',
    ])
  })
})
