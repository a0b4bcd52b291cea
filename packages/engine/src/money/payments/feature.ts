import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { advancePayment } from './jobs.ts'
import { incomingMachine, outgoingMachine } from './machine.ts'
import { replaySuspenseItems } from './suspense-jobs.ts'

const tables = { guarded: ['transactions', 'suspense_items'] } as const
const idKinds = ['Transaction'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const paymentsFeature = defineFeature({
  name: 'payments',
  jobs: [advancePayment, replaySuspenseItems],
  machines: [outgoingMachine, incomingMachine],
  tables,
  idKinds,
  ledgerAccounts: ['txn', 'refund', 'pfee', 'fx', 'fee', 'cpfee', 'netfee', 'rail', 'susp', 'recv', 'loss'],
})
