import { operations } from '@corridor/engine/assembly/features.ts'
import type { Operation } from '@corridor/engine/vocabulary/operation.ts'
import { openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import type { TObject } from 'typebox'
import { describe, expect, it } from 'vitest'
import { basic } from '../e2e/raw-calls.ts'
import { type Prepared, prepareWrite } from './write-bodies.ts'

const server = await openTestServer({ network: (async () => new Response('ok')) as typeof fetch })

/** From the table, so that an operation that is added cannot be forgotten. */
const writes = operations.filter(
  ({ method, auth }) => (method === 'POST' || method === 'PATCH') && (auth === 'basic' || auth === 'agent'),
)

/** One platform in which the operation makes sense, as far as `write-bodies.ts` knows how. */
async function prepared(operation: Operation) {
  const platform = await server.platform({ settings: { counterpartyRules: true } })
  const { path, body, headers, succeeds }: Prepared = await prepareWrite(server, platform, operation)
  const isForm = body instanceof FormData
  return {
    succeeds,
    platformId: platform.platformId,
    async send(key?: string, requestId?: string) {
      const response = await server.fetch(`${server.baseUrl}${path}`, {
        method: operation.method,
        headers: {
          authorization: basic(platform),
          ...(body === undefined || isForm ? {} : { 'content-type': 'application/json' }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
          ...(requestId === undefined ? {} : { 'x-request-id': requestId }),
          ...headers,
        },
        ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
      })
      const text = await response.text()
      const json = text === '' ? undefined : (JSON.parse(text) as Record<string, unknown>)
      const isReplay = response.headers.get('idempotent-replayed') === 'true'
      return { status: response.status, json, isReplay }
    },
  }
}

type Answer = Awaited<ReturnType<Awaited<ReturnType<typeof prepared>>['send']>>

function expectNoBreakdown({ status, json }: Answer): void {
  // 501 says that this installation offers nothing of the kind; every other 5xx is a breakdown.
  if (status !== 501) expect(status, JSON.stringify(json)).toBeLessThan(500)
}

function withoutSecrets({ json }: Answer, { secretFields = [] }: Operation) {
  return json && Object.fromEntries(Object.entries(json).filter(([name]) => !secretFields.includes(name)))
}

const needsKey = ({ headers }: Operation) =>
  (headers as TObject | undefined)?.required?.includes('Idempotency-Key') ?? false

/** What was stored by itself while `work` ran: answers, and not with an effect. */
async function storedApart(work: () => Promise<unknown>): Promise<number> {
  const { database } = server.engine
  const { transact } = database
  let stored = 0
  const watched: typeof transact = (book, change) =>
    transact.call(database, book, (connection) => {
      const query: typeof connection.query = (statement, parameters) => {
        if (statement.text.startsWith('insert into idempotency_keys ')) stored++
        return connection.query(statement, parameters)
      }
      return change({ ...connection, query })
    }) as never
  Object.assign(database, { transact: watched })
  await work().finally(() => Object.assign(database, { transact }))
  return stored
}

/** How many lines of the audit log a request has. */
async function linesOf(platformId: string, requestId: string): Promise<number> {
  const query = new URLSearchParams({ platformId, environment: 'SANDBOX', limit: '1000' })
  const response = await server.fetch(`http://corridor.test/operator/audit-log?${query}`, {
    headers: { authorization: `Bearer ${operatorKey}` },
  })
  const { data } = (await response.json()) as { data: { requestId?: string }[] }
  return data.filter((line) => line.requestId === requestId).length
}

describe('an Idempotency-Key (conventions 6)', () => {
  it.each(writes.map((operation) => [operation.id, operation] as const))(
    'gives the first answer of %s again, and without one it answers as well',
    async (_id, operation) => {
      const keyed = await prepared(operation)
      let first!: Answer
      const apart = await storedApart(async () => {
        first = await keyed.send('key-1', 'asked-once')
      })
      expectNoBreakdown(first)
      // Two processes would each do it: such an operation says why, and claims its key for all of them.
      if (first.status < 300) expect(apart).toBe(operation.answersApart === undefined ? 0 : 1)
      expect(first.isReplay).toBe(false)
      if (keyed.succeeds) expect(first.status, JSON.stringify(first.json)).toBeLessThan(300)
      const again = await keyed.send('key-1', 'asked-once')
      expectNoBreakdown(again)
      expect([again.status, again.json]).toEqual([first.status, withoutSecrets(first, operation)])
      if (first.status < 300) expect(again.isReplay).toBe(true)
      // Who did it is on record once, and not a second time for the answer that is repeated.
      if (first.status < 300) expect(await linesOf(keyed.platformId, 'asked-once')).toBe(1)

      const other = await prepared(operation)
      const keyless = await other.send()
      expectNoBreakdown(keyless)
      expect(keyless.status).toBe(needsKey(operation) ? 400 : first.status)
      expectNoBreakdown(await other.send())
    },
  )
})
