import { defineMachine } from '@corridor/kernel'

/** The life of what waits for a second person. After a day its time ends it, without a move. */
export const proposalMachine = defineMachine({
  name: 'operator proposal',
  states: {
    OPEN: 'waiting for another operator',
    APPROVED: 'approved and carried out',
    REFUSED: 'rejected, or withdrawn by the proposing operator',
  },
  initial: ['OPEN'],
  terminal: ['APPROVED', 'REFUSED'],
  transitions: [
    { from: ['OPEN'], on: 'approve', to: 'APPROVED', why: 'another operator approved' },
    { from: ['OPEN'], on: 'refuse', to: 'REFUSED', why: 'an operator rejected or withdrew it' },
  ],
  refusals: { default: 'CONFLICT' },
})
