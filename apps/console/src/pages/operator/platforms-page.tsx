import { Moment } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { type Platform, placeOfBook, useOperator } from './operator-api.ts'

/** All platforms; each leads into its own pages, where what an operator looks at is in the audit log. */
export function PlatformsPage() {
  const { page } = useOperator()
  return (
    <>
      <PageHead title={words.operator.platforms} />
      <Rows<Platform>
        label="Platforms"
        list={['operator', 'platforms-list']}
        read={() => page<Platform>('platforms')}
        columns={[
          { title: 'Name', cell: ({ name }) => name },
          { title: 'Environment', cell: ({ environment }) => environment },
          { title: 'Regulated', isWide: true, cell: ({ isRegulated }) => (isRegulated ? 'yes' : 'no') },
          { title: 'Id', isWide: true, cell: ({ id }) => <span className="id">{id}</span> },
          { title: 'Since', isWide: true, cell: ({ createdAt }) => <Moment at={createdAt} short /> },
        ]}
        keyOf={({ id, environment }) => `${id} ${environment}`}
        to={({ id, environment }) => placeOfBook({ platformId: id, environment })}
        empty={<Nothing title="There are no platforms yet." />}
      />
    </>
  )
}
