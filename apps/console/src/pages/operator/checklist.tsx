import { useQuery } from '@tanstack/react-query'
import { t } from '../../language/t.ts'
import { Copy } from '../../parts/copy.tsx'
import { Icon } from '../../parts/icon.tsx'
import { useInstallationAudit } from './installation-audit.ts'
import { type Platform, useOperator } from './operator-api.ts'

interface Item {
  readonly title: string
  readonly command: string
  /** Absent where nobody here can know. */
  readonly isDone?: boolean | undefined
}

const asked = (method: string, path: string, body: object) =>
  `curl -X ${method} -H "Authorization: Bearer $KEY" -H 'content-type: application/json' '${location.origin}${path}' -d '${JSON.stringify(body)}'`

/** What an installation needs before anybody relies on it, each as a command; `$KEY` is the operator's own. */
export function Checklist() {
  const { page } = useOperator()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  const audit = useInstallationAudit()
  if (!platforms.data) return null
  const { data } = platforms.data
  const [first] = data
  const items: readonly Item[] = [
    {
      title: t('A platform'),
      command: asked('POST', '/operator/platforms', { name: 'acme', environment: 'SANDBOX' }),
      isDone: first !== undefined,
    },
    {
      title: t('A separate key for each program'),
      command: asked(
        'POST',
        `/operator/platforms/${first?.id ?? '{platformId}'}/tokens?environment=${first?.environment ?? 'SANDBOX'}`,
        { name: 'backend', permissions: ['VIEW', 'TRANSACT'] },
      ),
      isDone: data.some(({ keys }) => keys > 1),
    },
    {
      title: t('A webhook endpoint, set by the platform'),
      command: `corridor config update --data '{"webhookEndpoint":"https://example.com/hooks"}'`,
    },
    { title: t('A backup'), command: 'npm run backup -- backups/first' },
    { title: t('Proof that the backup restores'), command: 'npm run restore-check -- backups/first' },
    { title: t('Proof that the ledger adds up'), command: 'npm run audit', isDone: audit.data?.sound },
  ]
  const isBegun = items.every(({ isDone }) => isDone !== false)
  return (
    <details open={!isBegun}>
      <summary>{t('Go-live checklist')}</summary>
      <ol className="steps numbered">
        {items.map(({ title, command, isDone }) => (
          <li key={title}>
            <strong className={`status ${isDone ? 'ok' : 'plain'}`}>
              <Icon name={isDone ? 'done' : isDone === undefined ? 'unseen' : 'idle'} /> {title}
              {isDone && <span className="hidden">, {t('done')}</span>}
              {isDone === undefined && <span className="muted">, {t('not visible here')}</span>}
            </strong>
            <span>
              <code>{command}</code> <Copy name={title} label={t('Copy')} text={() => command} />
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}
