import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { pauseMachine } from './machine.ts'
import { pauseRoutes } from './routes.ts'

const tables = { guarded: ['payout_pauses'] } as const

/** What the columns say about people. */
const personalData = {
  payout_pauses: {
    kept: { STAFF: ['reason', 'paused_by', 'lifted_by', 'lift_reason'] },
    plain: ['status', 'of_environment', 'of_platform_id', 'of_rail', 'reason_code', 'lifted_at'],
  },
} as const satisfies PersonalData
const idKinds = ['Pause'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const pausesFeature = defineFeature({
  name: 'pauses',
  routes: pauseRoutes,
  machines: [pauseMachine],
  tables,
  personalData,
  idKinds,
})
