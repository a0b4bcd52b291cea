import { useView } from '../../app/places.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Empty } from '../../parts/empty.tsx'
import { Moment, shortOf } from '../../parts/facts.tsx'
import { type Filter, Filters, filtersOf } from '../../parts/filters.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { useNames } from './names.ts'
import { type AuditLogEntry, type Operator, useOperator } from './operator-api.ts'
import { Who } from './who.tsx'

const filters: readonly Filter[] = [
  { name: 'platformId', label: t('Platform id') },
  { name: 'environment', label: t('Environment'), options: ['SANDBOX', 'PRODUCTION'] },
  { name: 'actor', label: t('Who') },
  { name: 'operation', label: t('Operation') },
  { name: 'resource', label: t('Referenced id') },
  { name: 'outcome', label: t('Outcome'), options: ['DONE', 'PROPOSED', 'REFUSED', 'FAILED'] },
  { name: 'createdAfter', label: t('From'), time: 'FROM' },
  { name: 'createdBefore', label: t('Until'), time: 'UNTIL' },
]

/** Who did what, the latest first. */
export function AuditLogPage() {
  const operator = useOperator()
  const nameOf = useNames()
  const aboutOf = ([name, id]: readonly [string, string]) =>
    name === 'platformId' ? nameOf({ platformId: id }) : shortOf(id)
  const [view] = useView()
  const query = filtersOf(view, filters)
  const { platformId, environment } = query
  return (
    <>
      <PageHead title={words.operator.auditLog}>
        <Act changesNothing run={() => exportChain(operator, platformId, environment)}>
          {platformId ? t('Export this platform') : t('Export the installation')}
        </Act>
      </PageHead>
      <Filters of={filters} />
      <Rows<AuditLogEntry>
        label={t('Audit log')}
        list={['operator', 'audit-log', query]}
        read={(cursor) => operator.page<AuditLogEntry>('audit-log', cursor, query)}
        columns={[
          { title: t('When'), width: 'moment', cell: ({ at }) => <Moment at={at} short /> },
          { title: t('Operation'), width: 'ledger', cell: ({ operation }) => operation },
          { title: t('Who'), isWide: true, cell: ({ actor }) => <Who id={actor} /> },
          {
            title: t('From'),
            isWide: true,
            isExtra: true,
            cell: ({ source }) => <span className="id">{source}</span>,
          },
          {
            title: t('About'),
            isWide: true,
            cell: ({ resources, changed }) => (
              <span title={[...Object.values(resources), ...changed].join(' ')}>
                {[...Object.entries(resources).map(aboutOf), ...changed].join(' ') || '—'}
              </span>
            ),
          },
          {
            title: t('Why'),
            cell: ({ reason, code }) => {
              const why = [code, reason].filter(Boolean).join(': ')
              return why && <span title={why}>{why}</span>
            },
          },
          // The last one stands beside the first where a row has two lines.
          {
            title: t('Outcome'),
            width: 'party',
            cell: ({ outcome, count }) => (
              <>
                <Status status={outcome} />
                {count === undefined ? '' : ` × ${count}`}
              </>
            ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={
          <Empty
            title={t('No actions yet.')}
            filters={filters}
            find={(others) => operator.page<AuditLogEntry>('audit-log', undefined, others)}
          />
        }
      />
    </>
  )
}

interface Chain {
  readonly head: unknown
  readonly forgotten: unknown
  readonly data: readonly { readonly position: number }[]
  readonly hasMore: boolean
}

/** More than this is for a program, which asks for it page by page. */
const mostPages = 100

/** A whole chain with its hashes, as an auditor checks it without us. */
async function exportChain(
  { get }: Operator,
  platformId: string | undefined,
  environment: string | undefined,
): Promise<void> {
  const about = platformId ? { platformId, environment: environment ?? 'SANDBOX' } : {}
  const data: { readonly position: number }[] = []
  for (let page = 0; page < mostPages; page++) {
    const after = data.at(-1)?.position
    const chain = await get<Chain>('audit-log/export', {
      ...about,
      ...(after === undefined ? {} : { after }),
      limit: 1000,
    })
    data.push(...chain.data)
    if (!chain.hasMore) {
      const text = JSON.stringify({ forgotten: chain.forgotten, head: chain.head, data })
      saveFile(
        `audit-log-${platformId ?? 'installation'}.json`,
        new Blob([text], { type: 'application/json' }),
      )
      return
    }
  }
  throw new RangeError(
    `It has more than ${mostPages * 1000} entries: ask GET /operator/audit-log/export page by page.`,
  )
}
