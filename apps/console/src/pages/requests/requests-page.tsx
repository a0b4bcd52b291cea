import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Go, useView } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Beside, besidePage } from '../../parts/beside.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { NameOf } from '../../parts/names.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { words } from '../../words.ts'
import { Answered } from './answered.tsx'

type Request = Item<'listRequests'>

const filters: readonly Filter[] = [
  { name: 'operation', label: t('Operation') },
  { name: 'code', label: t('Error code') },
  { name: 'status', label: t('Status') },
  { name: 'method', label: t('Method'), options: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] },
  { name: 'actor', label: t('Who') },
  { name: 'resourceId', label: t('About (id)') },
  { name: 'createdAfter', label: t('From'), time: 'FROM' },
  { name: 'createdBefore', label: t('Until'), time: 'UNTIL' },
]

/** The stream tells nothing of requests, and whoever has just made one looks for it. */
const lookEveryMs = 2_000

const keyOf = ({ requestId, createdAt }: Request) => `${requestId} ${createdAt}`

const RequestBeside = besidePage(() => import('./request-page.tsx'), 'RequestPage')

/** What was asked of the API and how it was answered, the latest first. */
export function RequestsPage() {
  const { corridor, environment, apiAddress } = useSession()
  const [view] = useView()
  const query = filtersOf(view, filters)
  const read = (cursor: string | undefined) =>
    corridor.requestLog.list({ ...query, limit: 100, ...(cursor ? { cursor } : {}) } as never)
  return (
    <Beside of="requests" page={RequestBeside}>
      <PageHead title={words.pages.requests} />
      <Refused />
      <Filters of={filters} />
      <Rows<Request>
        label={words.pages.requests}
        list={['requests', query]}
        read={read}
        columns={[
          { title: t('Time'), width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
          {
            title: t('Request'),
            width: 'event',
            // Where there is little room the middle of it is left out: its method says how it begins.
            cell: ({ method, path }) => (
              <span className="request" title={`${method} ${path}`}>
                {method}{' '}
                <span className="cut">
                  <span className="ends">{path}</span>
                </span>
              </span>
            ),
          },
          { title: t('Answer'), cell: (request) => <Answered {...request} /> },
          { title: t('Who'), isWide: true, width: 'party', cell: ({ actor }) => <NameOf id={actor} /> },
          {
            title: t('Same key'),
            isExtra: true,
            width: 'end',
            cell: ({ idempotencyKey: key }) => (key ? <code title={key}>…{key.slice(-6)}</code> : '—'),
          },
          {
            title: t('Took'),
            isWide: true,
            isAmount: true,
            width: 'digits',
            cell: ({ milliseconds }) => `${milliseconds} ms`,
          },
        ]}
        keyOf={keyOf}
        unfiltered={Object.keys(query).length > 0 ? () => corridor.requestLog.list({ limit: 1 }) : undefined}
        news={{
          kind: 'Request',
          text: t('There are new requests.'),
          newest: async () => {
            const [newest] = (await corridor.requestLog.list({ ...query, limit: 1 } as never)).data
            return newest ? keyOf(newest) : null
          },
          everyMs: lookEveryMs,
        }}
        to={({ requestId }) => `requests/${encodeURIComponent(requestId)}`}
        empty={
          <Empty
            title={t('No requests yet. Your requests will appear here.')}
            filters={filters}
            find={(others) => corridor.requestLog.list({ ...others, limit: 1 } as never)}
          >
            <pre>
              {corridor.curl({ method: 'GET', path: '/config' }).replace(corridor.baseUrl, apiAddress)}
            </pre>
            {environment === 'production' && (
              <p className="muted">{t('In production it is empty unless the operator has enabled it.')}</p>
            )}
          </Empty>
        }
      />
    </Beside>
  )
}

const namedFields = 5

function named(fields: ReadonlySet<string>): string {
  const names = [...fields]
  const rest = names.length - namedFields
  const first = names.slice(0, namedFields).join(', ')
  return rest > 0 ? t('{first} and {rest} more', { first, rest }) : first
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
  const groups = new Map<string, { code: string; operation: string; count: number; fields: Set<string> }>()
  for (const { code, operation, fields } of latest.data?.data ?? []) {
    if (code === null) continue
    const key = `${code} ${operation}`
    const group = groups.get(key) ?? { code, operation, count: 0, fields: new Set() }
    groups.set(key, group)
    group.count++
    for (const field of fields) group.fields.add(field)
  }
  if (groups.size === 0) return null
  const sorted = [...groups.values()].sort((a, b) => b.count - a.count)
  return (
    <Part title={t('Rejected among the latest {looked}', { looked })}>
      <ul className="plain">
        {sorted.map(({ code, operation, count, fields }) => (
          <li key={`${code} ${operation}`}>
            <Go to={`requests?${new URLSearchParams({ code, operation })}`}>
              {code} · {operation}
            </Go>{' '}
            × {count}
            {fields.size > 0 && (
              <>
                {': '}
                <code>{named(fields)}</code>
              </>
            )}
          </li>
        ))}
      </ul>
    </Part>
  )
}
