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
})
