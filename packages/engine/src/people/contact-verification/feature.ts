import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { contactVerificationRoutes } from './routes.ts'

const tables = { guarded: ['contact_codes'] } as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}

export const contactVerificationFeature = defineFeature({
  name: 'contact-verification',
  routes: contactVerificationRoutes,
  tables,
})
