import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { beneficialOwnerRoutes } from './routes.ts'

const tables = { guarded: ['beneficial_owners'] } as const

/** What the columns say about people. */
const personalData = {
  beneficial_owners: {
    erased: ['personal'],
    kept: { REFERENCE: ['customer_id'], DILIGENCE: ['status', 'roles', 'ownership_percentage'] },
  },
} as const satisfies PersonalData
const idKinds = ['BeneficialOwner'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const beneficialOwnersFeature = defineFeature({
  name: 'beneficial-owners',
  routes: beneficialOwnerRoutes,
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.owners',
      `update beneficial_owners set personal = null, version = version + 1
     where platform_id = $1 and environment = $2 and customer_id = $3`,
    ),
  ],
})
