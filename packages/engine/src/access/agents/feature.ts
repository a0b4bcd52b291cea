import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { statement } from '../../vocabulary/statement.ts'
import { deviceCodeMachine } from './machine.ts'
import { agentRoutes } from './routes.ts'

const tables = { guarded: ['agents', 'agent_device_codes'] } as const
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
