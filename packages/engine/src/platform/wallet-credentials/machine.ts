import { defineMachine } from '@corridor/kernel'

/** The life of a way to sign in to a wallet (wallets 5). */
export const authMethodMachine = defineMachine({
  name: 'wallet credential',
  states: { ACTIVE: 'the credential can be used', REVOKED: 'the credential can no longer be used' },
  initial: ['ACTIVE'],
  terminal: ['REVOKED'],
  transitions: [
    {
      from: ['ACTIVE'],
      on: 'revoke',
      to: 'REVOKED',
      why: 'a session of another credential signed the revocation',
    },
  ],
  refusals: { default: 'REFERENCE_NOT_FOUND' },
})

/** The life of a code that was sent to a person (wallets 5.5). Its time ends it as well, without a move. */
export const otpMachine = defineMachine({
  name: 'wallet sign-in code',
  states: {
    LIVE: 'open',
    CONSUMED: 'used once, correctly',
    LOCKED: 'locked after too many wrong codes',
    SUPERSEDED: 'sent to a contact that the customer has replaced',
  },
  initial: ['LIVE'],
  terminal: ['CONSUMED', 'LOCKED', 'SUPERSEDED'],
  transitions: [
    { from: ['LIVE'], on: 'use', to: 'CONSUMED', why: 'correct response' },
    { from: ['LIVE'], on: 'lock', to: 'LOCKED', why: 'fifth wrong response' },
    { from: ['LIVE'], on: 'supersede', to: 'SUPERSEDED', why: 'the contact changed' },
  ],
  refusals: { default: 'UNAUTHORIZED' },
})

/** The life of a session of a wallet (wallets 8). Its time ends it as well, without a move. */
export const walletSessionMachine = defineMachine({
  name: 'wallet session',
  states: { ACTIVE: 'the key of the session can sign', REVOKED: 'the key of the session can no longer sign' },
  initial: ['ACTIVE'],
  terminal: ['REVOKED'],
  transitions: [
    {
      from: ['ACTIVE'],
      on: 'revoke',
      to: 'REVOKED',
      why: 'the session ended, or its credential was revoked',
    },
  ],
  refusals: { default: 'REFERENCE_NOT_FOUND' },
})
