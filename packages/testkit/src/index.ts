export { createTestBooks, type TestBooks } from './book.ts'
export { openMigrated, openTestDatabase } from './database.ts'
export { operatorKey, startTestServer, type TestServer, type TestServerOptions } from './server.ts'
export { type SimWorld, simWorld } from './sim-world.ts'
