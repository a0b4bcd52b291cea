export { createTestBooks, type TestBooks } from './book.ts'
export { type TestCredentials, testCredentials } from './contact-credentials.ts'
export { madeOnceVariable, openMigrated, openTestDatabase } from './database.ts'
export {
  type Customer,
  createCustomer,
  createPayee,
  createQuote,
  type ExternalAccount,
  execute,
  fund,
  type InternalAccount,
  internalAccountOf,
  must,
  type Quote,
  quoteBody,
} from './factories.ts'
export { checkedValues, walkMachine } from './machines.ts'
export { openTestServer } from './opened-server.ts'
export {
  operatorKey,
  startTestServer,
  type TestServer,
  type TestServerOptions,
  testKeyService,
} from './server.ts'
export { type SimWorld, simWorld } from './sim-world.ts'
export { type SoftwarePasskey, softwarePasskey } from './software-passkey.ts'
export {
  type Inbox,
  type ReceivedWebhook,
  recordWebhooks,
  verifyReceived,
  type WebhookReceiver,
} from './webhook-receiver.ts'
