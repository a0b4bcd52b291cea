import { defineMachine } from '@corridor/kernel'

/** The life of a key that signs for a card (wallets 11). */
export const delegatedKeyMachine = defineMachine({
  name: 'delegated key',
  states: {
    PENDING: 'the owner of the wallet has not signed the key yet',
    ACTIVE: 'the key signs card payments',
    REVOKED: 'the key can no longer sign',
  },
  initial: ['PENDING'],
  terminal: ['REVOKED'],
  transitions: [
    { from: ['PENDING'], on: 'activate', to: 'ACTIVE', why: 'the owner signed' },
    {
      from: ['ACTIVE'],
      on: 'revoke',
      to: 'REVOKED',
      why: 'the key was revoked, or its card or wallet was removed',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})
