import { gunzipSync } from 'node:zlib'
import compress from '@fastify/compress'
import Fastify from 'fastify'
import { expect, it } from 'vitest'
import { registerPages } from './pages.ts'

async function opened() {
  const server = Fastify()
  await server.register(compress, { global: true })
  registerPages(server, { baseUrl: 'http://corridor.example' })
  return server
}

it('sends the large files of the reference packed once, and as they are to who does not take that', async () => {
  const server = await opened()
  for (const url of ['/2025-10-13/openapi.json', '/docs/try/swagger-ui-bundle.js']) {
    const ask = (encoding: string) => server.inject({ url, headers: { 'accept-encoding': encoding } })
    const plain = await ask('identity')
    expect([plain.statusCode, plain.headers['content-encoding']]).toEqual([200, undefined])
    const small = await ask('br, gzip;q=0.8')
    expect([small.statusCode, small.headers['content-encoding']]).toEqual([200, 'gzip'])
    expect((await ask('GZIP')).headers['content-encoding']).toBe('gzip')
    expect(small.headers.vary).toBe('accept-encoding')
    expect(gunzipSync(small.rawPayload).equals(plain.rawPayload)).toBe(true)
    expect(small.rawPayload.length).toBeLessThan(plain.rawPayload.length / 3)
    // Nothing is packed for one request, however it asks.
    for (const encoding of ['br', 'deflate', 'gzip;q=0', 'gzip;Q=0.0, br', 'not-gzip', 'gzip-foo']) {
      const other = await ask(encoding)
      expect([encoding, other.headers['content-encoding']]).toEqual([encoding, undefined])
      expect(other.rawPayload.equals(plain.rawPayload)).toBe(true)
    }
  }
})
