import Type from 'typebox'
import { webhook } from '../../vocabulary/webhook.ts'

export const testWebhook = webhook({
  name: 'test-webhook',
  id: 'testWebhook',
  summary: 'A test of the endpoint',
  types: { TEST: 'The endpoint was set or changed, or a test was asked for.' },
  component: 'TestWebhookRequest',
  data: Type.Object({}),
})
