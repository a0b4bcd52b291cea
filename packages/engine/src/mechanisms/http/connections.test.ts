import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, Socket } from 'node:net'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { BoundedRequest, boundConnections } from './connections.ts'

const bytes = 20_000_000
const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`

const { push } = BoundedRequest.prototype
const { pause } = Socket.prototype
let stop: () => void = () => {}
afterEach(() => {
  vi.restoreAllMocks()
  stop()
})

/** A server that refuses each body at its first piece, and a client of it. */
async function refused() {
  let endWait: () => void = () => {}
  const waited: number[] = []
  const sleep = (ms: number) => {
    waited.push(ms)
    return new Promise<void>((resolve) => {
      endWait = resolve
    })
  }
  const requests: IncomingMessage[] = []
  const server = createServer(
    { IncomingMessage: BoundedRequest as typeof IncomingMessage },
    (request, response) => {
      requests.push(request)
      request.once('data', () => {
        request.resume()
        response.writeHead(400, { connection: 'close', 'content-length': 2 }).end('no')
      })
    },
  )
  boundConnections(server, { sleep })
  server.listen(0)
  await once(server, 'listening')
  const socket = connect({ port: (server.address() as AddressInfo).port, allowHalfOpen: true })
  stop = () => {
    socket.destroy()
    server.close()
  }
  return { socket, waited, requests, endWait: () => endWait() }
}

function write(socket: Socket, text: Buffer | string): Promise<void> {
  return new Promise((resolve, reject) => socket.write(text, (error) => (error ? reject(error) : resolve())))
}

describe('a response that refuses a body and ends the connection', () => {
  it('reaches a sender who reads only after writing all of it', async () => {
    const { socket } = await refused()
    await write(socket, head)
    for (let sent = 0; sent < bytes; sent += 1_000_000) await write(socket, Buffer.alloc(1_000_000))
    let response = ''
    for await (const piece of socket) response += piece
    expect(response).toMatch(/^HTTP\/1\.1 400 [\s\S]*\r\n\r\nno$/)
  })

  it('cuts off a sender who does not finish', async () => {
    const { socket, waited, endWait } = await refused()
    socket.resume()
    await write(socket, `${head}x`)
    await once(socket, 'end')
    expect(waited).toEqual([5_000])
    expect(socket.destroyed).toBe(false)
    socket.on('error', () => {})
    endWait()
    while (!socket.destroyed) await write(socket, 'x').catch(() => {})
  })

  it('cuts off a sender whose connection would stay open, too', async () => {
    const waits: (() => void)[] = []
    const server = createServer(
      { IncomingMessage: BoundedRequest as typeof IncomingMessage },
      (_request, response) => void response.writeHead(413, { 'content-length': 2 }).end('no'),
    )
    boundConnections(server, { sleep: () => new Promise((resolve) => waits.push(resolve)) })
    server.listen(0)
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port).on('error', () => {})
    stop = () => {
      socket.destroy()
      server.close()
    }
    socket.write(`${head}x`)
    await once(socket, 'data')
    for (const wait of waits) wait()
    while (!socket.destroyed) await write(socket, 'x').catch(() => {})
    expect(waits).toHaveLength(1)
  })

  it('is the last one, whatever follows the body', async () => {
    const { socket, requests } = await refused()
    await write(socket, head)
    await write(socket, Buffer.alloc(bytes))
    await write(socket, `${head}x`)
    let response = ''
    for await (const piece of socket) response += piece
    expect(response.match(/HTTP/g)).toHaveLength(1)
    expect(requests).toHaveLength(1)
  })
})

/** Opens connections to a server that responds to the requests for which `responds` is true, and reads the others. */
async function answering(responds: (request: IncomingMessage) => boolean) {
  const server = createServer(
    { IncomingMessage: BoundedRequest as typeof IncomingMessage },
    (request, response) => {
      if (responds(request)) setImmediate(() => response.end('ok'))
      else request.resume()
    },
  )
  boundConnections(server, { sleep: () => new Promise(() => {}) })
  server.listen(0)
  await once(server, 'listening')
  const sockets: Socket[] = []
  stop = () => {
    for (const socket of sockets) socket.destroy()
    server.closeAllConnections()
    server.close()
  }
  return async () => {
    const socket = connect((server.address() as AddressInfo).port)
    socket.on('error', () => {})
    sockets.push(socket)
    await once(socket, 'connect')
    return socket
  }
}

describe('a connection with thousands of pipelined requests', () => {
  it('gets the responses to those that may wait, and Node keeps no others', async () => {
    let handled = 0
    const open = await answering(() => ++handled > 0)
    const socket = await open()
    socket.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n'.repeat(10_000))
    let response = ''
    for await (const piece of socket) response += piece
    expect([...response.matchAll(/HTTP\/1\.1 200/g)]).toHaveLength(17)
    expect(response).not.toContain('HTTP/1.1 400')
    expect(handled).toBe(17)
  })
})

describe('connections whose bodies come in tiny pieces', () => {
  it('have their turns one after the other, and those that send little go first', async () => {
    /** Per turn of the event loop: connections whose pieces were parsed. */
    const turns: Set<Socket>[] = []
    let turn: Set<Socket> | undefined
    vi.spyOn(BoundedRequest.prototype, 'push').mockImplementation(function (this: BoundedRequest, ...of) {
      if (!turn) {
        turn = new Set()
        turns.push(turn)
        setImmediate(() => {
          turn = undefined
        })
      }
      turn.add(this.socket)
      return push.apply(this, of)
    })
    let uploads = 0
    let turnsBefore = Number.NaN
    const open = await answering(({ method }) => {
      if (method === 'GET') turnsBefore = turns.length
      return method === 'GET' || ++uploads === 0
    })
    const quick = await open()
    const senders = await Promise.all(Array.from({ length: 20 }, open))
    for (const socket of senders) {
      socket.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    }
    while (uploads < 20) await new Promise((resolve) => setImmediate(resolve))
    for (const socket of senders) socket.write('1\r\nx\r\n'.repeat(10_000))
    quick.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
    await once(quick, 'data')
    expect(Math.max(...turns.map(({ size }) => size))).toBeLessThanOrEqual(2)
    expect(turnsBefore).toBeLessThan(4)
  })
})

describe('a connection that waits while another one floods', () => {
  it('is read while the flood goes on', async () => {
    const open = await answering(({ method }) => method === 'GET')
    const [flooding, honest] = [await open(), await open()]
    flooding.write('POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n')
    // Pieces that are not too small, and so have no end.
    const pieces = `24\r\n${'x'.repeat(36)}\r\n`.repeat(50_000)
    let isFlooding = true
    const flood = () => {
      if (isFlooding) flooding.write(pieces, flood)
    }
    flood()
    await once(flooding, 'drain')
    for (let requests = 0; requests < 3; requests++) {
      honest.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n')
      await once(honest, 'data')
    }
    expect(flooding.destroyed).toBe(false)
    isFlooding = false
  })

  it('gets its next response, although nobody had read its body, which had arrived', async () => {
    const bodies: (() => void)[] = []
    const server = createServer(
      { IncomingMessage: BoundedRequest as typeof IncomingMessage },
      (request, response) => {
        if (request.url === '/flood') return void request.resume()
        const respond = () => request.resume().on('end', () => response.end(request.url))
        // As admission does, which asks the database before anybody reads the body.
        if (request.url === '/upload') bodies.push(respond)
        else respond()
      },
    )
    boundConnections(server, { sleep: () => new Promise(() => {}) })
    server.listen(0)
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const sockets = [connect(port), connect(port)]
    const [honest, flooding] = sockets as [Socket, Socket]
    stop = () => {
      for (const socket of sockets) socket.destroy()
      server.closeAllConnections()
      server.close()
    }
    const turn = () => new Promise((resolve) => setImmediate(resolve))
    let held = 0
    vi.spyOn(Socket.prototype, 'pause').mockImplementation(function (this: Socket) {
      held++
      return pause.call(this)
    })
    honest.write(`POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 40000\r\n\r\n${'a'.repeat(40_000)}`)
    while (bodies.length === 0) await turn()
    flooding.write(
      `POST /flood HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\na\r\n'.repeat(9_000)}`,
    )
    while (held === 0) await turn()
    for (let turns = 0; turns < 50; turns++) await turn()
    bodies[0]!()
    await once(honest, 'data')
    honest.write('GET /next HTTP/1.1\r\nHost: x\r\n\r\n')
    const [response] = await once(honest, 'data')
    expect(String(response)).toMatch(/\/next$/)
  })
})
