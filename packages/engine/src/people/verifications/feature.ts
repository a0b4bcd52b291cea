import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { verificationWebhook } from './events.ts'
import { verificationRoutes } from './routes.ts'

const tables = { guarded: ['verifications'] } as const

/** What the columns say about people. */
const personalData = {
  verifications: {
    erased: ['review_note'],
    kept: { REFERENCE: ['customer_id'], DILIGENCE: ['number', 'status', 'errors', 'declared_volume'] },
  },
} as const satisfies PersonalData
const idKinds = ['Verification'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const verificationsFeature = defineFeature({
  name: 'verifications',
  routes: verificationRoutes,
  events: [verificationWebhook],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.reviews',
      `update verifications set review_note = null, version = version + 1
     where platform_id = $1 and environment = $2 and customer_id = $3`,
    ),
  ],
})
