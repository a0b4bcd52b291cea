import { defineMachine } from '@corridor/kernel'

/** The life of a device code as data (wallets 12.1). A code of an agent that is gone is unknown. */
export const deviceCodeMachine = defineMachine({
  name: 'device code',
  initial: ['LIVE'],
  terminal: ['REDEEMED', 'INVALIDATED'],
  states: {
    LIVE: 'the code can be redeemed for 24 hours after its creation',
    REDEEMED: 'the agent is connected',
    INVALIDATED: 'a newer code has replaced this code',
  },
  transitions: [
    { from: ['LIVE'], on: 'redeem', to: 'REDEEMED', why: 'the agent redeemed the code for an access token' },
    { from: ['LIVE'], on: 'replace', to: 'INVALIDATED', why: 'the platform created another code' },
  ],
  refusals: { default: 'INVALID_INPUT' },
})
