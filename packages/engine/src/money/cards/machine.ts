import { defineMachine } from '@corridor/kernel'

/** The states of a card (cards 1.1). `PENDING_KYC` is a word of the API that no card ever has. */
export const cardMachine = defineMachine({
  name: 'card',
  states: {
    PENDING_KYC: 'Corridor never uses this state, because only verified customers get cards',
    PROCESSING: 'the issuer is creating the card',
    ACTIVE: 'the card can be used for payments',
    FROZEN: 'the card declines new authorizations; payments in progress continue',
    CLOSED: 'the card is permanently closed; payments in progress continue',
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
      why: 'the issuer rejected the card',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['ACTIVE'],
      on: 'freeze',
      to: 'FROZEN',
      why: 'the platform froze the card',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['FROZEN'],
      on: 'unfreeze',
      to: 'ACTIVE',
      why: 'the platform unfroze the card',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['ACTIVE', 'FROZEN'],
      on: 'close',
      to: 'CLOSED',
      why: 'the platform closed the card',
      emits: 'CARD.STATE_CHANGE',
    },
    {
      from: ['PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN'],
      on: 'closeByOperator',
      to: 'CLOSED',
      why: 'the operator closed the card, or the cardholder was deleted',
      emits: 'CARD.STATE_CHANGE',
    },
  ],
  refusals: { default: 'INVALID_STATE_TRANSITION' },
})

/** What a card transaction goes through (cards 1.6). */
export const cardTransactionMachine = defineMachine({
  name: 'card transaction',
  states: {
    AUTHORIZED: 'the issuer approved the purchase; the amount is reserved',
    PARTIALLY_SETTLED: 'part of the authorized amount is cleared',
    SETTLED: 'the full amount is cleared, or the rest is released',
    REFUNDED: 'the full cleared amount was returned',
    EXCEPTION: 'the network was paid but the cardholder could not be charged; the operator has to act',
  },
  initial: ['AUTHORIZED'],
  // Nothing is final: a refund may follow a settlement, and a reversal a refund.
  terminal: [],
  transitions: [
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'clearPart',
      to: 'PARTIALLY_SETTLED',
      why: 'the network cleared part of the amount',
    },
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'clearAll',
      to: 'SETTLED',
      why: 'the network cleared the full amount or more',
    },
    {
      from: ['SETTLED'],
      on: 'clearLate',
      to: 'SETTLED',
      why: 'the network cleared an amount after the authorization expired',
    },
    {
      from: ['AUTHORIZED', 'PARTIALLY_SETTLED'],
      on: 'expire',
      to: 'SETTLED',
      why: 'the authorization ended; no further clearing will follow',
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
    { from: ['EXCEPTION'], on: 'resolve', to: 'SETTLED', why: 'the operator charged the outstanding amount' },
    {
      from: ['EXCEPTION'],
      on: 'restore',
      to: 'AUTHORIZED',
      why: 'the operator charged the outstanding amount, and the network has not cleared any of the authorization yet',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})
