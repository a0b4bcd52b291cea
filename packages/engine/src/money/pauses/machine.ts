import { defineMachine } from '@corridor/kernel'

/** The life of a pause. It is lifted once; who pauses again makes another one. */
export const pauseMachine = defineMachine({
  name: 'payout pause',
  states: {
    IN_FORCE: 'the paused payouts wait',
    LIFTED: 'the waiting payouts have continued or are about to',
  },
  initial: ['IN_FORCE'],
  terminal: ['LIFTED'],
  transitions: [{ from: ['IN_FORCE'], on: 'lift', to: 'LIFTED', why: 'an operator lifted it' }],
  refusals: { default: 'CONFLICT' },
})
