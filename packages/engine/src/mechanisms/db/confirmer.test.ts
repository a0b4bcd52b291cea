import { createServer, type Server, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { createTestBooks, type TestBooks } from '@corridor/testkit/book.ts'
import { connectionTo, openTestDatabase, throughPort } from '@corridor/testkit/database.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DatabaseUnavailable } from './availability.ts'
import { type Driver, statement } from './driver.ts'
import { openPostgresql } from './postgresql.ts'

const serverUrl = process.env.CORRIDOR_TEST_DATABASE_URL
const findNames = statement('test.confirmerDatabase', 'select current_database() as name')
// The embedded database has no network.
describe.skipIf(!serverUrl)('the connection for confirmations', () => {
  let books: TestBooks
  let driver: Driver
  let network: Server
  const sockets = new Set<Socket>()
  /** The last connection for confirmations. What it sends goes nowhere once it is a black hole. */
  let confirming: { readonly server: Socket; isBlackHole: boolean } | undefined

  beforeAll(async () => {
    books = createTestBooks(await openTestDatabase())
    network = createServer((client) => {
      const server = connectionTo(serverUrl!)
      const pair = { server, isBlackHole: false }
      for (const socket of [client, server]) sockets.add(socket.on('error', () => {}))
      client.on('data', (chunk) => {
        if (chunk.includes('corridor durability')) confirming = pair
        if (!pair.isBlackHole) server.write(chunk)
      })
      server.on('data', (chunk) => pair.isBlackHole || client.write(chunk))
      // The server hears nothing of the end of a connection that is a black hole.
      client.on('close', () => pair.isBlackHole || server.destroy())
      server.on('close', () => client.destroy())
    })
    await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve))
    const url = throughPort(serverUrl!, (network.address() as { port: number }).port)
    const [row] = await books.database.system((connection) => connection.query<{ name: string }>(findNames))
    url.pathname = `/${row!.name}`
    driver = openPostgresql({ url: url.href })
  })
  afterAll(async () => {
    await driver.close()
    for (const socket of sockets) socket.destroy()
    network.close()
    await books.database.close()
  })

  it('is replaced when a network loses it without a word', async () => {
    await driver.use('read', (connection) => connection.query(findNames))
    await driver.confirm(driver.server())
    const lost = confirming!
    lost.isBlackHole = true
    const startedAt = performance.now()
    await expect(driver.confirm(driver.server())).rejects.toThrow(DatabaseUnavailable)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    let isConfirmed = false
    while (!isConfirmed && performance.now() - startedAt < 30_000) {
      await wait(50)
      isConfirmed = await driver.confirm(driver.server()).then(
        () => true,
        () => false,
      )
    }
    expect(isConfirmed).toBe(true)
    expect(confirming).not.toBe(lost)
  })
})
