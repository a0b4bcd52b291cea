export { isHeldBack, sendTestWebhook } from './commands.ts'
export { loadWebhookEndpoint } from './store.ts'
