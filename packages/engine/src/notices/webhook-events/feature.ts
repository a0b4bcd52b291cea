import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import type { Named } from '../../vocabulary/names.ts'
import { webhookEventRoutes } from './routes.ts'

const idKinds = ['WebhookListener'] as const

declare module '@corridor/kernel' {
  interface IdKinds extends Named<typeof idKinds> {}
}

export const webhookEventsFeature = defineFeature({
  name: 'webhook-events',
  routes: webhookEventRoutes,
  idKinds,
  retention: [
    {
      of: 'deliveries',
      table: 'webhook_attempts',
      keys: ['event_id', 'listener_id'],
      at: 'attempted_at',
      // What its listener still has to know, so that it takes no event twice: one that comes back within seven days, which
      // are real time whatever the clock of its sandbox says. Listeners themselves are few (`mostListeners`).
      unless: `exists (select from webhook_listeners l where l.platform_id = t.platform_id
        and l.environment = t.environment and l.id = t.listener_id
        and l.connected_until >= $1::timestamptz - interval '7 days'
        and (t.status = 'RETRYING' or t.attempted_at >= l.done_until))`,
    },
  ],
})
