import { ok } from '@corridor/kernel'
import type { AuditEntry } from '../../mechanisms/audit-log/entry.ts'
import { route } from '../../mechanisms/feature/bound.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Book, installationBook } from '../../vocabulary/scope.ts'
import { type AuditLogEntry, exportAuditLog, listAuditLog } from './contract.ts'
import { type FoundEntry, findEntries, loadChain } from './store.ts'

export const auditLogRoutes = [
  route(listAuditLog, async (engine, { query: { limit = 100, ...filters } }) => {
    await bringUpToDate(engine)
    const found = await findEntries(engine.database, filters, limit + 1)
    const data = found.slice(0, limit).map(render)
    const hasMore = found.length > limit
    const last = data.at(-1)
    return ok({ status: 200, body: { data, hasMore, ...(hasMore && last ? { nextCursor: last.id } : {}) } })
  }),

  route(exportAuditLog, async (engine, { query }) => {
    const { platformId, environment = 'SANDBOX', after = 0, limit = 1000 } = query
    await bringUpToDate(engine)
    const book: Book = platformId === undefined ? installationBook : { platformId, environment }
    const { head, entries } = await loadChain(engine.database, book, after, limit + 1)
    const shown = entries.slice(0, limit)
    const place = (position: bigint, hash: string) => ({
      position: Number(position),
      ...(hash === '' ? {} : { hash }),
    })
    return ok({
      status: 200,
      body: {
        forgotten: place(head?.forgottenPosition ?? 0n, head?.forgottenHash ?? ''),
        head: place(head?.position ?? 0n, head?.hash ?? ''),
        data: shown.map(({ position, hash, entry }) => ({ position: Number(position), hash, entry })),
        hasMore: entries.length > limit,
      },
    })
  }),
]

/** What was done before the question is in the answer. */
async function bringUpToDate({ auditLog }: Engine): Promise<void> {
  await auditLog.flush()
  await auditLog.chain()
}

function render({ platformId, environment, position, entry }: FoundEntry): AuditLogEntry {
  const { resources, changed, ...said } = JSON.parse(entry) as AuditEntry
  return {
    ...said,
    ...(platformId === installationBook.platformId ? {} : { platformId, environment }),
    resources: { ...resources },
    changed: [...changed],
    position: Number(position),
  }
}
