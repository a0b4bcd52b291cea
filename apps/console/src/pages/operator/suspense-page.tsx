import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { Status } from '../../parts/status.tsx'
import { words } from '../../words.ts'
import { Done, type Outcome } from './done.tsx'
import { OfBook } from './of-book.tsx'
import { amountOf, isProposed, type SuspenseItem, useOperator } from './operator-api.ts'
import { ReasonField } from './reason-field.tsx'

/** Money that can be given to nobody yet, of one platform at a time. */
export function SuspensePage() {
  return (
    <>
      <PageHead title={words.operator.suspense} />
      <OfBook>
        {({ platformId, environment }) => (
          <Items key={`${platformId} ${environment}`} platformId={platformId} environment={environment} />
        )}
      </OfBook>
    </>
  )
}

function Items({ platformId, environment }: { readonly platformId: string; readonly environment: string }) {
  const { page, post } = useOperator()
  const [reason, setReason] = useState('')
  const [account, setAccount] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const query = { platformId, environment, status: 'WAITING' }
  const waiting = useQuery({
    queryKey: ['operator', 'suspense-waits', platformId, environment],
    queryFn: () => page<SuspenseItem>('suspense', undefined, { ...query, limit: 1 }),
  })
  const why = reason.trim()
  const tell = (answer: unknown) => setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')
  return (
    <>
      {(waiting.data?.data.length ?? 0) > 0 && (
        <div className="fields wide-fields">
          <ReasonField reason={reason} onChange={setReason} />
          <label>
            <span>{t('Id of the internal account to credit')}</span>
            <input value={account} maxLength={100} onChange={(event) => setAccount(event.target.value)} />
          </label>
        </div>
      )}
      <Done outcome={outcome} />
      <Rows<SuspenseItem>
        label={t('Suspense')}
        list={['operator', 'suspense', platformId, environment]}
        read={(cursor) => page<SuspenseItem>('suspense', cursor, query)}
        columns={[
          { title: t('Since'), width: 'moment', cell: ({ createdAt }) => <Moment at={createdAt} short /> },
          {
            title: t('Amount'),
            isAmount: true,
            cell: (item) => <span className="money">{amountOf(item)}</span>,
          },
          { title: t('Kind'), isWide: true, cell: ({ kind }) => <Status status={kind} /> },
          { title: t('Payer wrote'), isWide: true, cell: ({ payerReference }) => payerReference ?? '—' },
          { title: t('Item'), isWide: true, cell: ({ id }) => <Id id={id} short /> },
          {
            title: t('Act'),
            cell: ({ id, kind, ...item }) =>
              kind === 'PULL' ? (
                t('is paid to its own account')
              ) : (
                <span className="acts">
                  <Act
                    hasOwnReason
                    isDisabled={why === '' || account.trim() === ''}
                    confirm={t('Credit {amount} to it', { amount: amountOf(item) })}
                    run={() =>
                      post(`suspense/${encodeURIComponent(id)}/assign`, {
                        accountId: account.trim(),
                        reason: why,
                      })
                    }
                    then={tell}
                  >
                    {t('Credit')}
                  </Act>
                  <Act
                    hasOwnReason
                    isDisabled={why === ''}
                    confirm={t('Send {amount} back', { amount: amountOf(item) })}
                    run={() => post(`suspense/${encodeURIComponent(id)}/return`, { reason: why })}
                    then={tell}
                  >
                    {t('Send back')}
                  </Act>
                </span>
              ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title={t('No money in suspense: all money of this platform has an owner.')} />}
      />
    </>
  )
}
