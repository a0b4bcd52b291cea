import { expect, it } from 'vitest'
import type { Book } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { createKnownRows } from './known-rows.ts'

const book: Book = { platformId: '0199dd6c-0000-7000-8000-000000000000', environment: 'SANDBOX' }

it('does not take a row of one server for that of another, which may have the same stamp', () => {
  let server = 'one'
  const database = { server: () => server } as Database
  const known = createKnownRows<{ readonly status: string }>()
  const row = known.keep(database, book, 'a', '7', { status: 'PENDING' })
  expect(known.find(database, book, 'a', '7')).toBe(row)
  server = 'two'
  expect(known.find(database, book, 'a', '7')).toBeUndefined()
})
