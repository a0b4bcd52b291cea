import { defineMachine } from '@corridor/kernel'

/** The life of a device code as data (wallets 12.1). A code of an agent that is gone is unknown. */
export const deviceCodeMachine = defineMachine({
  name: 'device code',
  initial: ['LIVE'],
  terminal: ['REDEEMED', 'INVALIDATED'],
  states: {
    LIVE: 'can be redeemed until it expires, 24 hours after its creation',
    REDEEMED: 'its agent is connected',
    INVALIDATED: 'replaced by a newer code',
  },
  transitions: [
    { from: ['LIVE'], on: 'redeem', to: 'REDEEMED', why: 'the first redemption returns the access token' },
    { from: ['LIVE'], on: 'replace', to: 'INVALIDATED', why: 'the platform created another code' },
  ],
  refusals: { default: 'INVALID_INPUT' },
})
