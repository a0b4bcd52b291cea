import { useState } from 'react'
import { useSessions } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Part } from '../../parts/page.tsx'
import { words } from '../../words.ts'
import { Done, type Outcome } from './done.tsx'
import { FailedRefund } from './failed-refund.tsx'
import { isProposed, useOperator } from './operator-api.ts'
import { ReasonField } from './reason-field.tsx'

/** What an operator may do with what is shown of a platform. Everybody else sees none of it. */

export function useIsOperator(): boolean {
  const { state } = useSessions()
  return state.kind === 'IN' && state.operator !== undefined
}

interface Move {
  readonly move: string
  readonly name: string
  readonly confirm: (balance: string) => string
}

const movesOf: Readonly<Record<string, readonly Move[]>> = {
  PENDING: [
    {
      move: 'activate',
      name: t('Activate'),
      confirm: (balance) => t('Activate this account with {balance}', { balance }),
    },
    {
      move: 'fail',
      name: t('Give up'),
      confirm: (balance) => t('Give up this account with {balance}', { balance }),
    },
  ],
  ACTIVE: [
    {
      move: 'freeze',
      name: t('Freeze'),
      confirm: (balance) => t('Freeze this account with {balance}', { balance }),
    },
    {
      move: 'close',
      name: t('Close'),
      confirm: (balance) => t('Close this account with {balance}', { balance }),
    },
  ],
  FROZEN: [
    {
      move: 'release',
      name: t('Release'),
      confirm: (balance) => t('Release this account with {balance}', { balance }),
    },
  ],
}

interface AccountActsProps {
  readonly id: string
  readonly status: string
  /** Its balance, as the button that changes it names it. */
  readonly balance: string
}

export function AccountActs(props: AccountActsProps) {
  return useIsOperator() ? <OfAccount {...props} /> : null
}

function OfAccount({ id, status, balance }: AccountActsProps) {
  const { post } = useOperator()
  const [outcome, setOutcome] = useState<Outcome>()
  const moves = movesOf[status] ?? []
  if (moves.length === 0) return null
  return (
    <Part title={words.operator.acts}>
      <div className="acts">
        {moves.map(({ move, name, confirm }) => (
          <Act
            key={move}
            confirm={confirm(balance)}
            run={() => post<unknown>(`internal-accounts/${encodeURIComponent(id)}/${move}`)}
            then={(answer) => setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')}
          >
            {name}
          </Act>
        ))}
      </div>
      <Done outcome={outcome} />
    </Part>
  )
}

interface PaymentActsProps {
  readonly id: string
  readonly status: string
  readonly refundStatus: string | undefined
  /** Whether another institution is paid. */
  readonly isUma: boolean
  readonly amount: string
}

export function PaymentActs(props: PaymentActsProps) {
  return useIsOperator() ? <OfPayment {...props} /> : null
}

const underWay = ['PENDING', 'PROCESSING']

function OfPayment({ id, status, refundStatus, isUma, amount }: PaymentActsProps) {
  const { post } = useOperator()
  const [reason, setReason] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  const hasFailedRefund = refundStatus === 'FAILED'
  const canEnd = isUma && underWay.includes(status)
  if (!hasFailedRefund && !canEnd && outcome === undefined) return null
  const why = reason.trim()
  const end = (ifUnknown: 'DELIVERED' | 'REFUND', name: string, confirm: string) => (
    <Act
      lacks={why === '' ? words.operator.reasonFirst : undefined}
      confirm={confirm}
      hasOwnReason
      run={() =>
        post<unknown>(`transactions/${encodeURIComponent(id)}/end-uma-payment`, { ifUnknown, reason: why })
      }
      then={(answer) => setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')}
    >
      {name}
    </Act>
  )
  return (
    <Part title={words.operator.acts}>
      {hasFailedRefund && <FailedRefund id={id} />}
      {canEnd && (
        <>
          <p className="muted">
            {t(
              'Corridor queries the other institution once more, and its response counts. Your choice counts only if it still does not respond.',
            )}
          </p>
          <div className="fields wide-fields">
            <label>
              <span>{words.operator.reason}</span>
              <input value={reason} maxLength={500} onChange={(event) => setReason(event.target.value)} />
            </label>
            {end(
              'DELIVERED',
              t('End: delivered'),
              t('End it; if the outcome is unknown, treat {amount} as delivered', { amount }),
            )}
            {end(
              'REFUND',
              t('End: refund'),
              t('End it; if the outcome is unknown, refund {amount}', { amount }),
            )}
          </div>
        </>
      )}
      <Done outcome={outcome} />
    </Part>
  )
}

interface ReceivableActsProps {
  readonly id: string
  readonly status: string
  /** Amount that is left to pay. */
  readonly amount: string
}

export function ReceivableActs(props: ReceivableActsProps) {
  return useIsOperator() ? <OfReceivable {...props} /> : null
}

function OfReceivable({ id, status, amount }: ReceivableActsProps) {
  const { post } = useOperator()
  const [reason, setReason] = useState('')
  const [outcome, setOutcome] = useState<Outcome>()
  if (status !== 'OPEN' && outcome === undefined) return null
  const why = reason.trim()
  const act = (move: 'collect' | 'write-off', name: string, confirm: string) => (
    <Act
      lacks={why === '' ? words.operator.reasonFirst : undefined}
      confirm={confirm}
      hasOwnReason
      run={() => post<unknown>(`receivables/${encodeURIComponent(id)}/${move}`, { reason: why })}
      then={(answer) => {
        setOutcome(isProposed(answer) ? 'PROPOSED' : 'DONE')
        setReason('')
      }}
    >
      {name}
    </Act>
  )
  return (
    <Part title={words.operator.acts}>
      {status === 'OPEN' && (
        <div className="fields wide-fields">
          <ReasonField reason={reason} onChange={setReason} />
          {act('collect', t('Collect now'), t('Collect up to {amount}', { amount }))}
          {act(
            'write-off',
            t('Write off'),
            t('Write off {amount}. Corridor no longer collects it', { amount }),
          )}
        </div>
      )}
      <Done outcome={outcome} />
    </Part>
  )
}
