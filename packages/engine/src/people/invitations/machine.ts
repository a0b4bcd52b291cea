import { defineMachine } from '@corridor/kernel'

/** The states of an invitation (webhooks-uma 4). */
export const invitationMachine = defineMachine({
  name: 'invitation',
  states: {
    PENDING: 'anyone with the code can claim it',
    CLAIMED: 'claimed by a customer',
    EXPIRED: 'expired before a claim',
    CANCELLED: 'cancelled by the platform that created it',
  },
  initial: ['PENDING'],
  terminal: ['CLAIMED', 'EXPIRED', 'CANCELLED'],
  transitions: [
    {
      from: ['PENDING'],
      on: 'claim',
      to: 'CLAIMED',
      emits: 'INVITATION.CLAIMED',
      why: 'a customer of any platform claims it',
    },
    { from: ['PENDING'], on: 'cancel', to: 'CANCELLED', why: 'its platform cancels it' },
    { from: ['PENDING'], on: 'expire', to: 'EXPIRED', why: 'the expiry passed' },
  ],
  refusals: {
    CLAIMED: 'INVITATION_ALREADY_CLAIMED',
    CANCELLED: 'INVITATION_CANCELLED',
    default: 'INVALID_INPUT',
  },
})
