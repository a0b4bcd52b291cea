import { defineMachine } from '@corridor/kernel'

/** The life of an action as data (wallets 12.5). How its payment goes on is told by the transaction. */
export const agentActionMachine = defineMachine({
  name: 'agent action',
  initial: ['PENDING_APPROVAL', 'APPROVED'],
  terminal: ['APPROVED', 'REJECTED', 'FAILED'],
  states: {
    PENDING_APPROVAL: 'nothing is held and nothing counted; waits as long as it takes',
    APPROVED: 'its payment began, at once or after an approval',
    REJECTED: 'refused by the platform, or its agent is gone',
    FAILED: 'was approved and could not begin; nothing moved',
  },
  transitions: [
    { from: ['PENDING_APPROVAL'], on: 'approve', to: 'APPROVED', why: 'the policy of this moment allows it' },
    {
      from: ['PENDING_APPROVAL'],
      on: 'fail',
      to: 'FAILED',
      why: 'the quote is over, the agent paused, a limit reached, the balance short',
    },
    {
      from: ['PENDING_APPROVAL'],
      on: 'reject',
      to: 'REJECTED',
      why: 'the platform, or the end of the agent',
    },
  ],
  refusals: { default: 'CONFLICT' },
})
