import { route } from '../../mechanisms/feature/bound.ts'
import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { readTravelRuleInfo } from './contract.ts'
import { collect } from './lightning.ts'
import { umaPages } from './pages.ts'
import { readTravelRuleInfo as readInfo } from './travel-rule.ts'

const tables = { guarded: ['uma_payments'], inserted: ['uma_requests'] } as const

/** What the columns say about people. */
const personalData = {
  uma_payments: {
    erased: ['payer_uma', 'payee_uma', 'travel_rule_info'],
    kept: { REFERENCE: ['customer_id'] },
    plain: [
      'transaction_id',
      'peer_domain',
      'amount_msats',
      'preimage',
      'expires_at',
      'settled_at',
      'layer',
      'peer_signing_key',
      'credit_line_msats',
      'utxo_callback',
    ],
  },
  uma_requests: { kept: { PASSING: ['customer_id'] }, plain: ['peer_domain', 'expires_at', 'major_version'] },
} as const satisfies PersonalData

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
}

export const umaProviderFeature = defineFeature({
  name: 'uma-provider',
  routes: [route(readTravelRuleInfo, (engine, { params }) => readInfo(engine, params.transactionId))],
  jobs: [collect],
  hostedPages: umaPages,
  tables,
  personalData,
  erasure: [
    statement(
      'erasure.umaPayments',
      `update uma_payments set payer_uma = '', payee_uma = '', travel_rule_info = null, version = version + 1
       where platform_id = $1 and environment = $2 and customer_id = $3 and settled_at is not null`,
    ),
  ],
})
