export { hasWebhookReceiver } from './commands.ts'
