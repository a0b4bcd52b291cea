import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { BoundedRequest, boundConnections } from './connections.ts'

const bytes = 20_000_000
const head = `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${bytes}\r\n\r\n`

let stop: () => void = () => {}
afterEach(() => stop())

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
