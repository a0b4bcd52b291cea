import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { Trouble } from '../../parts/states.tsx'

type Query = Readonly<Record<string, string>>

/** More is for the operator, and for two of them. */
const most = 1_000
/** More than this is not counted. */
const mostCounted = 10_000
const usualRate = '50'

interface Sent {
  readonly count: number
  readonly until: string | undefined
}

/** Events of a time and kind once more: first how many they are, then the sending itself, and how far it is. */
export function Replay({ query }: { readonly query: Query }) {
  const { corridor } = useSession()
  const [matching, setMatching] = useState<number>()
  const [sent, setSent] = useState<Sent>()
  const [rate, setRate] = useState(usualRate)
  const { createdAfter, status } = query
  if (!createdAfter) {
    return (
      <p className="muted">{t('Set a start time in the filters above to resend all matching events.')}</p>
    )
  }
  if (status === 'QUEUED' || status === 'RETRYING') {
    return <p className="muted">{t('Events in progress are sent automatically. Choose another result.')}</p>
  }
  const ratePerSecond = /^\d{1,4}$/.test(rate.trim()) ? Number(rate) : 0
  const isRate = ratePerSecond >= 1 && ratePerSecond <= 1_000
  const body = (dryRun: boolean) => ({ ...replayed(query), ratePerSecond, dryRun }) as never
  const isTooMany = matching !== undefined && matching > most
  return (
    <>
      <div className="fields">
        <label>
          <span>{t('Maximum per second, 1 to 1,000')}</span>
          <input
            name="ratePerSecond"
            value={rate}
            inputMode="numeric"
            maxLength={4}
            onChange={({ target }) => setRate(target.value)}
          />
        </label>
        <Act
          changesNothing
          isDisabled={!isRate}
          run={() => corridor.webhookEvents.replay(body(true))}
          then={(found) => setMatching(found.matching)}
        >
          {t('How many payments?')}
        </Act>
        {matching !== undefined && matching > 0 && !isTooMany && (
          <Act
            isDisabled={!isRate}
            confirm={t('Yes, send {matching} again', { matching: `${matching}` })}
            run={() => corridor.webhookEvents.replay(body(false))}
            then={({ replayed: count, until }) => {
              setMatching(undefined)
              setSent({ count, until })
            }}
          >
            {t('{matching, plural, one {Send one event again} other {Send # events again}}', { matching })}
          </Act>
        )}
      </div>
      <p role="status">
        {matching !== undefined && matchingText(matching)}
        {isTooMany &&
          ` ${t('At most 1,000 events can be resent at a time: choose a shorter period, or ask the operator.')}`}
      </p>
      {sent && <Progress query={query} of={sent} />}
    </>
  )
}

function matchingText(matching: number): string {
  return matching > mostCounted
    ? t('More than 10,000 match.')
    : t('{matching, plural, one {One matches.} other {# match.}}', { matching })
}

/** The filters of the list as a replay takes them. */
function replayed({ createdAfter, createdBefore, type, status, resourceId }: Query): object {
  return {
    createdAfter,
    ...(createdBefore ? { createdBefore } : {}),
    ...(type ? { types: [type] } : {}),
    ...(status ? { statuses: [status] } : {}),
    ...(resourceId ? { resourceIds: [resourceId] } : {}),
  }
}

/** How many of them have gone: those of the same filters that are not under way any more. */
function Progress({ query, of: { count, until } }: { readonly query: Query; readonly of: Sent }) {
  const { corridor } = useSession()
  const { status: _, ...others } = query
  const underWay = useQuery({
    queryKey: ['replay', others, count, until],
    queryFn: async () => {
      const asked = { ...others, status: ['QUEUED', 'RETRYING'], limit: 1 } as never
      return (await corridor.webhookEvents.list(asked)).totalCount
    },
    refetchInterval: ({ state }) => (state.data === 0 ? false : 1_000),
  })
  if (underWay.isError) return <Trouble error={underWay.error} onRetry={() => void underWay.refetch()} />
  if (count === 0)
    return <p role="status">{t('No endpoint or listener would receive them: nothing was sent.')}</p>
  const gone = Math.max(0, count - (underWay.data ?? count))
  return (
    <p className="acts" role="status">
      <progress max={count} value={gone} aria-label={t('Events sent again')} />
      <span>{t('{gone} of {count} resent', { gone, count })}</span>
      {until && gone < count && (
        <span className="muted">{rich('the last one is due {until}', { until: <Moment at={until} /> })}</span>
      )}
    </p>
  )
}
