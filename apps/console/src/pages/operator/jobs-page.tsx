import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { type DeadJob, useOperator } from './operator-api.ts'

export function JobsPage() {
  const { page, post } = useOperator()
  return (
    <>
      <PageHead title={words.operator.jobs} />
      <p className="muted trail">Background work that failed until nobody tried any more.</p>
      <Rows<DeadJob>
        label="Dead jobs"
        list={['operator', 'jobs-list']}
        read={() => page<DeadJob>('jobs')}
        columns={[
          { title: 'Work', cell: ({ kind }) => kind },
          {
            title: 'Last error',
            cell: ({ lastError }) => <span title={lastError}>{lastError ?? '—'}</span>,
          },
          { title: 'Attempts', isWide: true, cell: ({ attempts }) => attempts },
          {
            title: 'Platform',
            isWide: true,
            cell: ({ platformId, environment }) => `${platformId} ${environment}`,
          },
          {
            title: 'Given up',
            isWide: true,
            width: 'moment',
            cell: ({ deadAt }) => <Moment at={deadAt} short />,
          },
          { title: 'Act', cell: ({ id }) => <Act run={() => post(`jobs/${id}/retry`)}>Retry</Act> },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title="Nothing waits: no job was given up." />}
      />
    </>
  )
}
