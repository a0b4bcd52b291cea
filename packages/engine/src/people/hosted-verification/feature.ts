import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { verificationLinkMachine } from './machine.ts'
import { hostedVerificationRoutes } from './routes.ts'

const tables = { guarded: ['verification_links'] } as const

/** What the columns say about people. */
const personalData = {
  verification_links: {
    erased: ['redirect_uri'],
    kept: { REFERENCE: ['customer_id'] },
    plain: ['status', 'token_hash', 'expires_at'],
  },
} as const satisfies PersonalData
const idKinds = ['VerificationLink'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const hostedVerificationFeature = defineFeature({
  name: 'hosted-verification',
  routes: hostedVerificationRoutes,
  machines: [verificationLinkMachine],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.links',
      `update verification_links set redirect_uri = null, version = version + 1
     where platform_id = $1 and environment = $2 and customer_id = $3`,
    ),
  ],
})
