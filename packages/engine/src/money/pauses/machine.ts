import { defineMachine } from '@corridor/kernel'

/** The life of a pause. It is lifted once; who pauses again makes another one. */
export const pauseMachine = defineMachine({
  name: 'payout pause',
  states: {
    IN_FORCE: 'the affected payouts are waiting',
    LIFTED: 'the waiting payouts continue',
  },
  initial: ['IN_FORCE'],
  terminal: ['LIFTED'],
  transitions: [{ from: ['IN_FORCE'], on: 'lift', to: 'LIFTED', why: 'an operator lifted the pause' }],
  refusals: { default: 'CONFLICT' },
})
