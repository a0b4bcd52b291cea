import { defineMachine } from '@corridor/kernel'

/** How an event fares on its way to a platform (webhooks 3). */
export const deliveryMachine = defineMachine({
  name: 'event delivery',
  states: {
    QUEUED: 'Corridor has not tried to deliver the event yet',
    RETRYING: 'the event failed or was delayed in the sandbox, and Corridor will try again',
    DELIVERED: 'the endpoint accepted the event',
    FAILED: 'Corridor no longer retries the event, but the platform can resend it',
    STORED: 'no endpoint was set',
  },
  initial: ['QUEUED', 'STORED'],
  terminal: ['STORED'],
  transitions: [
    { from: ['QUEUED', 'RETRYING'], on: 'deliver', to: 'DELIVERED', why: 'the endpoint accepted the event' },
    {
      from: ['QUEUED', 'RETRYING'],
      on: 'miss',
      to: 'RETRYING',
      why: 'the attempt failed within the retry period',
    },
    { from: ['QUEUED'], on: 'hold', to: 'RETRYING', why: 'a fault delays the event in the sandbox' },
    { from: ['QUEUED', 'RETRYING'], on: 'giveUp', to: 'FAILED', why: 'the last attempt failed' },
    { from: ['FAILED', 'DELIVERED'], on: 'resend', to: 'RETRYING', why: 'the platform resent the event' },
  ],
  refusals: { default: 'CONFLICT' },
})
