import { defineMachine } from '@corridor/kernel'

/** The life of a way to sign in to a wallet (wallets 5). */
export const authMethodMachine = defineMachine({
  name: 'wallet credential',
  states: { ACTIVE: 'may be challenged and used', REVOKED: 'opens nothing any more' },
  initial: ['ACTIVE'],
  terminal: ['REVOKED'],
  transitions: [{ from: ['ACTIVE'], on: 'revoke', to: 'REVOKED', why: 'another credential signed for it' }],
  refusals: { default: 'REFERENCE_NOT_FOUND' },
})

/** The life of a code that was sent to a person (wallets 5.5). Its time ends it as well, without a move. */
export const otpMachine = defineMachine({
  name: 'wallet sign-in code',
  states: {
    LIVE: 'may be answered',
    CONSUMED: 'was answered rightly, once',
    LOCKED: 'was answered wrongly too often',
    SUPERSEDED: 'went to a contact that is no longer the customer’s',
  },
  initial: ['LIVE'],
  terminal: ['CONSUMED', 'LOCKED', 'SUPERSEDED'],
  transitions: [
    { from: ['LIVE'], on: 'use', to: 'CONSUMED', why: 'the answer was right' },
    { from: ['LIVE'], on: 'lock', to: 'LOCKED', why: 'the fifth wrong answer' },
    { from: ['LIVE'], on: 'supersede', to: 'SUPERSEDED', why: 'the contact changed' },
  ],
  refusals: { default: 'UNAUTHORIZED' },
})

/** The life of a session of a wallet (wallets 8). Its time ends it as well, without a move. */
export const walletSessionMachine = defineMachine({
  name: 'wallet session',
  states: { ACTIVE: 'its key may sign', REVOKED: 'its key signs nothing any more' },
  initial: ['ACTIVE'],
  terminal: ['REVOKED'],
  transitions: [
    { from: ['ACTIVE'], on: 'revoke', to: 'REVOKED', why: 'ended, or its credential was revoked' },
  ],
  refusals: { default: 'REFERENCE_NOT_FOUND' },
})
