import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { documentJobs } from './jobs.ts'
import { documentMachine } from './machine.ts'
import { documentRoutes } from './routes.ts'

const tables = { guarded: ['documents'] } as const

/** What the columns say about people. */
const personalData = {
  documents: {
    erased: ['details'],
    kept: {
      REFERENCE: ['holder_id', 'customer_id'],
      DILIGENCE: ['status', 'document_type', 'side', 'country'],
    },
    plain: ['content_type', 'size_bytes', 'blob_key', 'deleted_at'],
  },
} as const satisfies PersonalData
const idKinds = ['Document'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const documentsFeature = defineFeature({
  name: 'documents',
  routes: documentRoutes,
  jobs: documentJobs,
  machines: [documentMachine],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.documents',
      `update documents set details = null, version = version + 1, deleted_at = coalesce(deleted_at, $4)
     where platform_id = $1 and environment = $2 and customer_id = $3`,
    ),
  ],
})
