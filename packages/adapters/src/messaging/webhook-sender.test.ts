import { createServer, type RequestListener, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer, type Socket } from 'node:net'
import type { ExchangeTimes } from '@corridor/kernel'
import { Agent, fetch as undiciFetch } from 'undici'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { guardedDispatcher, type Resolve } from './address-guard.ts'
import { directExchange } from './direct-exchange.ts'
import { boundedFetch } from './informational-heads.ts'
import { webhookSender } from './webhook-sender.ts'

const servers: Server[] = []
afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
})

/** A real server on the loopback interface; returns its port and what it was asked. */
async function listen(answer: RequestListener): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = []
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.url}`)
    answer(request, response)
  })
  servers.push(server)
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  return { port: (server.address() as AddressInfo).port, seen }
}

/** The network of a process, and that of a World that has `fetch` alone. */
const world = { fetch, exchange: directExchange }
const delivery = { headers: { 'content-type': 'application/json' }, body: '{}', timeoutMs: 5_000 }

/** A name server that knows every name. */
const resolveTo =
  (...addresses: string[]): Resolve =>
  (_hostname, _options, callback) =>
    callback(
      null,
      addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
    )

describe('where private addresses are refused', () => {
  it.each([
    ['https://127.0.0.1/', 'dotted'],
    ['https://2130706433/', 'decimal'],
    ['https://0x7f000001/', 'hexadecimal'],
    ['https://0177.0.0.1/', 'octal'],
    ['https://127.1/', 'shortened'],
    ['https://[::1]/', 'IPv6'],
    ['https://[::ffff:127.0.0.1]/', 'IPv4-mapped IPv6'],
    ['https://[::ffff:7f00:1]/', 'IPv4-mapped IPv6 in hexadecimal'],
    ['https://169.254.169.254/latest/meta-data/', 'metadata service'],
  ])('refuses %s (%s) without connecting', async (url) => {
    let calls = 0
    const counting = {
      fetch: (async () => {
        calls++
        return new Response()
      }) as typeof fetch,
    }
    const sender = webhookSender(counting, { allowsPrivate: false })
    expect(await sender.send({ ...delivery, url })).toEqual({ ok: false, reason: 'PRIVATE_ADDRESS' })
    expect(calls).toBe(0)
  })

  it.each([
    ['http://receiver.example/', 'NOT_HTTPS'],
    ['ftp://receiver.example/', 'NOT_HTTPS'],
    ['nonsense', 'INVALID_URL'],
    ['https://receiver.example:25/', 'REFUSED_PORT'],
    ['https://receiver.example:6667/', 'REFUSED_PORT'],
  ])('refuses %s', async (url, reason) => {
    const sender = webhookSender(world, { allowsPrivate: false })
    expect(await sender.send({ ...delivery, url })).toEqual({ ok: false, reason })
  })

  it('refuses localhost once it is resolved', async () => {
    const { port, seen } = await listen((_request, response) => response.end())
    const sender = webhookSender(world, { allowsPrivate: false })
    const answer = await sender.send({ ...delivery, url: `https://localhost:${port}/` })
    expect(answer).toEqual({ ok: false, reason: 'PRIVATE_ADDRESS' })
    expect(seen).toEqual([])
  })

  it.each([[['127.0.0.1']], [['10.0.0.7']], [['::ffff:127.0.0.1']], [['1.1.1.1', '127.0.0.1']]])(
    'refuses a name that resolves to %j',
    async (addresses) => {
      const dispatcher = guardedDispatcher({ resolve: resolveTo(...addresses) })
      const sender = webhookSender(world, { allowsPrivate: false, dispatcher })
      const answer = await sender.send({ ...delivery, url: 'https://receiver.example/' })
      expect(answer).toEqual({ ok: false, reason: 'PRIVATE_ADDRESS' })
    },
  )

  // The control of the tests above: the same dispatcher lets through what the guard does not refuse.
  it('connects through the guard to an address that it allows', async () => {
    const { port, seen } = await listen((_request, response) => response.end('hello'))
    const dispatcher = guardedDispatcher({ resolve: resolveTo('127.0.0.1'), isRefused: () => false })
    const sender = webhookSender(world, { allowsPrivate: true, dispatcher })
    const answer = await sender.send({ ...delivery, url: `http://receiver.example:${port}/hook` })
    expect(answer).toEqual({ ok: true, status: 200, body: 'hello' })
    expect(seen).toEqual(['POST /hook'])
  })
})

