import { defineFeature } from '../../mechanisms/feature/define-feature.ts'
import { statement } from '../../vocabulary/statement.ts'
import { testWebhook } from './events.ts'
import { webhookJobs } from './jobs.ts'
import { webhookPlainPages } from './plain-pages.ts'
import { webhookRoutes } from './routes.ts'

export const webhooksFeature = defineFeature({
  name: 'webhooks',
  routes: webhookRoutes,
  jobs: webhookJobs,
  events: [testWebhook],
  plainPages: webhookPlainPages,
  erasure: [
    statement(
      'erasure.events',
      `update events set body = json_build_object('id', id, 'type', type, 'data', json_build_object())::text,
       status = case when status in ('QUEUED', 'RETRYING') then 'FAILED' else status end,
       due_at = null, attempt_log = null, version = version + 1
     where platform_id = $1 and environment = $2 and (resource_id = $3 or resource_id in (select id from external_accounts
       where platform_id = $1 and environment = $2 and owner_id = $3) or resource_id in (select id from invitations
       where platform_id = $1 and environment = $2 and customer_id = $3))`,
    ),
  ],
})
