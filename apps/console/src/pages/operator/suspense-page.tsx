import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useView } from '../../app/places.tsx'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { Done, type Outcome } from './done.tsx'
import { isProposed, type Platform, type SuspenseItem, useOperator } from './operator-api.ts'

/** Money that can be given to nobody yet, of one platform at a time. */
export function SuspensePage() {
  const { page } = useOperator()
  const [view, change] = useView()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  if (platforms.isPending) return <Loading />
  if (!platforms.data) return <Trouble error={platforms.error} onRetry={() => void platforms.refetch()} />
  const books = platforms.data.data.map(({ id, name, environment }) => ({
    value: `${id} ${environment}`,
    name: `${name} ${environment}`,
  }))
  const chosen = view.get('book') ?? books[0]?.value ?? ''
  const [platformId = '', environment = ''] = chosen.split(' ')
  return (
    <>
      <PageHead title={words.operator.suspense} />
      <div className="filters">
        <label>
          <span>Platform</span>
          <select value={chosen} onChange={(event) => change({ book: event.target.value })}>
            {books.map(({ value, name }) => (
              <option key={value} value={value}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </div>
      {chosen === '' ? (
        <Nothing title="There are no platforms yet." />
      ) : (
        <Items key={chosen} platformId={platformId} environment={environment} />
      )}
    </>
  )
}

function Items({ platformId, environment }: { readonly platformId: string; readonly environment: string }) {
  const { page, post } = useOperator()
  const [reason, setReason] = useState('')
  const [account, setAccount] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const why = reason.trim()
  const tell = (answer: unknown) => setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')
  return (
    <>
      <div className="fields wide-fields">
        <label>
          <span>Reason; it is kept with the decision</span>
          <input
            name="reason"
            value={reason}
            maxLength={500}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <label>
          <span>Id of the internal account to credit</span>
          <input value={account} maxLength={100} onChange={(event) => setAccount(event.target.value)} />
        </label>
      </div>
      <Done outcome={outcome} />
      <Rows<SuspenseItem>
        label="Suspense"
        list={['operator', 'suspense', platformId, environment]}
        read={(cursor) =>
          page<SuspenseItem>('suspense', cursor, { platformId, environment, status: 'WAITING' })
        }
        columns={[
          { title: 'Since', width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
          {
            title: 'Amount, smallest unit',
            isAmount: true,
            cell: ({ amount, currency }) => (
              <span className="money">
                {amount} {currency}
              </span>
            ),
          },
          { title: 'Kind', isWide: true, cell: ({ kind }) => <Status status={kind} /> },
          { title: 'Payer wrote', isWide: true, cell: ({ payerReference }) => payerReference ?? '—' },
          { title: 'Item', isWide: true, cell: ({ id }) => <Id id={id} short /> },
          {
            title: 'Act',
            cell: ({ id, kind }) =>
              kind === 'PULL' ? (
                'goes to its own account'
              ) : (
                <span className="acts">
                  <Act
                    isDisabled={why === '' || account.trim() === ''}
                    confirm="Credit it"
                    run={() =>
                      post(`suspense/${encodeURIComponent(id)}/assign`, {
                        accountId: account.trim(),
                        reason: why,
                      })
                    }
                    then={tell}
                  >
                    Credit
                  </Act>
                  <Act
                    isDisabled={why === ''}
                    confirm="Send it back"
                    run={() => post(`suspense/${encodeURIComponent(id)}/return`, { reason: why })}
                    then={tell}
                  >
                    Send back
                  </Act>
                </span>
              ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title="Nothing waits: all money of this platform belongs to somebody." />}
      />
    </>
  )
}
