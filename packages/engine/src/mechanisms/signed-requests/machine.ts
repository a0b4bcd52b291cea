import { defineMachine } from '@corridor/kernel'

/** The life of a challenge that a signature answers (wallets 4). Its time ends it as well, without a move. */
export const signedRequestMachine = defineMachine({
  name: 'signed request',
  states: {
    PENDING: 'may be answered',
    CONSUMED: 'was answered rightly, once',
    DEAD: 'can be answered no more',
  },
  initial: ['PENDING'],
  terminal: ['CONSUMED', 'DEAD'],
  transitions: [
    { from: ['PENDING'], on: 'consume', to: 'CONSUMED', why: 'the answer was right' },
    {
      from: ['PENDING'],
      on: 'end',
      to: 'DEAD',
      why: 'answered wrongly too often, or what it was asked for is gone',
    },
  ],
  refusals: { default: 'UNAUTHORIZED' },
})
