import { defineMachine } from '@corridor/kernel'

/** The life of an outgoing payment (accounts 10.1). A refund is an object beside the status, not a status. */
export const outgoingMachine = defineMachine({
  name: 'outgoing transaction',
  states: {
    PENDING: 'executed: the money has left the source or is being collected',
    PENDING_AUTHORIZATION: 'the customer has to authorize it; the money is held',
    PROCESSING: 'on its way: converted, handed to the rail',
    COMPLETED: 'delivered, or its cancellation is resolved',
    FAILED: 'not delivered; a refund object tells where the money went',
    EXPIRED: 'its quote was never executed',
  },
  initial: ['PENDING', 'PENDING_AUTHORIZATION', 'EXPIRED'],
  terminal: ['FAILED', 'EXPIRED'],
  transitions: [
    {
      from: ['PENDING'],
      on: 'requireAuthorization',
      to: 'PENDING_AUTHORIZATION',
      emits: 'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
      why: 'the customer is under strong authentication',
    },
    { from: ['PENDING_AUTHORIZATION'], on: 'authorize', to: 'PENDING', why: 'the last proof was good' },
    {
      from: ['PENDING', 'PENDING_AUTHORIZATION'],
      on: 'process',
      to: 'PROCESSING',
      emits: 'OUTGOING_PAYMENT.PROCESSING',
      why: 'the rail accepted it, or realtime money arrived',
    },
    {
      from: ['PROCESSING'],
      on: 'complete',
      to: 'COMPLETED',
      emits: 'OUTGOING_PAYMENT.COMPLETED',
      why: 'delivered, or a cancellation was refunded',
    },
    {
      from: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'],
      on: 'fail',
      to: 'FAILED',
      emits: 'OUTGOING_PAYMENT.FAILED',
      why: 'refused, undeliverable or not authorized',
    },
    {
      from: ['COMPLETED'],
      on: 'return',
      to: 'FAILED',
      emits: 'OUTGOING_PAYMENT.FAILED',
      why: 'the receiving bank gave it back',
    },
    {
      from: ['PENDING'],
      on: 'expire',
      to: 'EXPIRED',
      emits: 'OUTGOING_PAYMENT.EXPIRED',
      why: 'the quote ran out',
    },
  ],
  refusals: { default: 'TRANSACTION_NOT_CANCELLABLE' },
})

/** The life of an incoming payment (accounts 10.1). */
export const incomingMachine = defineMachine({
  name: 'incoming transaction',
  states: {
    CREATED: 'looked up by the counterparty; no money yet',
    PENDING: 'awaiting approval, review or collection',
    PROCESSING: 'a pull that the bank accepted',
    COMPLETED: 'credited',
    REJECTED: 'refused by the platform; no money moved',
    FAILED: 'not credited',
  },
  initial: ['CREATED', 'PENDING', 'COMPLETED'],
  terminal: ['REJECTED', 'FAILED'],
  transitions: [
    {
      from: ['CREATED'],
      on: 'request',
      to: 'PENDING',
      emits: 'INCOMING_PAYMENT.PENDING',
      why: 'the counterparty asked to pay',
    },
    { from: ['PENDING'], on: 'process', to: 'PROCESSING', why: 'the bank accepted the pull' },
    {
      from: ['PENDING', 'PROCESSING'],
      on: 'complete',
      to: 'COMPLETED',
      emits: 'INCOMING_PAYMENT.COMPLETED',
      why: 'the money was credited',
    },
    {
      from: ['PENDING'],
      on: 'reject',
      to: 'REJECTED',
      emits: 'INCOMING_PAYMENT.FAILED',
      why: 'the platform refused it',
    },
    {
      from: ['PENDING', 'PROCESSING'],
      on: 'fail',
      to: 'FAILED',
      emits: 'INCOMING_PAYMENT.FAILED',
      why: 'refused, undecided or uncollectable',
    },
    {
      from: ['COMPLETED'],
      on: 'return',
      to: 'FAILED',
      emits: 'INCOMING_PAYMENT.FAILED',
      why: 'the bank took a pull back',
    },
  ],
  refusals: { default: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL' },
})

/** The life of a refund, an object beside the status of its payment (accounts 10.5). */
export const refundMachine = defineMachine({
  name: 'refund',
  states: {
    PENDING: 'the money is on its way back',
    COMPLETED: 'the money is back',
    FAILED: 'nobody can be given the money; it waits in suspense',
  },
  initial: ['PENDING'],
  terminal: ['COMPLETED', 'FAILED'],
  transitions: [
    {
      from: ['PENDING'],
      on: 'complete',
      to: 'COMPLETED',
      why: 'the account or the rail has it',
    },
    {
      from: ['PENDING'],
      on: 'fail',
      to: 'FAILED',
      why: 'the account is not active, or there is no way back',
    },
  ],
  refusals: { default: 'CONFLICT' },
})

/** The life of a receivable: what an owner owes. */
export const receivableMachine = defineMachine({
  name: 'receivable',
  states: {
    OPEN: 'owed, in whole or in part',
    SETTLED: 'paid',
  },
  initial: ['OPEN'],
  terminal: ['SETTLED'],
  transitions: [
    {
      from: ['OPEN'],
      on: 'pay',
      to: 'OPEN',
      emits: 'RECEIVABLE.UPDATED',
      why: 'a part of it was collected',
    },
    {
      from: ['OPEN'],
      on: 'settle',
      to: 'SETTLED',
      emits: 'RECEIVABLE.UPDATED',
      why: 'all that was left was collected',
    },
  ],
  refusals: { default: 'CONFLICT' },
})
