import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { faultJobs } from './jobs.ts'
import { faultRoutes } from './routes.ts'

const tables = { guarded: ['faults'] } as const

/** What the columns say about people. */
const personalData = {
  faults: { plain: ['kind', 'target', 'said', 'seen', 'hits', 'deleted_at', 'reorder_window'] },
} as const satisfies PersonalData
const idKinds = ['Fault'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const faultsFeature = defineFeature({
  name: 'faults',
  routes: faultRoutes,
  jobs: faultJobs,
  tables,
  personalData,
  idKinds,
  retention: [
    // Who is met again after that is drawn for as if it were the first time.
    { of: 'requests', table: 'fault_encounters' },
    {
      of: 'requests',
      table: 'fault_activations',
      // What becomes of a payment is decided by its hits, and asked for until it has ended.
      unless: `t.target = 'RAIL' and (exists (select from held_payouts h where h.platform_id = t.platform_id
        and h.environment = t.environment and h.id = t.subject) or exists (select from jobs j where j.platform_id = t.platform_id
        and j.environment = t.environment and j.key = t.subject and j.dead_at is null))`,
    },
  ],
})
