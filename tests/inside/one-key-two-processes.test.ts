import type { Statement } from '@corridor/engine/vocabulary/statement.ts'
import { openTestServer, operatorKey, startTestServer, type TestServer } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { basic, type Credentials, json } from '../e2e/raw-calls.ts'

const network = (async () => new Response('ok')) as typeof fetch
const server = await openTestServer({ network })
let beside: TestServer
beforeAll(async () => {
  beside = await startTestServer({ beside: server, seed: 2, network })
})
afterAll(() => beside.close())

interface Sent {
  readonly path: string
  readonly body?: object
  /** A platform, or an operator's key; absent: the operator of the environment. */
  readonly as?: Credentials | string
}

let keys = 0
function sender({ path, body, as }: Sent) {
  const key = `key-${++keys}`
  return async (at: TestServer) => {
    const { status, headers, text } = await ask(at, 'POST', path, as, { body, key })
    return { status, headers, text, json: () => JSON.parse(text) }
  }
}

async function ask(
  at: TestServer,
  method: string,
  path: string,
  as: Credentials | string = operatorKey,
  { body, key }: { body?: object | undefined; key?: string } = {},
) {
  const isOperator = typeof as === 'string'
  const response = await at.fetch(`${isOperator ? 'http://corridor.test' : at.baseUrl}${path}`, {
    method,
    headers: {
      authorization: isOperator ? `Bearer ${as}` : basic(as),
      ...(body ? json : {}),
      ...(key ? { 'idempotency-key': key } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

async function list<T>(path: string, as?: Credentials): Promise<T[]> {
  return JSON.parse((await ask(server, 'GET', path, as)).text).data
}

/** The other process is asked when the first one has just found that the key is new. */
async function atOnce(sent: Sent) {
  const send = sender(sent)
  const { database } = server.engine
  const read = database.read.bind(database) as (...given: unknown[]) => Promise<never>
  let second: Awaited<ReturnType<typeof send>> | undefined
  let isAsked = false
  Object.assign(database, {
    async read(book: unknown, statement: Statement, parameters: unknown) {
      const found = await read(book, statement, parameters)
      if (!isAsked && statement.name === 'idempotency.find') {
        isAsked = true
        second = await send(beside)
      }
      return found
    },
  })
  const first = await send(server).finally(() => Object.assign(database, { read }))
  return { first, second: second!, again: await send(beside) }
}

/** The first does it, the second waits for it, and a repetition has its answer. */
function expectOneEffect({ first, second, again }: Awaited<ReturnType<typeof atOnce>>, status: number) {
  expect([first.status, second.status, again.status], second.text).toEqual([status, 409, status])
  expect(second.json().details.reason).toBe('REQUEST_IN_PROGRESS')
  expect(second.headers.get('x-should-retry')).toBe('true')
  expect(again.headers.get('idempotent-replayed')).toBe('true')
}

it('an operator issues one token with one key', async () => {
  const platform = await server.platform()
  const path = `/operator/platforms/${platform.platformId}/tokens?environment=SANDBOX`
  const name = 'issued once'
  const answers = await atOnce({ path, body: { name, permissions: ['VIEW'] } })
  expectOneEffect(answers, 201)
  expect(answers.again.json()).not.toHaveProperty('clientSecret')
  const listed = await list<{ id: string; name: string }>('/tokens', platform)
  const issued = listed.filter((token) => token.name === name)
  expect(issued.map(({ id }) => id)).toEqual([answers.again.json().id])
})

it('an operator makes one platform with one key', async () => {
  const name = 'made-once'
  expectOneEffect(await atOnce({ path: '/operator/platforms', body: { name, environment: 'SANDBOX' } }), 201)
  const platforms = await list<{ name: string }>('/operator/platforms')
  expect(platforms.filter((platform) => platform.name === name)).toHaveLength(1)
})

it('a pause is answered with its success, and the refusal of whoever came second is not kept', async () => {
  const { platformId } = await server.platform()
  const body = {
    environment: 'SANDBOX',
    platformId,
    rail: 'PIX',
    reasonCode: 'RAIL_UNAVAILABLE',
    reason: 'test',
  }
  const answers = await atOnce({ path: '/operator/pauses', body })
  expectOneEffect(answers, 201)
  expect(answers.again.json().id).toBe(answers.first.json().id)
})

it('one key moves the clock of the sandbox once', async () => {
  const as = await server.platform()
  const before = await server.now(as)
  expectOneEffect(await atOnce({ path: '/sandbox/clock/advance', body: { seconds: 3_600 }, as }), 200)
  expect((await server.now(as)) - before).toBeLessThan(7_000_000)
})

it('one key sends one test webhook', async () => {
  const as = await server.platform()
  const body = { url: 'https://platform.example.com/webhooks' }
  expectOneEffect(await atOnce({ path: '/sandbox/webhooks/test', body, as }), 200)
})

it('what stores its answer with its effect claims no key: the second process is told the answer of the first', async () => {
  const as = await server.platform()
  const answers = await atOnce({ path: '/tokens', body: { name: 'own', permissions: ['VIEW'] }, as })
  expect([answers.first.status, answers.second.status, answers.again.status]).toEqual([201, 201, 201])
  expect(new Set(Object.values(answers).map((answer) => answer.json().id)).size).toBe(1)
})

it('a claim ends with the lease of a process that has died', async () => {
  const as = await server.platform()
  const send = sender({ path: '/sandbox/clock/advance', body: { seconds: 60 }, as })
  const { database } = server.engine
  const write = database.write.bind(database) as (...given: unknown[]) => Promise<never>
  // A process that dies gives nothing back.
  Object.assign(database, {
    write: async (book: unknown, statement: Statement, parameters: unknown) =>
      statement.name === 'idempotency.release' ? [] : write(book, statement, parameters),
  })
  await send(server).finally(() => Object.assign(database, { write }))
  beside.world.passMs(server.world.now() - beside.world.now())
  const meanwhile = await send(beside)
  expect(meanwhile.json().details?.reason).toBe('REQUEST_IN_PROGRESS')
  for (const { world } of [server, beside]) world.passMs(60_000)
  expect((await send(beside)).headers.get('idempotent-replayed')).toBe('true')
  expect(await server.rows('select 1 from idempotency_claims')).toEqual([])
})

it('a proposal is approved once with one key, and that is the answer', async () => {
  const invite = async (name: string) =>
    JSON.parse(
      (
        await ask(server, 'POST', '/operator/operators', operatorKey, {
          body: { name, role: 'ADMINISTRATOR' },
        })
      ).text,
    )
  const { joinCode } = await invite('Ann')
  const joined = await ask(server, 'POST', '/operator/join', operatorKey, { body: { joinCode } })
  const ann: string = JSON.parse(joined.text).key
  for (const { world } of [server, beside]) world.passMs(7 * 24 * 3_600_000)
  const proposed = await invite('Bob')
  const answers = await atOnce({ path: `/operator/proposals/${proposed.id}/approve`, as: ann })
  expectOneEffect(answers, 200)
  expect(answers.first.json()).toMatchObject({ status: 201, answer: { name: 'Bob' } })
  expect(answers.again.json().status).toBe(201)
})
