import type { Page } from '@corridor/sdk/pages.ts'
import type { InfiniteData, QueryClient } from '@tanstack/react-query'
import type { Session } from '../session.tsx'
import type { Told } from './feed.ts'

interface Row {
  readonly id?: string
}
type ListData = InfiniteData<Page<Row>>

/** More rows than these are not read one by one: whoever scrolls there reads them anew. */
const mostRows = 20
/** A list that is longer is not read as a whole. */
const mostPages = 2

/** The kind of a resource, as its id begins. */
function kindOf(id: string): string {
  return id.slice(0, id.indexOf(':'))
}

/** Reads one row of a list, where the API shows it there as it does alone. */
function readerOf({ corridor }: Session, id: string): (() => PromiseLike<Row>) | undefined {
  switch (kindOf(id)) {
    case 'Transaction':
      return () => corridor.transactions.get(id)
    case 'Customer':
      return () => corridor.customers.get(id)
    case 'InternalAccount':
      return () => corridor.internalAccounts.get(id)
    case 'Card':
      return () => corridor.cards.get(id)
    default:
      return undefined
  }
}

/**
 * Brings up to date what pages show of the resources that these events tell of. Rows are replaced where they stand, so
 * nothing moves under the pointer; that there are new ones is asked for, and waits behind a bar (parts/news.tsx).
 */
export async function refresh(
  queries: QueryClient,
  session: Session,
  events: readonly Told[],
): Promise<void> {
  const ids = new Set(events.map(({ resourceId }) => resourceId))
  const kinds = new Set([...ids].map(kindOf)).add('Webhook')
  const isAbout = ([what, kind]: readonly unknown[]) =>
    what === 'newest' ? kinds.has(kind as string) : what === 'health'
  const reading = queries.invalidateQueries({
    predicate: ({ queryKey }) =>
      queryKey[0] !== 'list' &&
      (isAbout(queryKey) || queryKey.some((part) => typeof part === 'string' && ids.has(part))),
  })
  await Promise.all([reading, refreshLists(queries, session, ids)])
}

async function refreshLists(queries: QueryClient, session: Session, ids: ReadonlySet<string>): Promise<void> {
  const lists = queries.getQueriesData<ListData>({ queryKey: ['list'] })
  const shown = new Set<string>()
  for (const [queryKey, data] of lists) {
    const found = idsOf(data).filter((id) => ids.has(id))
    const alone = found.filter((id) => readerOf(session, id))
    for (const id of alone) shown.add(id)
    if (alone.length === found.length) continue
    // The others come with their page.
    const refetchType = data!.pages.length > mostPages ? 'none' : 'active'
    void queries.invalidateQueries({ queryKey, exact: true, refetchType })
  }
  const fresh = new Map<string, Row>()
  await Promise.all(
    [...shown].slice(-mostRows).map(async (id) => {
      // What is not read now is read by the page of the resource, with its reason.
      const row = await Promise.resolve(readerOf(session, id)!()).catch(() => undefined)
      if (row) fresh.set(id, row)
    }),
  )
  if (fresh.size === 0) return
  const of = (row: Row) => (row.id !== undefined && fresh.get(row.id)) || row
  for (const [queryKey] of lists) {
    queries.setQueryData<ListData>(queryKey, (now) => {
      if (!idsOf(now).some((id) => fresh.has(id))) return now
      return { ...now!, pages: now!.pages.map((page) => ({ ...page, data: page.data.map(of) })) } as ListData
    })
  }
}

function idsOf(data: ListData | undefined): string[] {
  return (data?.pages ?? []).flatMap((page) => page.data.flatMap(({ id }) => id ?? []))
}
