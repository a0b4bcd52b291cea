import { makeWorld, ok, silentLog } from '@corridor/kernel'
import { beforeEach, describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from '../db/availability.ts'
import type { Database } from '../db/database.ts'
import type { Connection, Statement } from '../db/driver.ts'
import { OutcomeUnknown } from '../db/outcome.ts'
import { createRequestLog, requestLogBounds } from './log.ts'

/** What becomes of lines that cannot be written at once, on a database that says what it says. */

const book = { platformId: '01890000-0000-7000-8000-000000000001', environment: 'SANDBOX' } as const
const request = {
  operation: 'listTokens',
  method: 'GET',
  path: '/tokens',
  resources: {},
  status: 200,
  code: null,
  fields: [],
  milliseconds: 1,
  idempotencyKey: undefined,
  replayed: false,
  actor: 'Token:one',
  source: '127.0.0.1',
}

let answers: (() => void)[] = []
let kept = new Map<string, string>()
let leftOut = 0
let random = 0

beforeEach(() => {
  answers = []
  kept = new Map()
  leftOut = 0
  random = 0
})

/** Keeps what is inserted, once by its id, and then says what is next to be said. */
const database = {
  async transact(_book: unknown, work: (connection: Connection) => Promise<unknown>) {
    const asked: [Statement, readonly unknown[]][] = []
    const query = async (statement: Statement, parameters: readonly unknown[] = []) => {
      asked.push([statement, parameters])
      return []
    }
    await work({ query } as unknown as Connection)
    const answer = answers.shift()
    const insert = () => {
      for (const [{ text }, parameters] of asked) {
        for (const row of JSON.parse(parameters[2] as string)) {
          if (kept.has(row.id) && !text.includes('on conflict do nothing')) throw new Error('twice')
          kept.set(row.id, row.request_id)
        }
      }
    }
    if (answer) {
      try {
        answer()
      } catch (error) {
        if (error instanceof OutcomeUnknown) insert()
        throw error
      }
    }
    insert()
    return ok(null)
  },
  write: async () => [],
} as unknown as Pick<Database, 'transact' | 'write'>

const away = () => {
  throw new DatabaseUnavailable('AWAY', 'the database does not answer')
}

function openLog() {
  const world = makeWorld({
    now: () => 1_700_000_000_000,
    randomBytes: (count) => new Uint8Array(count).fill(random++),
    fetch,
    log: { ...silentLog, warn: (fields) => (leftOut += (fields as { lines: number }).lines) },
    sleep: async () => {},
  })
  return createRequestLog({
    database,
    clock: { offsetMs: async () => 0 },
    keys: { tag: (_, text) => text },
    world,
    environments: ['SANDBOX'],
  })
}

describe('requests that could not be written down', () => {
  it('are written by whoever reads next, in their order, where the database was away for a moment', async () => {
    const log = openLog()
    log.note(book, { ...request, requestId: 'first' })
    answers = [away]
    await log.flush()
    log.note(book, { ...request, requestId: 'second' })
    await log.flush()
    expect([...kept.values()]).toEqual(['first', 'second'])
    expect(leftOut).toBe(0)
  })

  it('are there once where only the acknowledgement was lost', async () => {
    const log = openLog()
    log.note(book, { ...request, requestId: 'first' })
    answers = [
      () => {
        throw new OutcomeUnknown(new Error('cut'), async () => {})
      },
    ]
    await log.flush()
    await log.flush()
    expect([...kept.values()]).toEqual(['first'])
    expect(leftOut).toBe(0)
  })

  it('are left out where it is they that the database refuses', async () => {
    const log = openLog()
    log.note(book, { ...request, requestId: 'first' })
    answers = [
      () => {
        throw Object.assign(new Error('out of range'), { code: '22003', severity: 'ERROR' })
      },
    ]
    await log.flush()
    await log.flush()
    expect(kept.size).toBe(0)
    expect(leftOut).toBe(1)
  })

  it('are no more than those that may wait, however long it is away', async () => {
    const log = openLog()
    const half = requestLogBounds.waiting / 2 + 1
    for (const lines of ['a', 'b']) {
      for (let line = 0; line < half; line++) log.note(book, { ...request, requestId: `${lines}${line}` })
      answers = [away]
      await log.flush()
    }
    await log.flush()
    expect(kept.size).toBe(requestLogBounds.waiting)
    expect(leftOut).toBe(2)
  })
})
