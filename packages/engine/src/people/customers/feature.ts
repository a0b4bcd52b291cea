import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { eraseAnswers } from '../../mechanisms/http/idempotency.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { customerWebhook } from './events.ts'
import { customerJobs } from './jobs.ts'
import { customerPlainPages } from './plain-pages.ts'
import { customerRoutes } from './routes.ts'

const tables = {
  guarded: ['customers'],
  inserted: ['customer_consents', 'uma_addresses'],
  deleted: ['uma_addresses'],
} as const

/** What the columns say about people. */
const personalData = {
  customers: {
    erased: ['identifier_sealed', 'personal', 'email_hash', 'phone_hash', 'name_hash'],
    kept: {
      REFERENCE: ['platform_customer_id', 'uma_address'],
      DILIGENCE: ['customer_type', 'status', 'region', 'currencies', 'contact_verification'],
    },
    plain: ['deleted_at'],
  },
  customer_consents: { sealed: ['consent'], kept: { REFERENCE: ['customer_id'] }, plain: ['recorded_at'] },
  uma_addresses: { kept: { REFERENCE: ['address', 'customer_id'] } },
} as const satisfies PersonalData
const idKinds = ['Customer'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
  interface DeletedTables extends Named<typeof tables.deleted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const customersFeature = defineFeature({
  name: 'customers',
  routes: customerRoutes,
  jobs: customerJobs,
  events: [customerWebhook],
  tables,
  personalData,
  idKinds,
  plainPages: customerPlainPages,
  erasure: [eraseAnswers],
})
