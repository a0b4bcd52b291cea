import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import type { StartedServer } from './started-server.ts'

/** Bodies that cost a server far more than their bytes, sent on many connections at once while its health is asked for. */

export interface Target {
  readonly method: string
  /** With everything that stands before it. */
  readonly path: string
  readonly authorization?: string
  readonly contentType: string
}

export interface Shape {
  readonly name: string
  /** What is sent on one connection. */
  bytesFor(target: Target, host: string): Buffer
}

const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`

function headOf({ method, path, authorization, contentType }: Target, host: string, more: string): string {
  const credentials = authorization ? `authorization: ${authorization}\r\n` : ''
  return `${method} ${path} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: ${contentType}\r\n${credentials}${more}\r\n\r\n`
}

function chunked(name: string, piece: (target: Target) => string, count: number): Shape {
  const repeated = new Map<string, Buffer>()
  return {
    name,
    bytesFor(target, host) {
      const text = piece(target)
      const body = repeated.get(text) ?? Buffer.from(chunk(text).repeat(count))
      repeated.set(text, body)
      return Buffer.concat([
        Buffer.from(headOf(target, host, 'transfer-encoding: chunked')),
        ...(target.contentType.startsWith('multipart/') ? [Buffer.from(chunk(formStart))] : []),
        body,
      ])
    },
  }
}

const formStart =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="f.csv"\r\nContent-Type: text/csv\r\n\r\n'

const members = `{"a":[${'{},'.repeat(9_000)}{}],"b":"${'x'.repeat(980_000)}"}`

export const shapes: readonly Shape[] = [
  chunked('chunks of one byte', () => 'x', 950_000),
  chunked('chunks of the least average size', () => 'x'.repeat(33), 30_000),
  {
    name: 'a body of the largest size with many members',
    bytesFor: (target, host) =>
      Buffer.from(headOf(target, host, `content-length: ${members.length}`) + members),
  },
  {
    name: 'a body that never ends',
    bytesFor: (target, host) =>
      Buffer.from(`${headOf(target, host, `content-length: ${1_000_000}`)}${'x'.repeat(900_000)}`),
  },
  {
    name: 'a hundred thousand pipelined requests',
    bytesFor: (_target, host) => Buffer.from(`GET /x HTTP/1.1\r\nhost: ${host}\r\n\r\n`.repeat(100_000)),
  },
]

/** The time of the slowest response of /healthz, in ms, while all connections send. */
export async function attack(
  server: Pick<StartedServer, 'origin'>,
  targets: readonly Target[],
  shape: Shape,
  { connections, forMs }: { readonly connections: number; readonly forMs: number },
): Promise<{ readonly slowestMs: number; readonly statuses: Readonly<Record<string, number>> }> {
  const { hostname, port, host } = new URL(server.origin)
  const statuses: Record<string, number> = {}
  const sockets: Socket[] = Array.from({ length: connections }, (_, index) => {
    const target = targets[index % targets.length]!
    const socket = connect(Number(port), hostname)
    socket.once('data', (data) => {
      const status = /^HTTP\/1.1 (\d+)/.exec(data.toString('latin1'))?.[1] ?? 'none'
      statuses[status] = (statuses[status] ?? 0) + 1
    })
    // A server that ends the connection in the middle does what it should.
    socket.on('error', () => {})
    socket.write(shape.bytesFor(target, host))
    return socket
  })
  let slowestMs = 0
  const endsAt = performance.now() + forMs
  while (performance.now() < endsAt) {
    const startedAt = performance.now()
    const response = await fetch(`${server.origin}/healthz`, { signal: AbortSignal.timeout(60_000) })
    await response.text()
    slowestMs = Math.max(slowestMs, performance.now() - startedAt)
    await pause(10)
  }
  for (const socket of sockets) socket.destroy()
  return { slowestMs, statuses }
}
