export { createTestBooks, type TestBooks } from './book.ts'
export { type TestCredentials, testCredentials } from './contact-credentials.ts'
export { openMigrated, openTestDatabase } from './database.ts'
export * from './factories.ts'
export * from './machines.ts'
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
