import { defineMachine } from '@corridor/kernel'

/** The life of an action as data (wallets 12.5). How its payment goes on is told by the transaction. */
export const agentActionMachine = defineMachine({
  name: 'agent action',
  initial: ['PENDING_APPROVAL', 'APPROVED'],
  terminal: ['APPROVED', 'REJECTED', 'FAILED'],
  states: {
    PENDING_APPROVAL:
      'the action is waiting for approval, without a time limit; the action reserves no money and counts toward no limit',
    APPROVED: 'the payment has started, with or without an approval',
    REJECTED: 'the platform rejected the action, or the agent was deleted',
    FAILED: 'the action was approved, but the payment could not start; no money moved',
  },
  transitions: [
    {
      from: ['PENDING_APPROVAL'],
      on: 'approve',
      to: 'APPROVED',
      why: 'the platform approved the action and the current policy allows it',
    },
    {
      from: ['PENDING_APPROVAL'],
      on: 'fail',
      to: 'FAILED',
      why: 'the quote has expired, the agent is paused, a limit is reached, or the balance is too low',
    },
    {
      from: ['PENDING_APPROVAL'],
      on: 'reject',
      to: 'REJECTED',
      why: 'the platform rejected the action, or the agent was deleted',
    },
  ],
  refusals: { default: 'CONFLICT' },
})
