import { EventEmitter } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { followed } from '@corridor/engine/mechanisms/http/visits.ts'
import { makeWorld, silentLog } from '@corridor/kernel'
import { beforeEach, expect, it } from 'vitest'
import { seededWorld } from './seeded-world.ts'
import { createTurns, type SettledEngine, type Turns } from './turns.ts'

/** Whose turn it is, and what is done between two turns. */

const real = makeWorld({
  now: () => 0,
  randomBytes: (count) => new Uint8Array(count),
  fetch,
  log: silentLog,
  sleep(ms, signal) {
    if (ms < 1_000) {
      happened.push('pause')
      if (!isPauseLong) return Promise.resolve()
      return new Promise((resolve) => signal?.addEventListener('abort', () => resolve()))
    }
    return new Promise((resolve) => {
      arrivesNot = resolve
      signal?.addEventListener('abort', () => resolve())
    })
  },
})

let happened: string[] = []
/** Whether a pause ends with a stop alone. */
let isPauseLong = false
/** The time is over in which a request is to arrive. */
let arrivesNot = () => {}
let failures: Error[] = []
let turns: Turns
let world: ReturnType<typeof seededWorld>

beforeEach(() => {
  happened = []
  failures = []
  isPauseLong = false
  world = seededWorld(real, '41')
  turns = turnsOf(world)
})

function turnsOf(world: ReturnType<typeof seededWorld>): Turns {
  let isDue = false
  const engine = {
    jobs: {
      async runDue() {
        const failure = failures.shift()
        if (failure) throw failure
        isDue = !isDue
        if (isDue) happened.push(`due at ${world.now() % 1000}`)
        return isDue ? 1 : 0
      },
      finish: async () => {},
    },
    relay: { runDue: async () => 0 },
    requestLog: { flush: async () => {} },
    auditLog: { flush: async () => {}, chain: async () => {} },
  } as unknown as SettledEngine
  return createTurns(world, async () => [engine])
}

/** A request that is answered, or broken off, when the test says so. */
function ask(url: string, handler: () => unknown = () => {}) {
  const response = Object.assign(new EventEmitter(), { destroyed: false }) as unknown as ServerResponse
  const destroy = () => response.emit('close')
  const request = { method: 'GET', url, headers: {}, complete: false, destroy } as unknown as IncomingMessage
  const reply = { raw: response, hijack: () => happened.push('too late') }
  turns.take(request, response, () => {
    happened.push(`${url} at ${world.now() % 1000}`)
    const call = followed(handler as never) as unknown as (request: unknown, reply: unknown) => unknown
    void call.call(undefined as never, request, reply)
  })
  return { request, answered: () => response.emit('finish'), leaves: () => response.emit('close') }
}

const idle = () => new Promise((resolve) => setImmediate(resolve))

it('does what is due before the next request, also where the database was away for a moment', async () => {
  failures = [1, 2].map(() => new DatabaseUnavailable('AWAY', 'the database does not respond'))
  const [first, second] = [ask('/one'), ask('/two')]
  await idle()
  first.leaves()
  await idle()
  second.leaves()
  await turns.finish()
  expect(happened).toEqual(['/one at 1', 'pause', 'pause', 'due at 1', '/two at 2', 'due at 2'])
})

it('waits neither for whoever has his answer nor for whoever does not send the rest of what he asks', async () => {
  const [first, second, third] = [ask('/one'), ask('/two'), ask('/three')]
  await idle()
  first.answered()
  await idle()
  expect(happened).toEqual(['/one at 1', 'due at 1', '/two at 2'])
  arrivesNot()
  await idle()
  expect(happened.slice(3)).toEqual(['due at 2', '/three at 3'])
  third.request.complete = true
  arrivesNot()
  await idle()
  expect(happened.slice(5)).toEqual([])
  third.leaves()
  second.leaves()
  await turns.finish()
})

it('waits for no database any more once it is to stop, with what was due nor with what comes until then', async () => {
  isPauseLong = true
  failures = Array.from({ length: 9 }, () => new DatabaseUnavailable('AWAY', 'the database does not respond'))
  const [first, second] = [ask('/one'), ask('/two')]
  await idle()
  first.leaves()
  await idle()
  expect(happened).toEqual(['/one at 1', 'pause'])
  const finished = turns.finish()
  await idle()
  // Tried once more, and then no more; nor is there a pause for whoever was still in the queue.
  expect(happened).toEqual(['/one at 1', 'pause', '/two at 2'])
  expect(failures).toHaveLength(7)
  second.leaves()
  await finished
  expect(failures).toHaveLength(6)
  expect(happened).toHaveLength(3)
})

it('goes on where what is due fails for another reason', async () => {
  failures = [new Error('a bug')]
  const [first, second] = [ask('/one'), ask('/two')]
  await idle()
  first.leaves()
  await idle()
  second.leaves()
  await turns.finish()
  expect(happened).toEqual(['/one at 1', '/two at 2', 'due at 2'])
})

it('ends a turn once nothing is done for it any more, though its caller has gone before', async () => {
  let work = () => {}
  const first = ask('/one', () => new Promise<void>((resolve) => (work = resolve)))
  const second = ask('/two')
  await idle()
  first.leaves()
  await idle()
  expect(happened).toEqual(['/one at 1'])
  work()
  await idle()
  second.leaves()
  await turns.finish()
  expect(happened).toEqual(['/one at 1', 'due at 1', '/two at 2', 'due at 2'])
})

it('draws for what takes no turn apart from the request that is under way', async () => {
  const drawn = async (probes: number) => {
    world = seededWorld(real, '41')
    turns = turnsOf(world)
    const ids: string[] = []
    const probed: string[] = []
    const request = ask('/one')
    await idle()
    ids.push(world.uuid())
    for (let probe = 0; probe < probes; probe++) ask('/healthz', () => probed.push(world.uuid()))
    ids.push(world.uuid())
    request.leaves()
    await turns.finish()
    expect(new Set([...ids, ...probed]).size).toBe(2 + probes)
    return ids
  }
  expect(await drawn(2)).toEqual(await drawn(0))
})
