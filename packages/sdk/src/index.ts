export {
  type ClientOptions,
  type CorridorClient,
  type components,
  createClient,
  type paths,
} from './client.ts'
export { verifyWebhook, type WebhookEvent, type WebhookVerification } from './webhooks.ts'
