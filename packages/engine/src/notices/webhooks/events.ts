import Type from 'typebox'
import { webhook } from '../../vocabulary/webhook.ts'

export const testWebhook = webhook({
  name: 'test-webhook',
  id: 'testWebhook',
  summary: 'Test of the endpoint',
  types: { TEST: 'You set or changed the endpoint, or requested a test.' },
  component: 'TestWebhookRequest',
  data: Type.Object({}),
})
