import type { Item } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { useTime } from '../../app/time.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { useInWorld } from '../../parts/in-world.ts'
import { Part } from '../../parts/page.tsx'
import { Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'

/** Where events go, and how that went of late. */
export function Endpoint() {
  const { corridor, world } = useSession()
  const there = useInWorld()
  const config = useQuery({ queryKey: ['config'], queryFn: () => corridor.config.get() })
  if (config.isError) return <Trouble error={config.error} onRetry={() => void config.refetch()} />
  if (!config.data) return null
  const { webhookEndpoint } = config.data
  return (
    <p className="story aside">
      {webhookEndpoint
        ? rich('Endpoint {address} {health} <edit>Edit</edit> · <keys>Keys</keys>', {
            address: <code>{webhookEndpoint}</code>,
            health: <Health />,
            edit: (text) => <Go to="settings">{text}</Go>,
            keys: (text) => <a href={`#${placeOfKeys}`}>{text}</a>,
          })
        : rich('No endpoint is set. <set>Set one</set>, or listen on your machine: {command}', {
            set: (text) => <Go to="settings">{text}</Go>,
            command: <code>{there.cli(words.listen)}</code>,
          })}
      {world !== undefined && webhookEndpoint && (
        <span className="muted">
          {' '}
          {rich(
            'This is a fork: it sends no webhooks to the copied endpoint, only to one that you <set>set here</set>.',
            { set: (text) => <Go to="settings">{text}</Go> },
          )}
        </span>
      )}
    </p>
  )
}

/** Where on the page the key stands. */
export const placeOfKeys = 'keys'
/** So many of the latest events tell how long it takes: all of a day may be millions. */
const looked = 100
/** A list counts no further (ADR 35). */
const mostCounted = 10_000
export const dayMs = 24 * 3_600_000

/** Of the events of a day that an endpoint was to get: how many it took, and how long it needed for the latest. */
function Health() {
  const health = useHealth()
  if (!health.data || health.data.total === 0) return null
  const { isAll, total, taken, latest } = health.data
  // How long one takes that is refused or never answered says nothing of an endpoint that takes events.
  const slow = percentile95(latest.filter(isTaken).flatMap(({ lastMilliseconds }) => lastMilliseconds ?? []))
  const tenths = Math.floor((taken * 1_000) / total)
  const share = `${Math.floor(tenths / 10)}.${tenths % 10}`
  return (
    <span className="muted">
      {isAll
        ? t('{share} % of {count} delivered in 24 h', { share, count: `${total}` })
        : t('{share} % of the latest {count} delivered', { share, count: `${total}` })}
      {slow !== undefined && ` · ${t('p95 {slow} ms', { slow })}`}
    </span>
  )
}

/** What is known of the last day, asked once for all that show it. */
export function useHealth() {
  const { corridor } = useSession()
  const { nowMs, aheadMs } = useTime()
  return useQuery({
    queryKey: ['health', 'webhooks', aheadMs],
    queryFn: async () => {
      const sinceMs = nowMs - dayMs
      const createdAfter = new Date(sinceMs).toISOString()
      const list = (status: readonly string[]) =>
        corridor.webhookEvents.list({ status, createdAfter, limit: looked } as never)
      const [all, missed] = await Promise.all([
        list(['DELIVERED', 'FAILED', 'RETRYING']),
        list(['FAILED', 'RETRYING']),
      ])
      const count = all.totalCount ?? all.data.length
      const isAll = count < mostCounted
      const [total, notTaken] = isAll
        ? [count, (missed.totalCount ?? 0) - missed.data.filter(isTaken).length]
        : [all.data.length, all.data.filter((event) => !isTaken(event)).length]
      return {
        isAll,
        total,
        taken: total - notTaken,
        latest: all.data,
        sinceMs,
        missed: missed.data.filter((event) => !isTaken(event)),
        areAllMissed: !missed.hasMore,
      }
    },
    refetchInterval: 10_000,
  })
}

/** One that was taken and is being sent again was taken all the same. */
function isTaken({ status, lastStatus, lastError }: Item<'listWebhookEvents'>): boolean {
  return status === 'DELIVERED' || (lastStatus !== null && lastError === null)
}

function percentile95(numbers: readonly number[]): number | undefined {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.ceil(sorted.length * 0.95) - 1]
}

/** More that wait for a listener are not counted. */
const mostWaiting = 1_000

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
            {onlyHere && ` · ${t('the endpoint receives nothing meanwhile')}`}
            <span className="muted">
              {' · '}
              {rich('has received everything until {position}', { position: <Moment at={position} /> })}
            </span>
          </li>
        ))}
      </ul>
    </Part>
  )
}

function waitingText(waiting: number): string {
  if (waiting === 0) return t('nothing waits')
  return waiting >= mostWaiting
    ? t('{waiting} or more waiting', { waiting })
    : t('{waiting} waiting', { waiting })
}
