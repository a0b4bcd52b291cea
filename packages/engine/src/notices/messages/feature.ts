import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { messageJobs } from './jobs.ts'
import { messageRoutes } from './routes.ts'

const tables = { guarded: ['messages'] } as const

/** What the columns say about people. */
const personalData = {
  messages: {
    erased: ['content'],
    kept: { REFERENCE: ['owner_id'] },
    plain: ['channel', 'purpose', 'status', 'last_error', 'expires_at'],
  },
} as const satisfies PersonalData
const idKinds = ['Message'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const messagesFeature = defineFeature({
  name: 'messages',
  routes: messageRoutes,
  jobs: messageJobs,
  tables,
  personalData,
  idKinds,
  retention: [{ of: 'messages', table: 'messages', unless: "t.status = 'QUEUED'" }],
  erasure: [
    statement(
      'erasure.messages',
      'update messages set content = null where platform_id = $1 and environment = $2 and owner_id = $3',
    ),
  ],
})
