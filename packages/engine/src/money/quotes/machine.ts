import { defineMachine } from '@corridor/kernel'

/** The life of a quote (accounts 7.4). From PROCESSING on it mirrors its transaction. */
export const quoteMachine = defineMachine({
  name: 'quote',
  states: {
    PENDING: 'rate and fees are locked; the quote is waiting for execution or funds',
    PENDING_AUTHORIZATION: "the quote is waiting for the customer's authorization",
    PROCESSING: 'the quote is executed; the transaction is in progress',
    COMPLETED: 'the transaction completed',
    FAILED: 'the transaction failed, or the rate was no longer available',
    EXPIRED: 'the quote was not executed in time',
  },
  initial: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'],
  terminal: ['EXPIRED'],
  transitions: [
    {
      from: ['PENDING', 'PENDING_AUTHORIZATION'],
      on: 'execute',
      to: 'PROCESSING',
      why: 'the source was debited, or the money was collected or funded',
    },
    {
      from: ['PENDING'],
      on: 'requireAuthorization',
      to: 'PENDING_AUTHORIZATION',
      why: 'the customer has to authorize the payment',
    },
    {
      from: ['PENDING_AUTHORIZATION'],
      on: 'authorizeFunding',
      to: 'PENDING',
      why: 'the customer authorized the payment and can now fund it',
    },
    { from: ['PENDING'], on: 'refuseRate', to: 'FAILED', why: 'the rate is no longer available' },
    { from: ['PENDING'], on: 'refuseFunding', to: 'FAILED', why: 'a different amount arrived' },
    {
      from: ['PENDING_AUTHORIZATION'],
      on: 'expireChallenge',
      to: 'FAILED',
      emits: 'OUTGOING_PAYMENT.FAILED',
      why: 'the customer did not authorize the payment in time',
    },
    {
      from: ['PENDING'],
      on: 'expire',
      to: 'EXPIRED',
      emits: 'OUTGOING_PAYMENT.EXPIRED',
      why: 'the quote expired',
    },
    { from: ['PROCESSING'], on: 'complete', to: 'COMPLETED', why: 'the transaction completed' },
    {
      from: ['PROCESSING', 'COMPLETED'],
      on: 'fail',
      to: 'FAILED',
      why: 'the transaction failed or was returned',
    },
  ],
  refusals: { default: 'CONFLICT', EXPIRED: 'QUOTE_EXPIRED' },
})
