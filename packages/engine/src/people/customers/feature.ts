import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { eraseAnswers } from '../../mechanisms/http/idempotency.ts'
import type { Named } from '../../vocabulary/names.ts'
import { customerWebhook } from './events.ts'
import { customerJobs } from './jobs.ts'
import { customerPlainPages } from './plain-pages.ts'
import { customerRoutes } from './routes.ts'

const tables = {
  guarded: ['customers'],
  inserted: ['customer_consents', 'uma_addresses'],
  deleted: ['uma_addresses'],
} as const
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
  idKinds,
  plainPages: customerPlainPages,
  erasure: [eraseAnswers],
})
