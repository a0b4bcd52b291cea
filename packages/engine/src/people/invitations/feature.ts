import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import type { PersonalData } from '../../vocabulary/personal-data.ts'
import { statement } from '../../vocabulary/statement.ts'
import { invitationWebhook } from './events.ts'
import { expireInvitations } from './jobs.ts'
import { invitationMachine } from './machine.ts'
import { invitationPage } from './page.ts'
import { invitationRoutes } from './routes.ts'

const tables = { guarded: ['invitations'] } as const

/** What the columns say about people. */
const personalData = {
  invitations: {
    erased: ['first_name'],
    kept: { REFERENCE: ['customer_id', 'inviter_uma', 'invitee_uma', 'claimed_by'] },
    plain: ['amount', 'currency', 'status', 'expires_at', 'claimed_at'],
  },
} as const satisfies PersonalData

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
  personalData,
  erasure: [
    statement(
      'erasure.invitations',
      `update invitations set first_name = null, version = version + 1,
         status = case when status = 'PENDING' then 'CANCELLED' else status end
       where platform_id = $1 and environment = $2 and customer_id = $3`,
    ),
  ],
})
