import { defineMachine } from '@corridor/kernel'

/** The life of a pause. It is lifted once; who pauses again makes another one. */
export const pauseMachine = defineMachine({
  name: 'payout pause',
  states: {
    IN_FORCE: 'payouts that it names wait',
    LIFTED: 'what waited has gone on, or is about to',
  },
  initial: ['IN_FORCE'],
  terminal: ['LIFTED'],
  transitions: [{ from: ['IN_FORCE'], on: 'lift', to: 'LIFTED', why: 'operators lifted it' }],
  refusals: { default: 'CONFLICT' },
})
