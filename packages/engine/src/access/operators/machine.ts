import { defineMachine } from '@corridor/kernel'

/** The life of what waits for a second person. After a day its time ends it, without a move. */
export const proposalMachine = defineMachine({
  name: 'operator proposal',
  states: {
    OPEN: 'the proposal is waiting for another operator',
    APPROVED: 'another operator approved the proposal, and Corridor ran it',
    REFUSED: 'an operator rejected the proposal, or its author withdrew it',
  },
  initial: ['OPEN'],
  terminal: ['APPROVED', 'REFUSED'],
  transitions: [
    { from: ['OPEN'], on: 'approve', to: 'APPROVED', why: 'another operator approved the proposal' },
    { from: ['OPEN'], on: 'refuse', to: 'REFUSED', why: 'an operator rejected or withdrew the proposal' },
  ],
  refusals: { default: 'CONFLICT' },
})
