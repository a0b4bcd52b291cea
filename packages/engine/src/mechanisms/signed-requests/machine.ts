import { defineMachine } from '@corridor/kernel'

/** The life of a challenge that a signature answers (wallets 4). Its time ends it as well, without a move. */
export const signedRequestMachine = defineMachine({
  name: 'signed request',
  states: {
    PENDING: 'open',
    CONSUMED: 'used once, correctly',
    DEAD: 'no longer valid',
  },
  initial: ['PENDING'],
  terminal: ['CONSUMED', 'DEAD'],
  transitions: [
    { from: ['PENDING'], on: 'consume', to: 'CONSUMED', why: 'correct response' },
    {
      from: ['PENDING'],
      on: 'end',
      to: 'DEAD',
      why: 'too many failed attempts, or its subject no longer exists',
    },
  ],
  refusals: { default: 'UNAUTHORIZED' },
})
