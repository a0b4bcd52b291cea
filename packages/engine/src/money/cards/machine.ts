import { defineMachine } from '@corridor/kernel'

/** The states of a card (cards 1.1). `PENDING_KYC` is a word of the API that no card ever has. */
export const cardMachine = defineMachine({
  name: 'card',
  states: {
    PENDING_KYC: 'never used: cards are issued to verified customers alone',
    PROCESSING: 'ordered at the issuer',
    ACTIVE: 'can be paid with',
    FROZEN: 'new authorizations are declined; what is under way goes on',
    CLOSED: 'ended for good; what is under way goes on',
  },
  initial: ['PROCESSING'],
  terminal: ['CLOSED'],
  transitions: [
    {
      from: ['PROCESSING'],
      on: 'provision',
      to: 'ACTIVE',
      why: 'the issuer made it',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['PROCESSING'],
      on: 'reject',
      to: 'CLOSED',
      why: 'the issuer refused',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['ACTIVE'],
      on: 'freeze',
      to: 'FROZEN',
      why: 'the platform pauses it',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['FROZEN'],
      on: 'unfreeze',
      to: 'ACTIVE',
      why: 'the platform lets it go on',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['ACTIVE', 'FROZEN'],
      on: 'close',
      to: 'CLOSED',
      why: 'the platform ends it',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN'],
      on: 'closeByOperator',
      to: 'CLOSED',
      why: 'the operator ends it, or its holder was deleted',
      emits: 'CARD.STATE_CHANGE',
    },
  ],
  refusals: { default: 'INVALID_STATE_TRANSITION' },
})

/** What a card transaction goes through (cards 1.6). */
export const cardTransactionMachine = defineMachine({
  name: 'card transaction',
  states: {
    AUTHORIZED: 'approved; the money is reserved',
    PARTIALLY_SETTLED: 'the merchant has claimed a part',
    SETTLED: 'the merchant has claimed all, or the rest was given back',
    REFUNDED: 'everything claimed was returned',
    EXCEPTION: 'the network was paid and the cardholder could not be charged; for the operator',
  },
  initial: ['AUTHORIZED'],
  // Nothing is final: a refund may follow a settlement, and a reversal a refund.
  terminal: [],
  transitions: [
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'clearPart',
      to: 'PARTIALLY_SETTLED',
      why: 'claimed in part',
    },
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'clearAll',
      to: 'SETTLED',
      why: 'claimed in full or more',
    },
    { from: ['SETTLED'], on: 'clearLate', to: 'SETTLED', why: 'claimed after it had expired' },
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'expire',
      to: 'SETTLED',
      why: 'nothing more will be claimed',
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
      why: 'everything was returned',
    },
    { from: ['REFUNDED'], on: 'reverseReturn', to: 'SETTLED', why: 'the last return was taken back' },
    { from: ['EXCEPTION'], on: 'resolve', to: 'SETTLED', why: 'the operator charged what was owed' },
    { from: ['EXCEPTION'], on: 'restore', to: 'AUTHORIZED', why: 'the same, before anything was claimed' },
  ],
  refusals: { default: 'INVALID_INPUT' },
})
