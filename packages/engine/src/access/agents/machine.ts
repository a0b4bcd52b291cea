import { defineMachine } from '@corridor/kernel'

/** The life of a device code as data (wallets 12.1). A code of an agent that is gone is unknown. */
export const deviceCodeMachine = defineMachine({
  name: 'device code',
  initial: ['LIVE'],
  terminal: ['REDEEMED', 'INVALIDATED'],
  states: {
    LIVE: 'can be redeemed until it expires, 24 hours after it was made',
    REDEEMED: 'its agent is connected',
    INVALIDATED: 'a newer code took its place',
  },
  transitions: [
    { from: ['LIVE'], on: 'redeem', to: 'REDEEMED', why: 'the first who shows it gets the access token' },
    { from: ['LIVE'], on: 'replace', to: 'INVALIDATED', why: 'the platform asked for another one' },
  ],
  refusals: { default: 'INVALID_INPUT' },
})
