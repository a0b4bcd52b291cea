export { hasWebhookReceiver, readEvent } from './commands.ts'
export type { WebhookEventDetails } from './contract.ts'
