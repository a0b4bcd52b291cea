import { createServer, type Server, type Socket } from 'node:net'
import { ok } from '@corridor/kernel'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { connectionTo, openTestDatabase, throughPort } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Book } from '../../vocabulary/scope.ts'
import { createApplier } from './apply.ts'
import { createDatabase } from './database.ts'
import { type Driver, statement } from './driver.ts'
import { openPostgresql } from './postgresql.ts'

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL

/** What happens to the next commit on its way, once. */
type Accident = 'the commit is lost' | 'its answer is lost' | 'it arrives after the client has given up'

/** A network that knows what a commit looks like. */
class Network {
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  accident: Accident | undefined
  accidents = 0

  constructor() {
    this.#server = createServer((client) => {
      const server = connectionTo(serverUrl!)
      for (const socket of [client, server]) {
        this.#sockets.add(socket)
        socket.on('error', () => {})
      }
      let isHeld = false
      client.on('close', () => isHeld || server.destroy())
      server.on('close', () => client.destroy())
      client.on('data', (chunk) => {
        const { accident } = this
        // A commit of many statements ends its packet; one that is a statement by itself is known by its name.
        const isCommit = chunk.includes('commit\0') || chunk.includes('apply.writeCoreRows\0')
        if (!isCommit || accident === undefined || accident === 'its answer is lost')
          return server.write(chunk)
        this.#happens()
        isHeld = accident === 'it arrives after the client has given up'
        client.destroy()
        // The session of a frozen server reads it when it wakes, unless it is told otherwise before.
        if (isHeld) setTimeout(() => server.write(chunk), 300)
      })
      server.on('data', (chunk) => {
        const isDone = chunk.includes('COMMIT\0') || chunk.includes('MERGE ')
        if (this.accident !== 'its answer is lost' || !isDone) return client.write(chunk)
        this.#happens()
        client.destroy()
      })
    })
  }
  #happens(): void {
    this.accident = undefined
    this.accidents++
  }
  async open(database: string): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    const { port } = this.#server.address() as { port: number }
    const url = throughPort(serverUrl!, port)
    url.pathname = `/${database}`
    return url.href
  }
  close(): void {
    for (const socket of this.#sockets) socket.destroy()
    this.#server.close()
  }
}

const whichDatabase = statement('test.database', 'select current_database() as name')
const alice = 'avail:InternalAccount:alice'
const bob = 'avail:InternalAccount:bob'

// The embedded database has no network to be lost.
describe.skipIf(!serverUrl)('on a server', () => {
  const network = new Network()
  let books: TestBooks
  let driver: Driver
  let applier: ReturnType<typeof createApplier>
  beforeAll(async () => {
    books = createTestBooks(await openTestDatabase())
    const [row] = await books.database.system((connection) =>
      connection.query<{ name: string }>(whichDatabase),
    )
    driver = openPostgresql({ url: await network.open(row!.name) })
    const world = { ...books.world, sleep: async () => {} }
    applier = createApplier({ database: createDatabase(driver), world, wake: () => {} })
  })
  afterAll(async () => {
    await driver.close()
    network.close()
    await books.database.close()
  })

  const accidents: Accident[] = [
    'the commit is lost',
    'its answer is lost',
    'it arrives after the client has given up',
  ]
  const execute = (book: Book, n: number, isGuarded: boolean) =>
    applier.apply(books.scope(book), {
      transfers: [
        { id: `Transaction:${n}/execute/0`, debit: alice, credit: bob, currency: 'EUR', amountMinor: 10n },
      ],
      events: [{ type: 'EXECUTED', resourceId: `Transaction:${n}`, subjectId: null, data: {} }],
      updates: isGuarded ? [{ table: 'tokens', id: `Token:${n}`, version: 1n, set: { name: 'b' } }] : [],
      result: () => n,
    })

  describe.each([
    ['in one statement', false],
    ['in a transaction of two packets', true],
  ])('%s', (_, isGuarded) => {
    it.each(accidents)('%s: all is done once, and told', async (accident) => {
      const book = await books.open()
      await books.fund(book, alice, 100n)
      const at = '2026-01-01T00:00:00.000Z'
      const columns = { name: 'a', secret_hash: '', permissions: ['VIEW'], created_at: at, updated_at: at }
      const tokens = Array.from({ length: 6 }, (_, n) => ({
        id: `Token:${n}`,
        client_id: books.world.uuid(),
        ...columns,
      }))
      const inserts = tokens.map((row) => ({ table: 'tokens' as const, row }))
      await books.applier.apply(books.scope(book), { inserts, result: () => null })
      const before = network.accidents
      network.accident = accident
      const outcomes = await Promise.all(tokens.map((_, n) => execute(book, n, isGuarded)))
      expect(network.accidents).toBe(before + 1)
      expect(outcomes).toEqual(tokens.map((_, n) => ok(n)))
      // What was held back on its way has had the time to arrive.
      if (accident === 'it arrives after the client has given up')
        await new Promise((resolve) => setTimeout(resolve, 600))
      expect(await books.balances(book)).toMatchObject({
        [alice]: { spendableMinor: 40n },
        [bob]: { spendableMinor: 60n },
      })
      expect(await books.rows(book, 'ledger_transfers')).toHaveLength(7)
      expect(await books.rows(book, 'events')).toHaveLength(6)
      const names = await books.rows<{ name: string; version: bigint }>(book, 'tokens')
      for (const token of names)
        expect(token).toMatchObject(isGuarded ? { name: 'b', version: 2n } : { name: 'a', version: 1n })
    })
  })
})
