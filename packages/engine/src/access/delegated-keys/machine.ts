import { defineMachine } from '@corridor/kernel'

/** The life of a key that signs for a card (wallets 11). */
export const delegatedKeyMachine = defineMachine({
  name: 'delegated key',
  states: {
    PENDING: 'made, and not yet signed for by its owner',
    ACTIVE: 'signs what the card spends',
    REVOKED: 'signs nothing any more',
  },
  initial: ['PENDING'],
  terminal: ['REVOKED'],
  transitions: [
    { from: ['PENDING'], on: 'activate', to: 'ACTIVE', why: 'the owner signed for it' },
    { from: ['ACTIVE'], on: 'revoke', to: 'REVOKED', why: 'taken away, or its card or wallet is gone' },
  ],
  refusals: { default: 'INVALID_INPUT' },
})
