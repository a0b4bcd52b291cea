import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, it } from 'vitest'
import { freePort } from './free-port.ts'

it.each(['127.0.0.1', '::'])(
  'is none on which a server listens at %s, and none that was given before',
  async (host) => {
    const first = randomInt(12_000, 20_000)
    const server = createServer().listen(first, host)
    await once(server, 'listening')
    const choose = (...ports: number[]) => freePort(() => ports.shift()!)
    expect(await choose(first, first + 1)).toBe(first + 1)
    expect(await choose(first + 1, first + 2)).toBe(first + 2)
    server.close()
  },
)