describe.each([
  ['direct', world],
  ['by fetch', { fetch }],
])('an answer, %s,', (_name, network) => {
  const sender = webhookSender(network, { allowsPrivate: true })

  it('that redirects is returned as it is, and its target never asked', async () => {
    const target = await listen((_request, response) => response.end())
    const { port, seen } = await listen((_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${target.port}/` }).end()
    })
    const answer = await sender.send({ ...delivery, url: `http://127.0.0.1:${port}/` })
    expect(answer).toMatchObject({ ok: true, status: 302 })
    expect(seen).toEqual(['POST /'])
    expect(target.seen).toEqual([])
  })

  it('is kept up to 64 KiB', async () => {
    const { port } = await listen((_request, response) => response.end('x'.repeat(1_000_000)))
    const answer = await sender.send({ ...delivery, url: `http://127.0.0.1:${port}/` })
    expect(answer.ok && answer.body.length).toBe(64 * 1024)
  })

  it('whose body breaks off still has its status', async () => {
    const { port } = await listen((_request, response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('some', () => response.destroy())
    })
    const answer = await sender.send({ ...delivery, url: `http://127.0.0.1:${port}/` })
    expect(answer).toMatchObject({ ok: true, status: 200 })
  })

  it('that does not come in time is a time-out', async () => {
    const { port, seen } = await listen(() => {})
    const answer = await sender.send({ ...delivery, timeoutMs: 100, url: `http://127.0.0.1:${port}/` })
    expect(answer).toEqual({ ok: false, reason: 'timeout' })
    expect(seen).toEqual(['POST /'])
  })

  it('whose body never ends is one with what came of it in time', async () => {
    const { port } = await listen((_request, response) => {
      response.writeHead(200)
      response.write('some')
    })
    const answer = await sender.send({ ...delivery, timeoutMs: 300, url: `http://127.0.0.1:${port}/` })
    expect(answer).toEqual({ ok: true, status: 200, body: 'some' })
  })

  it('that is announced first is the one after it', async () => {
    const { port } = await listen((_request, response) => {
      response.writeEarlyHints({ link: '</a.css>; rel=preload' })
      response.writeHead(202).end('later')
    })
    const answer = await sender.send({ ...delivery, url: `http://127.0.0.1:${port}/` })
    expect(answer).toEqual({ ok: true, status: 202, body: 'later' })
  })

  it('is missing when nobody listens', async () => {
    const { port } = await listen((_request, response) => response.end())
    await new Promise((closed) => servers.pop()!.close(closed))
    const answer = await sender.send({ ...delivery, url: `http://127.0.0.1:${port}/` })
    expect(answer).toEqual({ ok: false, reason: 'ECONNREFUSED' })
  })
})

it('what is sent arrives as it is, over a connection that serves for the next', async () => {
  const bodies: string[] = []
  const connections = new Set<unknown>()
  const { port, seen } = await listen((request, response) => {
    connections.add(request.socket)
    request.on('data', (chunk) => bodies.push(String(chunk)))
    request.on('end', () => response.end(String(request.headers['content-type'])))
  })
  const sender = webhookSender(world, { allowsPrivate: true })
  const url = `http://127.0.0.1:${port}/hook?of=a%20b`
  for (const body of ['{"a":"é"}', '{}']) {
    const answer = await sender.send({ ...delivery, body, url })
    expect(answer).toEqual({ ok: true, status: 200, body: 'application/json' })
    // The connection is free once the answer has been read to its end.
    await new Promise((resolve) => setImmediate(resolve))
  }
  expect(seen).toEqual(['POST /hook?of=a%20b', 'POST /hook?of=a%20b'])
  expect(bodies).toEqual(['{"a":"é"}', '{}'])
  expect(connections.size).toBe(1)
})

it.each([
  ['as fast as it can', undefined],
  ['at a pace', { bytesPerSecond: 1_000, isCutShort: false }],
])(
  'one that leaves %s is broken off when its signal says so, and so is its connection',
  async (_how, pace) => {
    let isCut = () => {}
    const cut = new Promise<void>((resolve) => {
      isCut = resolve
    })
    let isAsked = () => {}
    const asked = new Promise<void>((resolve) => {
      isAsked = resolve
    })
    const { port, seen } = await listen((request) => {
      request.socket.once('close', isCut)
      isAsked()
    })
    const sender = webhookSender(world, { allowsPrivate: true })
    const over = new AbortController()
    const parts = { ...delivery, url: `http://127.0.0.1:${port}/`, timeoutMs: 60_000, signal: over.signal }
    const answer = sender.send({ ...parts, ...(pace ? { pace } : {}) })
    await asked
    over.abort()
    expect(await answer).toMatchObject({ ok: false })
    await cut
    // Nor does one begin after that.
    expect(await sender.send({ ...parts, ...(pace ? { pace } : {}) })).toMatchObject({ ok: false })
    expect(seen).toHaveLength(1)
  },
)

describe('how long the parts of an exchange took', () => {
  const measured = (url: string, options: Partial<Parameters<typeof webhookSender>[1]> = {}) => {
    const sender = webhookSender(world, { allowsPrivate: true, ...options })
    return async (timeoutMs = 5_000) => {
      let times: ExchangeTimes | undefined
      await sender.send({
        ...delivery,
        url,
        timeoutMs,
        onMeasured: (told) => {
          times = told
        },
      })
      await new Promise((resolve) => setImmediate(resolve))
      return times
    }
  }
  const some = expect.any(Number)

  it('is told of a connection that is made, and of one that serves again that nothing was', async () => {
    const { port } = await listen((_request, response) => response.end('ok'))
    const send = measured(`http://localhost:${port}/`)
    expect(await send()).toEqual({ dns: some, connect: some, tls: null, wait: some, isReused: false })
    expect(await send()).toEqual({ dns: null, connect: null, tls: null, wait: some, isReused: true })
  })

  it('is told of an endpoint that does not answer in time: it waited for it', async () => {
    const { port } = await listen(() => {})
    const times = await measured(`http://127.0.0.1:${port}/`)(300)
    expect(times).toEqual({ dns: 0, connect: some, tls: null, wait: some, isReused: false })
    expect(times!.wait).toBeGreaterThanOrEqual(100)
  })

  it('is told of one that is not there: its name was looked up, and nothing was sent', async () => {
    const { port } = await listen(() => {})
    await new Promise((closed) => servers.pop()!.close(closed))
    const times = await measured(`http://localhost:${port}/`)()
    expect(times).toEqual({ dns: some, connect: null, tls: null, wait: null, isReused: false })
  })

  it('is told of a name that the guard looks up', async () => {
    const { port } = await listen((_request, response) => response.end('ok'))
    const resolve: Resolve = (...asked) => setImmediate(() => resolveTo('127.0.0.1')(...asked))
    const dispatcher = guardedDispatcher({ resolve, isRefused: () => false })
    const send = measured(`http://receiver.example:${port}/`, { dispatcher })
    expect(await send()).toEqual({ dns: some, connect: some, tls: null, wait: some, isReused: false })
  })
})

describe('an address with a name and a password in it', () => {
  it.each([true, false])(
    'is not connected to and not repeated, private addresses allowed: %s',
    async (allowsPrivate) => {
      const { port, seen } = await listen((_request, response) => response.end())
      const sender = webhookSender(world, { allowsPrivate })
      for (const user of ['ana:hunter2@', 'ana@', ':hunter2@']) {
        const url = `https://${user}127.0.0.1:${port}/`
        expect(await sender.send({ ...delivery, url })).toEqual({ ok: false, reason: 'URL_WITH_CREDENTIALS' })
      }
      expect(seen).toEqual([])
    },
  )

  it('is not repeated by any error: only codes are', async () => {
    const broken = {
      fetch: (async () => {
        throw new TypeError('cannot reach https://ana:hunter2@example.com')
      }) as unknown as typeof fetch,
    }
    const sender = webhookSender(broken, { allowsPrivate: false })
    expect(await sender.send({ ...delivery, url: 'https://example.com' })).toEqual({
      ok: false,
      reason: 'failed',
    })
  })
})

it('where private addresses are refused plain http may be allowed, to public ones', async () => {
  const { port, seen } = await listen((_request, response) => response.end())
  const sender = webhookSender(world, { allowsPrivate: false, allowsHttp: true })
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '169.254.169.254']) {
    const url = `http://${host}:${port}/`
    expect(await sender.send({ ...delivery, url })).toEqual({ ok: false, reason: 'PRIVATE_ADDRESS' })
  }
  expect(seen).toEqual([])
})

