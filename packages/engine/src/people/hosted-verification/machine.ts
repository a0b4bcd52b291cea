import { defineMachine } from '@corridor/kernel'

/** The life of a link to the hosted page (customers 8). Time and the end of its customer end it without a move. */
export const verificationLinkMachine = defineMachine({
  name: 'verification link',
  states: { ISSUED: 'the link opens the page', USED: 'the link was used to submit the customer' },
  initial: ['ISSUED'],
  terminal: ['USED'],
  transitions: [{ from: ['ISSUED'], on: 'use', to: 'USED', why: 'the person completed the form' }],
  refusals: { default: 'CONFLICT' },
})
