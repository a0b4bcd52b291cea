import { afterAll } from 'vitest'
import { startTestServer, type TestServer, type TestServerOptions } from './server.ts'

/** The server of one test file: open before its first test, closed and its ledger audited after the last. */
export async function openTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const server = await startTestServer(options)
  afterAll(() => server.close())
  return server
}
