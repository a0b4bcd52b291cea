import type { Book } from '@corridor/engine/vocabulary/scope.ts'
import { openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { json, rawCaller } from '../e2e/raw-calls.ts'

const server = await openTestServer()

const call = rawCaller(() => server)

it('changes beyond what may wait in a book are 503 with Retry-After, and nothing of them has happened', async () => {
  const as = await server.platform()
  const other = await server.platform()
  const { engine } = server
  const scope = await engine.clock.scope(as, { id: 'test', permissions: [] })
  const name = (key: string, who = as) =>
    call('POST', '/tokens', {
      as: who,
      headers: { ...json, 'idempotency-key': key },
      body: JSON.stringify({ name: key, permissions: ['VIEW'] }),
    })
  // The database is held, so that what is added waits.
  const { database } = engine
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  const { transact, write } = database
  const waits = async ({ platformId }: Book) => platformId === as.platformId && held
  Object.assign(database, {
    transact: async (...work: Parameters<typeof transact>) => {
      await waits(work[0])
      return transact(...work)
    },
    write: async (...work: Parameters<typeof write>) => {
      await waits(work[0])
      return write(...work)
    },
  })
  // Those in flight, one or two, and 10,240 that wait.
  const nothing = {
    events: [{ type: 'TEST', resourceId: 'Thing:1', subjectId: null, data: {} }],
    result: () => null,
  }
  const filling: Promise<unknown>[] = []
  let refusal: { reason?: string } | undefined
  while (!refusal && filling.length < 12_000) {
    const one = engine.applier.apply(scope, nothing)
    one.catch((error) => {
      refusal ??= error
    })
    filling.push(one)
    if (filling.length > 10_240) await new Promise((resolve) => setImmediate(resolve))
  }
  expect(refusal).toMatchObject({ name: 'DatabaseUnavailable', reason: 'BUSY' })

  const refused = await name('beyond')
  expect([refused.status, refused.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
  expect(refused.headers.get('retry-after')).toBe('1')
  expect(refused.headers.get('x-should-retry')).toBe('true')
  // Another book has a queue of its own.
  expect((await name('beside', other)).status).toBe(201)

  release()
  const outcomes = await Promise.allSettled(filling)
  expect(outcomes.filter(({ status }) => status === 'rejected')).toHaveLength(1)
  const again = await name('beyond')
  expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, null])
})
