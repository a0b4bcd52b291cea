import { defineMachine } from '@corridor/kernel'

/** The life of an import of customers (customers 6.2). */
export const bulkImportMachine = defineMachine({
  name: 'bulk import',
  states: {
    PENDING: 'the file is stored',
    PROCESSING: 'its rows are imported, some at a time',
    COMPLETED: 'at least one row is a customer',
    FAILED: 'no row became a customer',
  },
  initial: ['PENDING'],
  terminal: ['COMPLETED', 'FAILED'],
  transitions: [
    { from: ['PENDING'], on: 'parse', to: 'PROCESSING', why: 'the file is well-formed' },
    {
      from: ['PROCESSING'],
      on: 'complete',
      to: 'COMPLETED',
      emits: 'BULK_UPLOAD.COMPLETED',
      why: 'every row was tried, one with success',
    },
    {
      from: ['PENDING', 'PROCESSING'],
      on: 'fail',
      to: 'FAILED',
      emits: 'BULK_UPLOAD.FAILED',
      why: 'the file is of no use, or every row was refused',
    },
  ],
  refusals: { default: 'CONFLICT' },
})
