import { defineMachine } from '@corridor/kernel'

/** The life of a challenge that a signature answers (wallets 4). Its time ends it as well, without a move. */
export const signedRequestMachine = defineMachine({
  name: 'signed request',
  states: {
    PENDING: 'the request is waiting for its signature',
    CONSUMED: 'the request was signed correctly',
    DEAD: 'the request is no longer valid',
  },
  initial: ['PENDING'],
  terminal: ['CONSUMED', 'DEAD'],
  transitions: [
    { from: ['PENDING'], on: 'consume', to: 'CONSUMED', why: 'the signature is correct' },
    {
      from: ['PENDING'],
      on: 'end',
      to: 'DEAD',
      why: 'too many attempts failed, or the resource no longer exists',
    },
  ],
  refusals: { default: 'UNAUTHORIZED' },
})
