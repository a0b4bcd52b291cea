import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { agentActionWebhook } from './events.ts'
import { agentActionMachine } from './machine.ts'
import { agentActionRoutes } from './routes.ts'

const tables = { guarded: ['agent_actions'] } as const

/** What the columns say about people. */
const personalData = {
  agent_actions: {
    erased: ['rejection_reason', 'transfer.request.remittanceInformation'],
    kept: {
      REFERENCE: ['customer_id', 'platform_customer_id', 'agent_id', 'decided_by'],
      PAYMENT: ['transfer'],
    },
    plain: ['type', 'status', 'quote_id', 'signature', 'transaction_id'],
  },
} as const satisfies PersonalData
const idKinds = ['AgentAction'] as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}
declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const agentActionsFeature = defineFeature({
  name: 'agent-actions',
  routes: agentActionRoutes,
  events: [agentActionWebhook],
  machines: [agentActionMachine],
  tables,
  personalData,
  idKinds,
  erasure: [
    statement(
      'erasure.agentActions',
      `update agent_actions set rejection_reason = null, version = version + 1,
         transfer = transfer #- '{request,remittanceInformation}'
       where platform_id = $1 and environment = $2 and customer_id = $3
         and (rejection_reason is not null or transfer->'request' ? 'remittanceInformation')`,
    ),
  ],
})
