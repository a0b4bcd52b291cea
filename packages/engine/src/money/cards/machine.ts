import { defineMachine } from '@corridor/kernel'

/** The states of a card (cards 1.1). `PENDING_KYC` is a word of the API that no card ever has. */
export const cardMachine = defineMachine({
  name: 'card',
  states: {
    PENDING_KYC: 'never used, because only verified customers get cards',
    PROCESSING: 'ordered from the issuer',
    ACTIVE: 'ready for payments',
    FROZEN: 'declines new authorizations; payments in progress continue',
    CLOSED: 'permanently closed; payments in progress continue',
  },
  initial: ['PROCESSING'],
  terminal: ['CLOSED'],
  transitions: [
    {
      from: ['PROCESSING'],
      on: 'provision',
      to: 'ACTIVE',
      why: 'the issuer created the card',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['PROCESSING'],
      on: 'reject',
      to: 'CLOSED',
      why: 'the issuer rejected it',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['ACTIVE'],
      on: 'freeze',
      to: 'FROZEN',
      why: 'the platform freezes it',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['FROZEN'],
      on: 'unfreeze',
      to: 'ACTIVE',
      why: 'the platform unfreezes it',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['ACTIVE', 'FROZEN'],
      on: 'close',
      to: 'CLOSED',
      why: 'the platform closes it',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN'],
      on: 'closeByOperator',
      to: 'CLOSED',
      why: 'the operator closes it, or its holder was deleted',
      emits: 'CARD.STATE_CHANGE',
    },
  ],
  refusals: { default: 'INVALID_STATE_TRANSITION' },
})

/** What a card transaction goes through (cards 1.6). */
export const cardTransactionMachine = defineMachine({
  name: 'card transaction',
  states: {
    AUTHORIZED: 'approved; the amount is reserved',
    PARTIALLY_SETTLED: 'partially cleared',
    SETTLED: 'fully cleared, or the rest was released',
    REFUNDED: 'the cleared amount was returned in full',
    EXCEPTION: 'the network was paid but the cardholder could not be charged; waiting for the operator',
  },
  initial: ['AUTHORIZED'],
  // Nothing is final: a refund may follow a settlement, and a reversal a refund.
  terminal: [],
  transitions: [
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'clearPart',
      to: 'PARTIALLY_SETTLED',
      why: 'partial clearing',
    },
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'clearAll',
      to: 'SETTLED',
      why: 'clearing of the full amount or more',
    },
    { from: ['SETTLED'], on: 'clearLate', to: 'SETTLED', why: 'clearing after the authorization expired' },
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'expire',
      to: 'SETTLED',
      why: 'no further clearing will come',
    },
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED', 'SETTLED', 'REFUNDED', 'EXCEPTION'],
      on: 'failPull',
      to: 'EXCEPTION',
      why: 'the cardholder could not be charged',
    },
    {
      from: ['SETTLED', 'PARTIALLY_SETTLED'],
      on: 'returnAll',
      to: 'REFUNDED',
      why: 'the full amount was returned',
    },
    { from: ['REFUNDED'], on: 'reverseReturn', to: 'SETTLED', why: 'the last return was reversed' },
    { from: ['EXCEPTION'], on: 'resolve', to: 'SETTLED', why: 'the operator charged the open amount' },
    {
      from: ['EXCEPTION'],
      on: 'restore',
      to: 'AUTHORIZED',
      why: 'the operator charged the open amount before any clearing',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})
