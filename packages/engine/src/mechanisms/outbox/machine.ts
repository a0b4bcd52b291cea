import { defineMachine } from '@corridor/kernel'

/** How an event fares on its way to a platform (webhooks 3). */
export const deliveryMachine = defineMachine({
  name: 'event delivery',
  states: {
    QUEUED: 'no attempt yet',
    RETRYING: 'failed, or delayed in the sandbox; another attempt follows',
    DELIVERED: 'the endpoint accepted it',
    FAILED: 'no longer retried; the platform can resend it',
    STORED: 'no endpoint was set',
  },
  initial: ['QUEUED', 'STORED'],
  terminal: ['STORED'],
  transitions: [
    { from: ['QUEUED', 'RETRYING'], on: 'deliver', to: 'DELIVERED', why: 'successful response' },
    {
      from: ['QUEUED', 'RETRYING'],
      on: 'miss',
      to: 'RETRYING',
      why: 'failed attempt; the retry period is not over',
    },
    { from: ['QUEUED'], on: 'hold', to: 'RETRYING', why: 'delayed in the sandbox' },
    { from: ['QUEUED', 'RETRYING'], on: 'giveUp', to: 'FAILED', why: 'the last attempt failed' },
    { from: ['FAILED', 'DELIVERED'], on: 'resend', to: 'RETRYING', why: 'the platform resent it' },
  ],
  refusals: { default: 'CONFLICT' },
})
