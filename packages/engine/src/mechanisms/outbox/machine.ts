import { defineMachine } from '@corridor/kernel'

/** How an event fares on its way to a platform (webhooks 3). */
export const deliveryMachine = defineMachine({
  name: 'event delivery',
  states: {
    QUEUED: 'not attempted yet',
    RETRYING: 'attempted in vain, or held back on purpose, and attempted later',
    DELIVERED: 'the endpoint took it',
    FAILED: 'given up; the platform may ask for one more attempt',
    STORED: 'there was no endpoint to send it to',
  },
  initial: ['QUEUED', 'STORED'],
  terminal: ['STORED'],
  transitions: [
    { from: ['QUEUED', 'RETRYING'], on: 'deliver', to: 'DELIVERED', why: 'answered with success' },
    { from: ['QUEUED', 'RETRYING'], on: 'miss', to: 'RETRYING', why: 'no success, and time is left' },
    { from: ['QUEUED'], on: 'hold', to: 'RETRYING', why: 'a fault of the sandbox makes it late' },
    { from: ['QUEUED', 'RETRYING'], on: 'giveUp', to: 'FAILED', why: 'the last attempt was in vain' },
    { from: ['FAILED', 'DELIVERED'], on: 'resend', to: 'RETRYING', why: 'the platform asked for it' },
  ],
  refusals: { default: 'CONFLICT' },
})
