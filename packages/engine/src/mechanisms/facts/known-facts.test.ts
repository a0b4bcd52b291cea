import { expect, it } from 'vitest'
import type { Book } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { createKnownFacts } from './known-facts.ts'

const book: Book = { platformId: '0199dd6c-0000-7000-8000-000000000000', environment: 'SANDBOX' }

it('reads a fact again once another server has taken over: its row may have the same stamp', async () => {
  let server = 'one'
  let reads = 0
  const database = { server: () => server } as Database
  const read = async (_database: Database, _book: Book, ids: readonly string[]) => {
    reads++
    return ids.map((id) => ({ id, stamp: '7' }))
  }
  const facts = createKnownFacts<{ readonly id: string }>({} as never, { plain: read, stamped: read })
  const attempt = { mayKnow: true, relies: [], isOver: false }
  const load = () => facts.load(database, { ...book, attempt }, ['a'], (row) => row)
  await load()
  await load()
  expect(reads).toBe(1)
  server = 'two'
  await load()
  expect(reads).toBe(2)
})
