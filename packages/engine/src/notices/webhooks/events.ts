import Type from 'typebox'
import { webhook } from '../../vocabulary/webhook.ts'

export const testWebhook = webhook({
  name: 'test-webhook',
  id: 'testWebhook',
  summary: 'Test of the endpoint',
  types: { TEST: 'The endpoint was set or changed, or you requested a test.' },
  component: 'TestWebhookRequest',
  data: Type.Object({}),
})
