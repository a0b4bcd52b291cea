import { defineMachine } from '@corridor/kernel'

/** The life of an import of customers (customers 6.2). */
export const bulkImportMachine = defineMachine({
  name: 'bulk import',
  states: {
    PENDING: 'the file is stored',
    PROCESSING: 'the import is in progress',
    COMPLETED: 'at least one customer was created',
    FAILED: 'no customer was created',
  },
  initial: ['PENDING'],
  terminal: ['COMPLETED', 'FAILED'],
  transitions: [
    { from: ['PENDING'], on: 'parse', to: 'PROCESSING', why: 'the file is valid' },
    {
      from: ['PROCESSING'],
      on: 'complete',
      to: 'COMPLETED',
      emits: 'BULK_UPLOAD.COMPLETED',
      why: 'all rows were processed and at least one succeeded',
    },
    {
      from: ['PENDING', 'PROCESSING'],
      on: 'fail',
      to: 'FAILED',
      emits: 'BULK_UPLOAD.FAILED',
      why: 'the file is invalid, or every row failed',
    },
  ],
  refusals: { default: 'CONFLICT' },
})
