import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { deviceCodeMachine } from './machine.ts'
import { agentRoutes } from './routes.ts'

const tables = { guarded: ['agents', 'agent_device_codes'] } as const

/** What the columns say about people. */
const personalData = {
  agents: {
    erased: ['name', 'token_hash'],
    kept: { REFERENCE: ['customer_id'] },
    plain: ['is_paused', 'is_connected', 'policy', 'former_currencies', 'deleted_at'],
  },
  agent_device_codes: {
    kept: { REFERENCE: ['customer_id', 'agent_id'] },
    plain: ['code_hash', 'status', 'expires_at'],
  },
} as const satisfies PersonalData
const idKinds = ['Agent', 'AgentDeviceCode'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const agentsFeature = defineFeature({
  name: 'agents',
  routes: agentRoutes,
  machines: [deviceCodeMachine],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.agents',
      `update agents set name = 'erased', token_hash = null, deleted_at = coalesce(deleted_at, $4), updated_at = $4,
         version = version + 1
       where platform_id = $1 and environment = $2 and customer_id = $3 and name <> 'erased'`,
    ),
  ],
})
