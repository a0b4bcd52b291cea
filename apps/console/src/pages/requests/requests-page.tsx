import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { apiAddress } from '../../app/console-api.ts'
import { Go, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { words } from '../../words.ts'
import { Answered } from './answered.tsx'

type Request = Item<'listRequests'>

const filters: readonly Filter[] = [
  { name: 'operation', label: 'Operation' },
  { name: 'code', label: 'Error code' },
  { name: 'status', label: 'Status' },
  { name: 'method', label: 'Method', options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  { name: 'actor', label: 'Who' },
  { name: 'createdAfter', label: 'From (ISO time)' },
  { name: 'createdBefore', label: 'Until (ISO time)' },
]

/** The stream tells nothing of requests, and whoever has just made one looks for it. */
const lookEveryMs = 2_000

const keyOf = ({ requestId, createdAt }: Request) => `${requestId} ${createdAt}`

/** What was asked of the API and how it was answered, the latest first. */
export function RequestsPage() {
  const { corridor, environment } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  const read = (cursor: string | undefined) =>
    corridor.requestLog.list({ ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never)
  return (
    <>
      <PageHead title={words.pages.requests} />
      <Refused />
      <Filters of={filters} />
      <Rows<Request>
        label={words.pages.requests}
        list={['requests', query]}
        read={read}
        columns={[
          { title: 'Time', width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
          { title: 'Request', width: 'event', cell: ({ method, path }) => `${method} ${path}` },
          { title: 'Answer', cell: (request) => <Answered {...request} /> },
          { title: 'Who', isWide: true, cell: ({ actor }) => <Id id={actor} short /> },
          { title: 'Took', isWide: true, isAmount: true, cell: ({ milliseconds }) => `${milliseconds} ms` },
        ]}
        keyOf={keyOf}
        news={{
          kind: 'Request',
          text: 'There are new requests.',
          newest: async () => {
            const [newest] = (await corridor.requestLog.list({ ...query, limit: 1 } as never)).data
            return newest ? keyOf(newest) : null
          },
          everyMs: lookEveryMs,
        }}
        to={({ requestId }) => `requests/${encodeURIComponent(requestId)}`}
        empty={
          <Empty
            title="No requests yet. Ask for something, and it stands here."
            filters={filters}
            find={(others) => corridor.requestLog.list({ ...others, limit: 1 } as never)}
          >
            <pre>
              {corridor.curl({ method: 'GET', path: '/config' }).replace(corridor.baseUrl, apiAddress)}
            </pre>
            {environment === 'production' && (
              <p className="muted">In production it is empty unless the operator has switched it on.</p>
            )}
          </Empty>
        }
      />
    </>
  )
}

/** So many of the latest requests are grouped. */
const looked = 100

/** What was refused among the latest requests, by what and where: each leads to its own. */
function Refused() {
  const { corridor } = useSession()
  const latest = useQuery({
    queryKey: ['requests', 'latest'],
    queryFn: async () => await corridor.requestLog.list({ limit: looked }),
    refetchInterval: 10_000,
  })
  const groups = new Map<string, { code: string; operation: string; count: number }>()
  for (const { code, operation } of latest.data?.data ?? []) {
    if (code === null) continue
    const key = `${code} ${operation}`
    groups.set(key, { code, operation, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  if (groups.size === 0) return null
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count)
  return (
    <Part title={`Refused among the latest ${looked}`}>
      <ul className="plain">
        {sorted.map(({ code, operation, count }) => (
          <li key={`${code} ${operation}`}>
            <Go to={`requests?${new URLSearchParams({ code, operation })}`}>
              {code} · {operation}
            </Go>{' '}
            × {count}
          </li>
        ))}
      </ul>
    </Part>
  )
}