it('everything goes through a proxy where there is one, and addresses of this network not even there', async () => {
  const asked: string[] = []
  const proxy = createServer()
  proxy.on('connect', (request, socket) => {
    asked.push(`${request.url} ${request.headers['proxy-authorization'] ?? ''}`)
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n')
  })
  servers.push(proxy)
  await new Promise<void>((listening) => proxy.listen(0, '127.0.0.1', listening))
  const { port } = proxy.address() as AddressInfo
  const sender = webhookSender(world, { allowsPrivate: false, proxy: `http://out:secret@127.0.0.1:${port}` })
  const refused = await sender.send({ ...delivery, url: 'https://hooks.example.com/a' })
  expect(refused.ok).toBe(false)
  expect(JSON.stringify(refused)).not.toContain('secret')
  expect(asked).toEqual([`hooks.example.com:443 Basic ${Buffer.from('out:secret').toString('base64')}`])
  expect(await sender.send({ ...delivery, url: 'https://10.0.0.1/' })).toEqual({
    ok: false,
    reason: 'PRIVATE_ADDRESS',
  })
  expect(asked).toHaveLength(1)
})

describe('a body at a pace', () => {
  /** What arrives at an endpoint, and whether all of it did. */
  async function receiving() {
    const parts: string[] = []
    const ends: boolean[] = []
    const { port } = await listen((request, response) => {
      request.on('data', (chunk) => parts.push(String(chunk)))
      request.on('error', () => {})
      request.on('close', () => ends.push(request.complete))
      request.on('end', () => response.end('ok'))
    })
    const slept: number[] = []
    const sleep = async (ms: number) => void slept.push(ms)
    const sender = webhookSender({ ...world, sleep }, { allowsPrivate: true })
    const send = (pace: { bytesPerSecond: number | undefined; isCutShort: boolean }) =>
      sender.send({ ...delivery, url: `http://127.0.0.1:${port}/`, body: '0123456789', pace })
    return { parts, ends, slept, send }
  }

  it('is whole, and takes a second for each part', async () => {
    const { parts, slept, send, ends } = await receiving()
    expect(await send({ bytesPerSecond: 4, isCutShort: false })).toMatchObject({ ok: true, status: 200 })
    expect(parts.join('')).toBe('0123456789')
    expect(slept).toEqual([1_000, 1_000])
    expect(ends).toEqual([true])
  })

  it('is half of it where it is cut short, and no attempt that succeeded', async () => {
    const { parts, send, ends } = await receiving()
    expect(await send({ bytesPerSecond: undefined, isCutShort: true })).toMatchObject({ ok: false })
    await expect.poll(() => ends).toEqual([false])
    expect(parts.join('')).toBe('01234')
  })

  it.each([
    ['slow', { bytesPerSecond: 4, isCutShort: false }, '0123456789'],
    ['cut short', { bytesPerSecond: undefined, isCutShort: true }, '01234'],
    ['slow and cut short', { bytesPerSecond: 2, isCutShort: true }, '01234'],
  ])('says its whole length before it where it is %s, as every other does', async (_, pace, arrived) => {
    const { heads, bodies, url } = await receivingBytes()
    const sender = webhookSender({ ...world, sleep: async () => {} }, { allowsPrivate: true })
    await sender.send({ ...delivery, url, body: '0123456789', pace })
    await expect.poll(() => bodies).toEqual([arrived])
    expect(heads[0]).toMatch(/^content-length: 10$/im)
    expect(heads[0]).not.toMatch(/^transfer-encoding:/im)
  })
})

