import { operatorKey, type TestServer } from '@corridor/testkit/index.ts'

/** A call of the operator, with its status and body. */
export async function operatorCall(server: TestServer, method: string, path: string) {
  const base = server.baseUrl.slice(0, server.baseUrl.lastIndexOf('/'))
  const response = await server.fetch(base + path, {
    method,
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  return { status: response.status, body: await response.json() }
}
