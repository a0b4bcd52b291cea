import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { defineFeature } from '../feature/define-feature.ts'
import { signedRequestMachine } from './machine.ts'

const tables = { guarded: ['signed_requests'] } as const

/** What the columns say about people. */
const personalData = {
  signed_requests: {
    erased: ['owner_id', 'content'],
    plain: ['operation', 'resource_id', 'status', 'failures', 'expires_at', 'is_remembered'],
  },
} as const satisfies PersonalData
const idKinds = ['Request'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const signedRequestsFeature = defineFeature({
  name: 'signed-requests',
  machines: [signedRequestMachine],
  tables,
  personalData,
  idKinds,
  retention: [{ of: 'requests', table: 'signed_requests' }],
  erasure: [
    statement(
      'erasure.challenges',
      'delete from signed_requests where platform_id = $1 and environment = $2 and owner_id = $3',
    ),
  ],
})
