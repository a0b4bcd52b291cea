import { defineMachine } from '@corridor/kernel'

/** The life of a document (customers 9). Deleting is a mark beside the status. */
export const documentMachine = defineMachine({
  name: 'document',
  states: {
    UPLOADED: 'the document can be replaced and deleted',
    SUBMITTED: 'the document is part of a submission and can no longer change',
  },
  initial: ['UPLOADED'],
  terminal: ['SUBMITTED'],
  transitions: [
    { from: ['UPLOADED'], on: 'submit', to: 'SUBMITTED', why: 'the customer was submitted for verification' },
  ],
  refusals: { default: 'CONFLICT' },
})
