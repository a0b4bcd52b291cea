import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { statement } from '../../vocabulary/statement.ts'
import { invitationWebhook } from './events.ts'
import { expireInvitations } from './jobs.ts'
import { invitationMachine } from './machine.ts'
import { invitationPage } from './page.ts'
import { invitationRoutes } from './routes.ts'

const tables = { guarded: ['invitations'] } as const

declare module '../../vocabulary/names.ts' {
  interface GuardedTables extends Named<typeof tables.guarded> {}
}

export const invitationsFeature = defineFeature({
  name: 'invitations',
  routes: invitationRoutes,
  hostedPages: [invitationPage],
  sweeps: [expireInvitations],
  events: [invitationWebhook],
  machines: [invitationMachine],
  tables,
  erasure: [
    statement(
      'erasure.invitations',
      `update invitations set first_name = null, version = version + 1,
         status = case when status = 'PENDING' then 'CANCELLED' else status end
       where platform_id = $1 and environment = $2 and customer_id = $3`,
    ),
  ],
})
