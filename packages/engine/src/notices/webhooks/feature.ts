import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { statement } from '../../vocabulary/statement.ts'
import { testWebhook } from './events.ts'
import { webhookJobs } from './jobs.ts'
import { webhookPlainPages } from './plain-pages.ts'
import { webhookRoutes } from './routes.ts'

/** What was told is the platform's; what was not is not told any more. It is of its customer, whose key is gone. */
const emptyEvents = `update events
  set body = '', sealed_for = $3,
    status = case when status in ('QUEUED', 'RETRYING') then 'FAILED' else status end,
    due_at = null, attempt_log = null, last_response = null, version = version + 1
  where platform_id = $1 and environment = $2 and`

/** Those of earlier releases do not say whom they tell of. */
const formerlyAbout = `subject_id is null and (resource_id = $3 or resource_id in (select id from external_accounts
       where platform_id = $1 and environment = $2 and owner_id = $3) or resource_id in (select id from invitations
       where platform_id = $1 and environment = $2 and customer_id = $3))`

export const webhooksFeature = defineFeature({
  name: 'webhooks',
  routes: webhookRoutes,
  jobs: webhookJobs,
  events: [testWebhook],
  plainPages: webhookPlainPages,
  retention: [
    {
      of: 'events',
      table: 'events',
      unless: "t.status in ('QUEUED', 'RETRYING')",
    },
    {
      of: 'deliveries',
      table: 'events',
      among: 't.last_response is not null',
      set: 'last_response = null',
    },
    { of: 'deliveries', table: 'webhook_answers' },
    {
      of: 'events',
      table: 'webhook_answers',
      unless: `exists (select from events e where e.platform_id = t.platform_id and e.environment = t.environment
        and e.id = t.event_id)`,
    },
  ],
  erasure: [
    statement(
      'erasure.webhookAnswers',
      'delete from webhook_answers where platform_id = $1 and environment = $2 and sealed_for = $3',
    ),
    statement('erasure.events', `${emptyEvents} subject_id = $3`),
    statement(
      'erasure.formerWebhookAnswers',
      `delete from webhook_answers where platform_id = $1 and environment = $2 and event_id in (
         select id from events where platform_id = $1 and environment = $2 and ${formerlyAbout})`,
    ),
    statement('erasure.formerEvents', `${emptyEvents} ${formerlyAbout}`),
  ],
})
