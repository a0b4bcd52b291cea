import { defineMachine } from '@corridor/kernel'

/** The life of what waits for a second person. After a day its time ends it, without a move. */
export const proposalMachine = defineMachine({
  name: 'operator proposal',
  states: {
    OPEN: 'somebody else may decide',
    APPROVED: 'somebody else did it',
    REFUSED: 'refused, or taken back by whoever proposed it',
  },
  initial: ['OPEN'],
  terminal: ['APPROVED', 'REFUSED'],
  transitions: [
    { from: ['OPEN'], on: 'approve', to: 'APPROVED', why: 'another operator approved it' },
    { from: ['OPEN'], on: 'refuse', to: 'REFUSED', why: 'an operator refused it' },
  ],
  refusals: { default: 'CONFLICT' },
})
