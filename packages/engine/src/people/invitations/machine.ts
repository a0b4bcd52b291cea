import { defineMachine } from '@corridor/kernel'

/** The states of an invitation (webhooks-uma 4). */
export const invitationMachine = defineMachine({
  name: 'invitation',
  states: {
    PENDING: 'anyone with the code can claim the invitation',
    CLAIMED: 'a customer claimed the invitation',
    EXPIRED: 'the invitation expired before a claim',
    CANCELLED: 'the platform cancelled its invitation',
  },
  initial: ['PENDING'],
  terminal: ['CLAIMED', 'EXPIRED', 'CANCELLED'],
  transitions: [
    {
      from: ['PENDING'],
      on: 'claim',
      to: 'CLAIMED',
      emits: 'INVITATION.CLAIMED',
      why: 'a customer of any platform claimed the invitation',
    },
    { from: ['PENDING'], on: 'cancel', to: 'CANCELLED', why: 'the platform cancelled its invitation' },
    { from: ['PENDING'], on: 'expire', to: 'EXPIRED', why: 'the invitation expired' },
  ],
  refusals: {
    CLAIMED: 'INVITATION_ALREADY_CLAIMED',
    CANCELLED: 'INVITATION_CANCELLED',
    default: 'INVALID_INPUT',
  },
})
