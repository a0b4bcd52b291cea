import { t } from '../../language/t.ts'
import { Icon } from '../../parts/icon.tsx'

/** A status of HTTP as icon, number and colour, with the code of a refusal. */
export function Answered({
  status,
  code,
  replayed,
}: {
  readonly status: number
  readonly code: string | null
  readonly replayed: boolean
}) {
  const [tone, icon] =
    status > 0 && status < 400
      ? (['ok', 'done'] as const)
      : status > 0 && status < 500
        ? (['attention', 'warning'] as const)
        : (['bad', 'failed'] as const)
  return (
    <span
      className={`status answer ${tone}`}
      title={[status || t('no response'), code].filter(Boolean).join(' ')}
    >
      <Icon name={icon} /> {status || t('no response')} {code && <span className="code">{code}</span>}
      {replayed && ` ${t('(replayed)')}`}
    </span>
  )
}
