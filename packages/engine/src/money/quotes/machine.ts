import { defineMachine } from '@corridor/kernel'

/** The life of a quote (accounts 7.4). From PROCESSING on it mirrors its transaction. */
export const quoteMachine = defineMachine({
  name: 'quote',
  states: {
    PENDING: 'rate and fees are locked; awaiting execution or funds',
    PENDING_AUTHORIZATION: 'executed or requested; the customer has to authorize it',
    PROCESSING: 'executed: its transaction is on its way',
    COMPLETED: 'its transaction completed',
    FAILED: 'its transaction failed, or its rate was refused',
    EXPIRED: 'nobody executed it in time',
  },
  initial: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'],
  terminal: ['EXPIRED'],
  transitions: [
    {
      from: ['PENDING', 'PENDING_AUTHORIZATION'],
      on: 'execute',
      to: 'PROCESSING',
      why: 'debited, collected or funded',
    },
    {
      from: ['PENDING'],
      on: 'requireAuthorization',
      to: 'PENDING_AUTHORIZATION',
      why: 'the customer is under strong authentication',
    },
    {
      from: ['PENDING_AUTHORIZATION'],
      on: 'authorizeFunding',
      to: 'PENDING',
      why: 'the customer authorized it; now it may be funded',
    },
    { from: ['PENDING'], on: 'refuseRate', to: 'FAILED', why: 'the rate is no longer to be had' },
    { from: ['PENDING'], on: 'refuseFunding', to: 'FAILED', why: 'another amount arrived' },
    {
      from: ['PENDING_AUTHORIZATION'],
      on: 'expireChallenge',
      to: 'FAILED',
      emits: 'OUTGOING_PAYMENT.FAILED',
      why: 'the customer did not authorize in time',
    },
    {
      from: ['PENDING'],
      on: 'expire',
      to: 'EXPIRED',
      emits: 'OUTGOING_PAYMENT.EXPIRED',
      why: 'time ran out',
    },
    { from: ['PROCESSING'], on: 'complete', to: 'COMPLETED', why: 'the transaction completed' },
    {
      from: ['PROCESSING', 'COMPLETED'],
      on: 'fail',
      to: 'FAILED',
      why: 'the transaction failed, or was returned',
    },
  ],
  refusals: { default: 'CONFLICT', EXPIRED: 'QUOTE_EXPIRED' },
})
