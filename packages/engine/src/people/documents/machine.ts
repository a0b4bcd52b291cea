import { defineMachine } from '@corridor/kernel'

/** The life of a document (customers 9). Deleting is a mark beside the status. */
export const documentMachine = defineMachine({
  name: 'document',
  states: { UPLOADED: 'can be replaced and deleted', SUBMITTED: 'part of a submission, and locked' },
  initial: ['UPLOADED'],
  terminal: ['SUBMITTED'],
  transitions: [{ from: ['UPLOADED'], on: 'submit', to: 'SUBMITTED', why: 'the customer was submitted' }],
  refusals: { default: 'CONFLICT' },
})
