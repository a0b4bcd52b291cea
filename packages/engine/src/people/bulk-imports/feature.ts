import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { bulkUploadWebhook } from './events.ts'
import { bulkImportJobs } from './jobs.ts'
import { bulkImportMachine } from './machine.ts'
import { bulkImportRoutes } from './routes.ts'

const tables = {
  guarded: ['bulk_imports'],
  inserted: ['bulk_import_errors', 'bulk_import_parts'],
  deleted: ['bulk_import_parts'],
} as const
const idKinds = ['Job'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
  interface InsertedTables extends Named<typeof tables.inserted> {}
  interface DeletedTables extends Named<typeof tables.deleted> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const bulkImportsFeature = defineFeature({
  name: 'bulk-imports',
  routes: bulkImportRoutes,
  jobs: bulkImportJobs,
  machines: [bulkImportMachine],
  events: [bulkUploadWebhook],
  tables,
  idKinds,
})
