import { openTestServer } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { basic } from '../e2e/raw-calls.ts'

/** Requests that wait on purpose are bounded, and each sandbox has its share of that. */

const server = await openTestServer()
/** As many as a process holds. */
const most = 200
const held = 'listCustomers'

async function sandbox() {
  const platform = await server.platform()
  const match = { operationId: held }
  const body = { kind: 'LATENCY', target: 'API', match, params: { ms: 5_000 } } as never
  expect((await server.client(platform).POST('/sandbox/faults', { body })).response.status).toBe(201)
  return platform
}

/** Requests that are held, and how many of them are answered by now. */
function ask(platform: Awaited<ReturnType<typeof sandbox>>, count: number) {
  let answered = 0
  const all = Array.from({ length: count }, async () => {
    const headers = { authorization: basic(platform) }
    const answer = await server.fetch('http://corridor.test/2025-10-13/customers', { headers })
    expect([answer.status, answer.headers.has('x-corridor-fault')]).toEqual([200, true])
    answered++
  })
  return { answered: () => answered, all: Promise.all(all) }
}

/** All that is asked has come to its wait, or to its answer: what goes on in between is done before these are answered. */
async function untilQuiet(answered: () => number, expected: number) {
  await expect.poll(answered, { timeout: 60_000 }).toBe(expected)
  const platform = await server.platform()
  for (let other = 0; other < 5; other++) {
    expect((await server.client(platform).GET('/tokens')).response.status).toBe(200)
  }
  expect(answered()).toBe(expected)
}

it('hold those of another sandbox as long as its fault says, however many one has under way', async () => {
  const [many, few] = [await sandbox(), await sandbox()]
  const first = ask(many, most + 30)
  await untilQuiet(first.answered, 30)
  const second = ask(few, 3)
  // Those that go before their time are of the one that has more than its share.
  await untilQuiet(() => first.answered() + second.answered(), 33)
  expect(second.answered()).toBe(0)
  const third = ask(many, 1)
  await untilQuiet(third.answered, 1)
  expect(second.answered()).toBe(0)
  await server.pass(4_999)
  await untilQuiet(second.answered, 0)
  await server.pass(1)
  await Promise.all([first.all, second.all, third.all])
})
