import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { useInWorld } from '../../parts/in-world.ts'
import { Part } from '../../parts/page.tsx'
import { Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'

/** Where events go, and how that went of late. */
export function Endpoint() {
  const { corridor } = useSession()
  const there = useInWorld()
  const config = useQuery({ queryKey: ['config'], queryFn: () => corridor.config.get() })
  if (config.isError) return <Trouble error={config.error} onRetry={() => void config.refetch()} />
  if (!config.data) return null
  const { webhookEndpoint } = config.data
  return (
    <p className="story">
      {webhookEndpoint
        ? rich('Endpoint {address} {health} <edit>Edit</edit>', {
            address: <code>{webhookEndpoint}</code>,
            health: <Health />,
            edit: (text) => <Go to="settings">{text}</Go>,
          })
        : rich('Endpoint not set. <set>Set it</set>, or listen from your machine: {command}', {
            set: (text) => <Go to="settings">{text}</Go>,
            command: <code>{there.cli(words.listen)}</code>,
          })}
    </p>
  )
}

/** So many of the latest events tell how it goes: all of a day may be millions. */
const looked = 100

/** Of the latest events that an endpoint was to get: how many it took, and how long it needed. */
function Health() {
  const { corridor } = useSession()
  const latest = useQuery({
    queryKey: ['health', 'webhooks'],
    queryFn: async () =>
      await corridor.webhookEvents.list({
        status: ['DELIVERED', 'FAILED', 'RETRYING'],
        limit: looked,
      } as never),
    refetchInterval: 10_000,
  })
  const events = latest.data?.data ?? []
  if (events.length === 0) return null
  const delivered = events.filter(isTaken).length
  const slow = percentile95(events.flatMap(({ lastMilliseconds }) => lastMilliseconds ?? []))
  const tenths = Math.floor((delivered * 1_000) / events.length)
  const share = `${Math.floor(tenths / 10)}.${tenths % 10}`
  return (
    <span className="muted">
      {t('took {share} % of the latest {count}', { share, count: events.length })}
      {slow !== undefined && ` · ${t('p95 {slow} ms', { slow })}`}
    </span>
  )
}

/** One that was taken and is being sent again was taken all the same. */
function isTaken({ status, lastStatus, lastError }: Item<'listWebhookEvents'>): boolean {
  return status === 'DELIVERED' || (lastStatus !== null && lastError === null)
}

function percentile95(numbers: readonly number[]): number | undefined {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1]
}

/** More than this is not counted. */
const mostCounted = 1_000

/** Programs that listen, or may go on where they were. */
export function Listeners() {
  const { corridor } = useSession()
  const listeners = useQuery({
    queryKey: ['listeners'],
    queryFn: async () => await corridor.webhookListeners.list(),
    refetchInterval: 5_000,
  })
  if (listeners.isError) {
    return <Trouble error={listeners.error} onRetry={() => void listeners.refetch()} />
  }
  const known = listeners.data?.data ?? []
  if (known.length === 0) return null
  return (
    <Part title={t('Listeners')}>
      <ul className="plain" aria-label={t('Listeners')}>
        {known.map(({ id, name, isConnected, onlyHere, types, position, waiting }) => (
          <li key={id}>
            <strong>{name}</strong> {isConnected ? t('● connected') : t('○ away')}
            {' · '}
            {waitingText(waiting)}
            {types !== null && ` · ${t('{count} of the types', { count: types.length })}`}
            {onlyHere && ` · ${t('nothing goes to the endpoint meanwhile')}`}
            <span className="muted">
              {' · '}
              {rich('has all until {position}', { position: <Moment at={position} /> })}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function waitingText(waiting: number): string {
  if (waiting === 0) return t('nothing waits')
  return waiting >= mostCounted
    ? t('{waiting} or more waiting', { waiting })
    : t('{waiting} waiting', { waiting })
}