describe('a server that sends informational responses', () => {
  const early = 'HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n'
  const network = { fetch: boundedFetch(undiciFetch as unknown as typeof fetch) }
  const pace = { bytesPerSecond: undefined, isCutShort: false }
  const ways = [
    ['an exchange', { ...world, ...network }, {}, undefined],
    ['fetch', network, {}, undefined],
    ['a body at a pace', { ...world, ...network }, { pace }, undefined],
    ['fetch with a dispatcher of its own', network, {}, new Agent()],
  ] as const

  it.each(ways)('is cut off where it sends nothing else: %s', async (_, over, more, dispatcher) => {
    const sent = { bytes: 0, isClosed: false }
    const url = await answering((socket) => {
      const storm = early.repeat(1000)
      const write = () => {
        while (socket.writable && socket.bytesWritten < 200_000_000 && socket.write(storm))
          sent.bytes += storm.length
      }
      socket.on('drain', write).on('close', () => {
        sent.isClosed = true
      })
      write()
    })
    const sender = webhookSender(over, { allowsPrivate: true, ...(dispatcher ? { dispatcher } : {}) })
    const outcome = await sender.send({ ...delivery, url, timeoutMs: 2_000, ...more })
    expect(outcome).toEqual({ ok: false, reason: 'TOO_MANY_INFORMATIONAL_RESPONSES' })
    await expect.poll(() => sent.isClosed).toBe(true)
  })

  it.each(ways)(
    'is heard where a few of them precede the response: %s',
    async (_, over, more, dispatcher) => {
      const url = await answering((socket) => {
        socket.end(`${early.repeat(10)}HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok`)
      })
      const sender = webhookSender(over, { allowsPrivate: true, ...(dispatcher ? { dispatcher } : {}) })
      expect(await sender.send({ ...delivery, url, ...more })).toMatchObject({
        ok: true,
        status: 200,
        body: 'ok',
      })
    },
  )

  const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n'
  it.each([
    ['empty lines before it', '', '\r\n', { ok: false, reason: 'RESPONSE_TOO_LARGE' }],
    ['its reason phrase', 'HTTP/1.1 200 ', 'x', { ok: false, reason: 'RESPONSE_TOO_LARGE' }],
    ['the extensions of a chunk', `${chunked}1;`, 'a=b;', { ok: true, status: 200 }],
    ['the size of a chunk', chunked, '0', { ok: true, status: 200 }],
  ])('is cut off after a megabyte where the response does not end in %s', async (_, head, unit, expected) => {
    let sent = 0
    const url = await answering((socket) => {
      const piece = unit.repeat(10_000)
      const write = () => {
        while (socket.writable && sent < 50_000_000) {
          sent += piece.length
          if (!socket.write(piece)) return
        }
      }
      socket.write(head)
      socket.on('drain', write)
      write()
    })
    const sender = webhookSender(world, { allowsPrivate: true })
    expect(await sender.send({ ...delivery, url, timeoutMs: 2_000 })).toMatchObject(expected)
    expect(sent).toBeLessThan(50_000_000)
  })

  async function answering(answer: (socket: Socket) => void): Promise<string> {
    const server = createTcpServer((socket) => {
      socket.on('error', () => {}).once('data', () => answer(socket))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void server.close())
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  }
})

/** An endpoint that knows nothing but bytes: the head and the body as they came, once the connection is over. */
async function receivingBytes() {
  const heads: string[] = []
  const bodies: string[] = []
  const server = createTcpServer((socket) => {
    let text = ''
    socket.on('data', (chunk) => {
      text += String(chunk)
      if (text.endsWith('0123456789')) {
        socket.end('HTTP/1.1 200 OK\r\ncontent-length: 0\r\nconnection: close\r\n\r\n')
      }
    })
    socket.on('error', () => {})
    socket.on('close', () => {
      // One that is opened in place of that which was cut, and never used.
      if (text === '') return
      const [head = '', body = ''] = text.split('\r\n\r\n')
      heads.push(head)
      bodies.push(body)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { heads, bodies, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` }
}
