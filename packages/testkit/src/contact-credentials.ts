import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import type { Contact, ContactCredentials } from '@corridor/engine/ports/contact-credentials.ts'
import type { Book } from '@corridor/engine/vocabulary/scope.ts'

/**
 * Credentials of wallets as a test gives them out, kept in a table of their own, so that they change in the
 * transaction that changes their customer. Contacts are kept as their hashes: they are nobody's business.
 */
export interface TestCredentials extends ContactCredentials<Engine> {
  /** Once the server runs and before the first request. */
  install(server: { readonly engine: Engine }): Promise<void>
  /** A credential on a wallet of the customer, and its id. */
  add(book: Book, customerId: string, contact: Contact): Promise<string>
  remove(book: Book, id: string): Promise<void>
  has(book: Book, id: string, value: string): Promise<boolean>
  /** Ids of those that cannot be changed. */
  readonly stuck: Set<string>
}

const table = `create table test_credentials (
  platform_id uuid not null, environment text not null, id text primary key, customer_id text not null,
  type text not null, contact_hash text not null)`

const where = 'where platform_id = $1 and environment = $2'
const listTied = statement(
  'testCredentials.tied',
  `select id from test_credentials ${where} and customer_id = $3 and type = $4 order by id`,
)
const listOthers = statement(
  'testCredentials.others',
  `select id from test_credentials ${where} and type = $3 and contact_hash = $4 and id <> all($5::text[])`,
)
const find = statement(
  'testCredentials.find',
  `select id from test_credentials ${where} and id = $3 and contact_hash = $4`,
)
const insert = statement(
  'testCredentials.add',
  'insert into test_credentials values ($1, $2, $3, $4, $5, $6)',
)
const remove = statement('testCredentials.remove', `delete from test_credentials ${where} and id = $3`)
const update = statement(
  'testCredentials.change',
  `update test_credentials set contact_hash = $4 ${where} and id = any($3::text[])`,
)

export function testCredentials(): TestCredentials {
  let engine: Engine
  const stuck = new Set<string>()
  const hash = (value: string) => engine.keys.searchHash('test credential', value.toLowerCase())
  const read = (book: Book, what: typeof find, ...parameters: unknown[]) =>
    engine.database.read<{ id: string }>(book, what, [book.platformId, book.environment, ...parameters])

  return {
    stuck,
    async install(server) {
      engine = server.engine
      await engine.database.asLogin(async (connection) => {
        await connection.script(table)
        await connection.script("select corridor_protect('test_credentials')")
      })
    },
    async add(book, customerId, { type, value }) {
      const id = `AuthMethod:${engine.world.uuid()}`
      await read(book, insert, id, customerId, type, hash(value))
      return id
    },
    async remove(book, id) {
      await read(book, remove, id)
    },
    has: async (book, id, value) => (await read(book, find, id, hash(value))).length === 1,
    async tied(_engine, book, customerId, type) {
      return (await read(book, listTied, customerId, type)).map(({ id }) => id)
    },
    async isHeldByOthers(_engine, book, { type, value }, ids) {
      return (await read(book, listOthers, type, hash(value), ids)).length > 0
    },
    async change(_engine, scope, ids, { value }) {
      if (ids.some((id) => stuck.has(id))) return undefined
      const parameters = [scope.platformId, scope.environment, ids, hash(value)]
      return { statements: [{ statement: update, parameters }] }
    },
  }
}
