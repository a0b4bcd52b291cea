import { defineMachine } from '@corridor/kernel'

/** The life of an outgoing payment (accounts 10.1). A refund is an object beside the status, not a status. */
export const outgoingMachine = defineMachine({
  name: 'outgoing transaction',
  states: {
    PENDING: 'the payment is executed; the source is debited or the collection is in progress',
    PENDING_AUTHORIZATION: "the payment is waiting for the customer's authorization; the amount is reserved",
    PROCESSING: 'the money is converted and the payment is on the rail',
    COMPLETED: 'the payment was delivered, or cancelled and refunded',
    FAILED: 'the payment was not delivered; a refund object shows where the money went',
    EXPIRED: 'the quote was not executed in time',
  },
  initial: ['PENDING', 'PENDING_AUTHORIZATION', 'EXPIRED'],
  terminal: ['FAILED', 'EXPIRED'],
  transitions: [
    {
      from: ['PENDING'],
      on: 'requireAuthorization',
      to: 'PENDING_AUTHORIZATION',
      emits: 'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
      why: 'the customer has to authorize the payment',
    },
    {
      from: ['PENDING_AUTHORIZATION'],
      on: 'authorize',
      to: 'PENDING',
      why: 'the customer authorized the payment',
    },
    {
      from: ['PENDING', 'PENDING_AUTHORIZATION'],
      on: 'process',
      to: 'PROCESSING',
      emits: 'OUTGOING_PAYMENT.PROCESSING',
      why: 'the rail accepted the payment, or realtime funds arrived',
    },
    {
      from: ['PROCESSING'],
      on: 'complete',
      to: 'COMPLETED',
      emits: 'OUTGOING_PAYMENT.COMPLETED',
      why: 'the payment was delivered, or the cancelled payment was refunded',
    },
    {
      from: ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING'],
      on: 'fail',
      to: 'FAILED',
      emits: 'OUTGOING_PAYMENT.FAILED',
      why: 'the payment was rejected, could not be delivered, or was not authorized',
    },
    {
      from: ['COMPLETED'],
      on: 'return',
      to: 'FAILED',
      emits: 'OUTGOING_PAYMENT.FAILED',
      why: 'the receiving bank returned the payment',
    },
    {
      from: ['PENDING'],
      on: 'expire',
      to: 'EXPIRED',
      emits: 'OUTGOING_PAYMENT.EXPIRED',
      why: 'the quote expired',
    },
  ],
  refusals: { default: 'TRANSACTION_NOT_CANCELLABLE' },
})

/** The life of an incoming payment (accounts 10.1). */
export const incomingMachine = defineMachine({
  name: 'incoming transaction',
  states: {
    CREATED: 'the counterparty looked up the receiver; no money has moved',
    PENDING: 'the payment is waiting for approval, review or collection',
    PROCESSING: 'the bank accepted the collection',
    COMPLETED: 'the money is credited',
    REJECTED: 'the platform rejected the payment; no money moved',
    FAILED: 'the money was not credited',
  },
  initial: ['CREATED', 'PENDING', 'COMPLETED'],
  terminal: ['REJECTED', 'FAILED'],
  transitions: [
    {
      from: ['CREATED'],
      on: 'request',
      to: 'PENDING',
      emits: 'INCOMING_PAYMENT.PENDING',
      why: 'the counterparty sent a pay request',
    },
    { from: ['PENDING'], on: 'process', to: 'PROCESSING', why: 'the bank accepted the collection' },
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
      why: 'the platform rejected the payment',
    },
    {
      from: ['PENDING', 'PROCESSING'],
      on: 'fail',
      to: 'FAILED',
      emits: 'INCOMING_PAYMENT.FAILED',
      why: 'the payment was rejected, was not approved in time, or could not be collected',
    },
    {
      from: ['COMPLETED'],
      on: 'return',
      to: 'FAILED',
      emits: 'INCOMING_PAYMENT.FAILED',
      why: 'the bank returned the collection',
    },
  ],
  refusals: { default: 'TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL' },
})

/** The life of a refund, an object beside the status of its payment (accounts 10.5). */
export const refundMachine = defineMachine({
  name: 'refund',
  states: {
    PENDING: 'the refund is in progress',
    COMPLETED: 'the refund is settled',
    FAILED: 'the refund failed; the money is in suspense',
  },
  initial: ['PENDING'],
  terminal: ['COMPLETED', 'FAILED'],
  transitions: [
    {
      from: ['PENDING'],
      on: 'complete',
      to: 'COMPLETED',
      why: 'the account or the rail received the refund',
    },
    {
      from: ['PENDING'],
      on: 'fail',
      to: 'FAILED',
      why: 'the account is not active, or the refund has no route',
    },
  ],
  refusals: { default: 'CONFLICT' },
})

/** The life of a receivable: what an owner owes. */
export const receivableMachine = defineMachine({
  name: 'receivable',
  states: {
    OPEN: 'the owner still owes all or part of the amount',
    SETTLED: 'the amount is paid',
    WRITTEN_OFF: 'the operator wrote off the outstanding amount',
  },
  initial: ['OPEN'],
  terminal: ['SETTLED', 'WRITTEN_OFF'],
  transitions: [
    {
      from: ['OPEN'],
      on: 'pay',
      to: 'OPEN',
      emits: 'RECEIVABLE.UPDATED',
      why: 'part of the amount was collected',
    },
    {
      from: ['OPEN'],
      on: 'settle',
      to: 'SETTLED',
      emits: 'RECEIVABLE.UPDATED',
      why: 'the rest of the amount was collected',
    },
    {
      from: ['OPEN'],
      on: 'writeOff',
      to: 'WRITTEN_OFF',
      emits: 'RECEIVABLE.UPDATED',
      why: 'the operator wrote off the outstanding amount',
    },
  ],
  refusals: { default: 'CONFLICT' },
})
