import { defineMachine } from '@corridor/kernel'

/** The states of an invitation (webhooks-uma 4). */
export const invitationMachine = defineMachine({
  name: 'invitation',
  states: {
    PENDING: 'can be claimed by whoever holds the code',
    CLAIMED: 'somebody has opened an account with it',
    EXPIRED: 'its time was up before anybody claimed it',
    CANCELLED: 'taken back by the platform that made it',
  },
  initial: ['PENDING'],
  terminal: ['CLAIMED', 'EXPIRED', 'CANCELLED'],
  transitions: [
    {
      from: ['PENDING'],
      on: 'claim',
      to: 'CLAIMED',
      emits: 'INVITATION.CLAIMED',
      why: 'a customer of some platform took it up',
    },
    { from: ['PENDING'], on: 'cancel', to: 'CANCELLED', why: 'its platform takes it back' },
    { from: ['PENDING'], on: 'expire', to: 'EXPIRED', why: 'its time is up' },
  ],
  refusals: {
    CLAIMED: 'INVITATION_ALREADY_CLAIMED',
    CANCELLED: 'INVITATION_CANCELLED',
    default: 'INVALID_INPUT',
  },
})
