import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

/** What a sandbox token may learn of the network that the server stands in. */
let inside: Server
let port: number
let asked = 0
beforeAll(async () => {
  inside = createServer((_request, response) => {
    asked++
    response.end('a secret of the internal network')
  })
  await new Promise<void>((listening) => inside.listen(0, '127.0.0.1', listening))
  port = (inside.address() as AddressInfo).port
})
afterAll(() => inside.close())

async function withServer(privateWebhooks: boolean, work: (server: TestServer) => Promise<void>) {
  const server = await startTestServer({ privateWebhooks, network: fetch })
  try {
    await work(server)
  } finally {
    await server.close()
  }
}

describe('a test webhook of a sandbox platform', () => {
  it('reaches nothing in the network of the server, and tells no port from another', async () => {
    await withServer(false, async (server) => {
      const api = server.client(await server.platform())
      const closed = port === 65_535 ? port - 1 : port + 1
      for (const host of ['127.0.0.1', 'localhost', '[::1]', '2130706433', '169.254.169.254', '10.0.0.1']) {
        for (const at of [port, closed]) {
          const url = `http://${host}:${at}/`
          const { error } = await api.POST('/sandbox/webhooks/test', { body: { url } })
          expect(error, url).toMatchObject({
            code: 'WEBHOOK_DELIVERY_ERROR',
            details: { reason: 'PRIVATE_ADDRESS' },
          })
        }
      }
      expect(asked).toBe(0)
    })
  })

  it('shows what the endpoint answered only where private addresses are allowed', async () => {
    await withServer(true, async (server) => {
      const api = server.client(await server.platform())
      const { data } = await api.POST('/sandbox/webhooks/test', {
        body: { url: `http://127.0.0.1:${port}/` },
      })
      expect(data).toMatchObject({ response_status: 200, response_body: 'a secret of the internal network' })
    })
    const answering = (async () => new Response('their secret')) as unknown as typeof fetch
    const server = await startTestServer({ privateWebhooks: false, network: answering })
    const api = server.client(await server.platform())
    const { data } = await api.POST('/sandbox/webhooks/test', { body: { url: 'http://hooks.example.com/' } })
    expect(data).toEqual({ url: 'http://hooks.example.com/', response_status: 200 })
    await server.close()
  })
})

describe('an address with a name and a password in it', () => {
  it('is refused when it is set, and not repeated', async () => {
    await withServer(true, async (server) => {
      const api = server.client(await server.platform())
      const url = 'https://ana:hunter2@hooks.example.com/'
      const set = await api.PATCH('/config', { body: { webhookEndpoint: url } })
      const sent = await api.POST('/sandbox/webhooks/test', { body: { url } })
      for (const { error, response } of [set, sent]) {
        expect(response.status).toBe(400)
        expect(JSON.stringify(error)).not.toContain('hunter2')
      }
      const { data } = await api.GET('/config')
      expect(data).not.toHaveProperty('webhookEndpoint')
    })
  })
})
