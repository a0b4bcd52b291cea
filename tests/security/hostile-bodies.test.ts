import { connect } from 'node:net'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { attack, shapes, type Target } from './hostile-bodies.ts'
import { type StartedServer, startServer } from './started-server.ts'

/** `scripts/hostile-bodies.ts` does the same with every route, and with heaps of both sizes. */

/** The event loop was blocked for more than a minute once. The script measures how short its pauses are; here they may not hang. */
const hangMs = 5_000

let server: StartedServer
let targets: Target[]
beforeAll(async () => {
  buildServer()
  server = await startServer({ CORRIDOR_RATE_LIMITS: 'off' }, ['--max-old-space-size=512'])
  const authorization = server.authorization('acme')
  const json = { method: 'POST', contentType: 'application/json' }
  targets = [
    { ...json, path: '/console/session/start' },
    { ...json, path: '/2025-10-13/customers', authorization },
    { ...json, path: '/2025-10-13/no-such-route' },
    { ...json, method: 'GET', path: '/2025-10-13/stream', authorization },
    {
      method: 'POST',
      path: '/2025-10-13/customers/bulk/csv',
      contentType: 'multipart/form-data; boundary=b',
      authorization,
    },
  ]
}, 240_000)
afterAll(() => server.stop())

describe('twenty connections', () => {
  it.each(shapes)(
    'that send $name leave a server of 512 MB alive and responsive',
    async (shape) => {
      await server.probe('reset')
      const { statuses } = await attack(server, targets, shape, { connections: 20, forMs: 2_000 })
      const { pauseMs, highestRssMb } = await server.probe('read')
      expect(pauseMs).toBeLessThan(hangMs)
      expect(highestRssMb).toBeLessThan(1_000)
      expect(Object.keys(statuses).filter((status) => status.startsWith('5'))).toEqual([])
      await server.expectAlive()
      expect(server.log()).not.toContain('unexpected error')
    },
    60_000,
  )
})

describe('a chunked body', () => {
  const post = (body: ReadableStream<Uint8Array>) =>
    fetch(`${server.base}/customers`, {
      method: 'POST',
      headers: { authorization: server.authorization('acme'), 'content-type': 'application/json' },
      body,
      duplex: 'half',
    } as RequestInit)

  const inPieces = (text: string, size: number) => {
    const bytes = Buffer.from(text)
    let at = 0
    return new ReadableStream<Uint8Array>({
      pull(controller) {
        if (at >= bytes.length) return controller.close()
        controller.enqueue(bytes.subarray(at, at + size))
        at += size
      },
    })
  }

  const customer = JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ana Lopez', currencies: ['USD'] })

  it('is read without its length, also byte by byte while it is small', async () => {
    expect((await post(inPieces(customer, 1))).status).toBe(201)
    expect((await post(inPieces(customer + ' '.repeat(100_000), 64))).status).toBe(201)
  })

  it('in a great many tiny pieces is refused, and says why', async () => {
    const { hostname, port } = new URL(server.origin)
    const socket = connect(Number(port), hostname)
    const head = `POST /2025-10-13/customers HTTP/1.1\r\nhost: x\r\nauthorization: ${server.authorization('acme')}`
    socket.write(
      `${head}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n${'1\r\n \r\n'.repeat(3_000)}`,
    )
    let answer = ''
    for await (const data of socket) answer += data
    expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"reason":"the body comes in too many small pieces"/)
  })
})
