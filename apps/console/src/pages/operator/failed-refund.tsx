import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { Done, type Outcome } from './done.tsx'
import { amountOf, isProposed, type SuspenseItem, useOperator } from './operator-api.ts'
import { Who } from './who.tsx'

interface FailedRefundProps {
  /** Of the transaction; its money in suspense has the same id. */
  readonly id: string
}

/** Where the money of a failed refund is: waiting, with what can be done, or where somebody has moved it. */
export function FailedRefund({ id }: FailedRefundProps) {
  const { get, post } = useOperator()
  const [reason, setReason] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const item = useQuery({
    queryKey: ['operator', 'suspense', id],
    queryFn: () => get<SuspenseItem>(`suspense/${encodeURIComponent(id)}`),
  })
  if (item.isPending) return <Loading />
  if (!item.data) return <Trouble error={item.error} onRetry={() => void item.refetch()} />
  const amount = amountOf(item.data)
  const why = reason.trim()
  const act = (to: 'ACCOUNT' | 'RAIL', name: string, confirm: string) => (
    <Act
      lacks={why === '' ? words.operator.reasonFirst : undefined}
      confirm={confirm}
      hasOwnReason
      run={() => post<unknown>(`transactions/${encodeURIComponent(id)}/resolve-refund`, { to, reason: why })}
      then={(answer) => {
        setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')
        setReason('')
      }}
    >
      {name}
    </Act>
  )
  return (
    <>
      {item.data.status === 'WAITING' ? (
        <>
          <p className="muted">
            {t('The refund failed: {amount} waits in suspense until an operator decides.', {
              amount,
            })}
          </p>
          <div className="fields wide-fields">
            <label>
              <span>{words.operator.reason}</span>
              <input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
            </label>
            {act('ACCOUNT', t('To the account'), t('Credit {amount} to the owner’s account', { amount }))}
            {act(
              'RAIL',
              t('Pay out over the rail'),
              t('Record a payout of {amount} over the rail', { amount }),
            )}
          </div>
        </>
      ) : (
        <Decided item={item.data} amount={amount} />
      )}
      <Done outcome={outcome} />
    </>
  )
}

function Decided({ item, amount }: { readonly item: SuspenseItem; readonly amount: string }) {
  const parts = {
    amount,
    who: () => <Who key="who" id={item.decidedBy} />,
    at: () => <Moment key="at" at={item.decidedAt} />,
  }
  return (
    <p className="muted">
      {item.status === 'CREDITED'
        ? rich(
            'The refund failed; <who></who> credited the {amount} to the owner’s account, <at></at>.',
            parts,
          )
        : rich('The refund failed; <who></who> paid the {amount} out over the rail, <at></at>.', parts)}
      {item.reason !== undefined && ` ${item.reason}`}
    </p>
  )
}
