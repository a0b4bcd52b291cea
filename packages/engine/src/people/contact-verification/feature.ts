import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { contactVerificationRoutes } from './routes.ts'

const tables = { guarded: ['contact_codes'] } as const

/** What the columns say about people. */
const personalData = {
  contact_codes: { plain: ['code_hash', 'wrong_attempts', 'sent_at', 'expires_at'] },
} as const satisfies PersonalData

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}

export const contactVerificationFeature = defineFeature({
  name: 'contact-verification',
  routes: contactVerificationRoutes,
  tables,
  personalData,
})
