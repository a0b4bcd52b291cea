import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { watchCollections } from './collection-jobs.ts'
import { releaseHeld } from './held.ts'
import { advancePayment } from './jobs.ts'
import { incomingMachine, outgoingMachine, receivableMachine, refundMachine } from './machine.ts'
import { replaySuspenseItems } from './suspense-jobs.ts'
import { askingForOperator } from './uma-ending.ts'
import { aboutPayers } from './words.ts'

const tables = {
  guarded: ['transactions', 'suspense_items', 'receivables'],
  inserted: ['lightning_payouts', 'held_payouts'],
  deleted: ['held_payouts'],
} as const

/** What the columns say about people. */
const personalData = {
  transactions: {
    erased: [
      'words',
      'words_for',
      'flow.remittanceInformation',
      'details.description',
      'details.rejectionReason',
      'details.counterpartyInformation',
    ],
    kept: {
      REFERENCE: ['owner_id', 'platform_customer_id'],
      PAYMENT: [
        'source',
        'destination',
        'sender_identifiers',
        'receiver_identifiers',
        'refund',
        'flow',
        'details',
        'reference',
        'refund_reference',
      ],
    },
    plain: [
      'status',
      'type',
      'direction',
      'quote_id',
      'sent_amount',
      'sent_currency',
      'received_amount',
      'received_currency',
      'failure_reason',
      'rail',
      'settled_at',
    ],
  },
  suspense_items: {
    erased: ['deposit.originator', 'deposit.payerReference'],
    kept: { PAYMENT: ['deposit'], STAFF: ['decided_by', 'decided_reason'] },
    plain: ['kind', 'status', 'internal_account_id', 'currency', 'amount', 'decided_at'],
  },
  lightning_payouts: { plain: ['transaction_id', 'claim'] },
  held_payouts: { plain: ['pause_id', 'rail', 'held_at'] },
  receivables: {
    kept: { REFERENCE: ['owner_id'] },
    plain: [
      'currency',
      'status',
      'cause',
      'transaction_id',
      'counter_account_id',
      'amount',
      'remaining',
      'written_off',
      'settled_at',
    ],
  },
} as const satisfies PersonalData
const idKinds = ['Transaction', 'Receivable'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
  interface DeletedTables extends Named<typeof tables.deleted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

/** Where they stand in plain, in rows of earlier releases. */
const payers = aboutPayers.join(',')

export const paymentsFeature = defineFeature({
  name: 'payments',
  jobs: [advancePayment, watchCollections, askingForOperator, replaySuspenseItems],
  sweeps: [releaseHeld],
  machines: [outgoingMachine, incomingMachine, refundMachine, receivableMachine],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.payers',
      `update transactions set source = source - '{${payers}}'::text[], version = version + 1, updated_at = $4
       where platform_id = $1 and environment = $2 and owner_id = $3 and source ?| '{${payers}}'::text[]`,
    ),
    statement(
      'erasure.paymentTexts',
      `update transactions set flow = flow - 'remittanceInformation',
         details = details - '{description,rejectionReason}'::text[], words = null, words_for = null,
         version = version + 1, updated_at = $4
       where platform_id = $1 and environment = $2 and owner_id = $3
         and (words is not null or flow ? 'remittanceInformation' or details ?| '{description,rejectionReason}'::text[])`,
    ),
    statement(
      'erasure.suspendedPayers',
      `update suspense_items set deposit = deposit - 'originator' - 'payerReference', version = version + 1
       where platform_id = $1 and environment = $2 and internal_account_id in
         (select id from internal_accounts where platform_id = $1 and environment = $2 and owner_id = $3)`,
    ),
  ],
  ledgerAccounts: ['txn', 'refund', 'pfee', 'fx', 'fee', 'cpfee', 'netfee', 'rail', 'susp', 'recv', 'loss'],
})
