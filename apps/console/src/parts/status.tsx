import { statuses } from '../words.ts'
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

/** `PENDING_KYC` → `Pending kyc`. */
export function readable(code: string): string {
  const text = code.replaceAll('_', ' ').toLowerCase()
  return text.charAt(0).toUpperCase() + text.slice(1)
}
