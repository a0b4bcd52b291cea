import { t } from '../language/t.ts'
import { refundStatuses, statuses } from '../words.ts'
import { Icon } from './icon.tsx'
import { spanOf, useLeft } from './until.tsx'

interface StatusProps {
  readonly status: string
  /** What the API calls it, where that is something else. */
  readonly code?: string
}

/** A status as icon, word and colour; one that is new to the console is shown by its name. */
export function Status({ status, code = status }: StatusProps) {
  const [icon, word, tone] = statuses[status] ?? (['idle', readable(status), 'plain'] as const)
  return (
    <span className={`status ${tone}`} title={code}>
      <Icon name={icon} /> {word}
    </span>
  )
}

interface PaymentStatusProps extends StatusProps {
  readonly refund?: { readonly status: string } | undefined
  /** When it is to be over, while that is awaited. */
  readonly expectedBy?: string | undefined
  readonly isOverdue?: boolean | undefined
}

/** The status of a payment, until when it is expected or that it is late, and what becomes of money that goes back. */
export function PaymentStatus({ status, code, refund, expectedBy, isOverdue }: PaymentStatusProps) {
  return (
    <>
      <Status status={status} code={code} />
      <Refund status={status} refund={refund} />{' '}
      {isOverdue ? <Overdue since={expectedBy} /> : expectedBy !== undefined && <Expected by={expectedBy} />}
    </>
  )
}

/** `≤ 5 min 49 s`; from then on it is overdue, whether or not it has been read again. */
function Expected({ by }: { readonly by: string }) {
  const left = useLeft(by)
  if (left === undefined) return null
  if (left < 0) return <Overdue since={by} />
  return (
    <span className="muted why" title={t('Expected by {at}', { at: by })}>
      {t('≤ {span}', { span: spanOf(Math.max(1, Math.ceil(left / 1_000)) * 1_000, 2) })}
    </span>
  )
}

/** Of what is past its time, or goes on by itself no more. */
export function Overdue({ since }: { readonly since: string | undefined }) {
  return (
    <span className="status attention" title={since && t('Expected by {at}', { at: since })}>
      <Icon name="warning" /> {t('Overdue')}
    </span>
  )
}

/** What becomes of money that goes back, which has a state of its own. */
function Refund({ status, refund }: Pick<PaymentStatusProps, 'status' | 'refund'>) {
  const back = refund && refundStatuses[refund.status]
  if (!back || (status === 'REFUNDED' && refund.status === 'COMPLETED')) return null
  const [icon, word, tone] = back
  return (
    <>
      {' '}
      <span className={`status ${tone}`} title={t('refund {status}', { status: refund.status })}>
        <Icon name={icon} /> {word}
      </span>
    </>
  )
}

/** `PENDING_KYC` → `Pending KYC`. */
export function readable(code: string): string {
  const text = code
    .replaceAll('_', ' ')
    .toLowerCase()
    .replace(/\b(kyc|kyb|uma|ubo)\b/g, (short) => short.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}
