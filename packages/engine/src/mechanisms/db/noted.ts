import { type Result, toTimestamp } from '@corridor/kernel'
import type { Actor, Book, EffectMark } from '../../vocabulary/scope.ts'
import type { Database } from './database.ts'
import type { Connection } from './driver.ts'
import { insertRows } from './write.ts'

/** A transaction that is no Decision, with the line of the audit log about it, and its mark, when `work` returns ok. */
export async function transactNoted<T, F>(
  database: Database,
  book: Book,
  actor: Actor | undefined,
  work: (connection: Connection) => Promise<Result<T, F>>,
): Promise<Result<T, F>> {
  const note = actor?.note
  const done = await database.transact<T, F>(book, async (connection) => {
    const outcome = await work(connection)
    if (note && !note.isWritten && outcome.ok) {
      insertRows(connection, book, 'audit_inbox', [{ ...note.toRow(outcome) }])
      if (note.mark) insertMark(connection, book, note.mark(book))
    }
    return outcome
  })
  if (note && done.ok) note.isWritten = true
  return done
}

function insertMark(connection: Connection, book: Book, { at, expiresAt, ...mark }: EffectMark): void {
  const times = { created_at: toTimestamp(at), expires_at: toTimestamp(expiresAt) }
  insertRows(connection, book, 'idempotency_keys', [{ ...mark, ...times }])
}
