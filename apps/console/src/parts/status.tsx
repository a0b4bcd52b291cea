import { t } from '../language/t.ts'
import { refundStatuses, statuses } from '../words.ts'
import { Icon } from './icon.tsx'

/** A status as icon, word and colour; one that is new to the console is shown by its name. */
export function Status({ status }: { readonly status: string }) {
  const [icon, word, tone] = statuses[status] ?? (['idle', readable(status), 'plain'] as const)
  return (
    <span className={`status ${tone}`} title={status}>
      <Icon name={icon} /> {word}
    </span>
  )
}

interface PaymentStatusProps {
  readonly status: string
  readonly refund?: { readonly status: string } | undefined
}

/** The status of a payment, and what becomes of money that goes back, which has a state of its own. */
export function PaymentStatus({ status, refund }: PaymentStatusProps) {
  const back = refund && refundStatuses[refund.status]
  if (!back || (status === 'REFUNDED' && refund.status === 'COMPLETED')) return <Status status={status} />
  const [icon, word, tone] = back
  return (
    <>
      <Status status={status} />{' '}
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
    .replace(/\b(kyc|kyb|uma)\b/g, (short) => short.toUpperCase())
  return text.charAt(0).toUpperCase() + text.slice(1)
}
