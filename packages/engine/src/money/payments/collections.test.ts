import { paymentOf } from '@corridor/testkit/model-ledger.ts'
import { describe, expect, it } from 'vitest'
import { type CollectionFacts, decideCollectionOutcome } from './collections.ts'
import { amountsToText, type PaymentFlow, type Transaction } from './transaction.ts'

/** A payment from a bank account to another institution, which is asked for its proof next. */
function toPeer(flow: Partial<PaymentFlow> = {}): CollectionFacts {
  const payment = paymentOf({ pair: ['USD', 'EUR'], amount: 10_000n, serviceRate: '0.005' })
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
    receivedCurrency: 'EUR',
    source: { sourceType: 'ACCOUNT', accountId: 'ExternalAccount:1', currency: 'USD' },
    destination: { destinationType: 'UMA_ADDRESS', umaAddress: '$bob@peer.example', currency: 'EUR' },
    reference: 'REF-AAAAAAAAAA',
    refundReference: null,
    failureReason: null,
    refund: null,
    rail: null,
    flow: {
      stage: 'POLL_PAYOUT',
      kind: 'QUOTE',
      funding: { kind: 'PULL', accountId: 'ExternalAccount:1', rail: 'ACH' },
      delivery: {
        kind: 'UMA',
        umaAddress: '$bob@peer.example',
        rail: 'UMA',
        peer: { peerDomain: 'peer.example', amountMsats: '1000' } as never,
      },
      amounts: amountsToText(payment),
      isImmediate: false,
      isConverted: true,
      collection: { submittedAt: 0 },
      ...flow,
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
    suspended: undefined,
    refundedTo: undefined,
  }
}

const returned = (flow?: Partial<PaymentFlow>) => {
  const { leaves, transfers = [] } = decideCollectionOutcome(toPeer(flow), { status: 'RETURNED' })
  return [leaves.status, transfers.some(({ debit }) => debit.startsWith('recv:'))]
}
const held = { pauseId: 'Pause:1', reasonCode: 'RAIL_UNAVAILABLE', since: 500 } as const

describe('a returned collection of a payment to an institution that is paid by its proof', () => {
  it('stops the payment before the institution was asked for the first proof, also at a pause', () => {
    expect(returned()).toEqual(['FAILED', false])
    expect(returned({ held: { ...held, isFirst: true } })).toEqual(['FAILED', false])
  })

  it('is owed once it was asked', () => {
    expect(returned({ handOverAt: 700 })).toEqual(['PROCESSING', true])
    expect(returned({ handOverAt: 700, held: { ...held, isFirst: false } })).toEqual(['PROCESSING', true])
  })
})
