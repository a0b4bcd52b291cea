import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { bulkUploadWebhook } from './events.ts'
import { bulkImportJobs } from './jobs.ts'
import { bulkImportMachine } from './machine.ts'
import { bulkImportRoutes } from './routes.ts'

const tables = {
  guarded: ['bulk_imports'],
  inserted: ['bulk_import_errors', 'bulk_import_parts'],
  deleted: ['bulk_import_parts'],
} as const

/** What the columns say about people. */
const personalData = {
  bulk_imports: { plain: ['status', 'total', 'successful', 'failed', 'completed_at'] },
  bulk_import_errors: { kept: { REFERENCE: ['entry'] }, plain: ['import_id', 'position'] },
  bulk_import_parts: { kept: { PASSING: ['content'] }, plain: ['import_id', 'kind', 'position'] },
} as const satisfies PersonalData
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
  personalData,
  idKinds,
})
