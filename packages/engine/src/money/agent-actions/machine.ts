import { defineMachine } from '@corridor/kernel'

/** The life of an action as data (wallets 12.5). How its payment goes on is told by the transaction. */
export const agentActionMachine = defineMachine({
  name: 'agent action',
  initial: ['PENDING_APPROVAL', 'APPROVED'],
  terminal: ['APPROVED', 'REJECTED', 'FAILED'],
  states: {
    PENDING_APPROVAL:
      'waiting for approval, without a time limit; reserves no money and counts toward no limit',
    APPROVED: 'its payment started, at once or after an approval',
    REJECTED: 'rejected by the platform, or its agent was deleted',
    FAILED: 'approved, but the payment could not start; no money moved',
  },
  transitions: [
    { from: ['PENDING_APPROVAL'], on: 'approve', to: 'APPROVED', why: 'the current policy allows it' },
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
      why: 'the platform rejects it, or the agent is deleted',
    },
  ],
  refusals: { default: 'CONFLICT' },
})
