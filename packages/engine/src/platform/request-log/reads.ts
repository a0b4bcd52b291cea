import { toTimestamp } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { LoggedRequest } from './contract.ts'
import { loadRequest, loadRequestsAbout, type RequestRow } from './store.ts'

/** The latest request with this id, among those that the log still has; what was answered before this question is in it. */
export async function readRequest(
  { database, requestLog }: Pick<Engine, 'database' | 'requestLog'>,
  book: Book,
  requestId: string,
): Promise<LoggedRequest | undefined> {
  await requestLog.flush()
  const row = await loadRequest(database, book, requestId)
  return row && renderRequest(row)
}

/** What was asked to change one of these, or moved the clock, from a moment on, in its order: the latest fifty that the log still has. */
export async function readRequestsAbout(
  { database, requestLog }: Pick<Engine, 'database' | 'requestLog'>,
  book: Book,
  about: { readonly ids: readonly string[]; readonly from: string; readonly until: string },
): Promise<readonly LoggedRequest[]> {
  await requestLog.flush()
  const rows = await loadRequestsAbout(database, book, about)
  return rows.reverse().map(renderRequest)
}

export function renderRequest({ id, createdAt, fields, ...row }: RequestRow): LoggedRequest {
  return { ...row, fields: [...fields], createdAt: toTimestamp(createdAt) }
}
