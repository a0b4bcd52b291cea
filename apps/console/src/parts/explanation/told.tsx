import { useQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import { Go } from '../../app/places.tsx'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Act } from '../act.tsx'
import { Status } from '../status.tsx'

/** An event that told of what a page shows, as far as its line needs it. */
export interface ToldEvent {
  readonly id: string
  readonly type: string
  readonly status: string
  /** At the endpoint. */
  readonly attempts: number
}

/** What the key `r` sends again: the last that was not heard, else the last; undefined where none can be sent. */
export function toResend<T extends ToldEvent>(events: readonly T[]): T | undefined {
  const sendable = events.filter(({ status }) => status !== 'STORED')
  return sendable.findLast(({ status }) => status !== 'DELIVERED') ?? sendable.at(-1)
}

/** One event with how each attempt to deliver it went, and a button that sends it again. */
export function ToldOf({ of, isByKey }: { readonly of: ToldEvent; readonly isByKey: boolean }) {
  const { corridor } = useSession()
  return (
    <div>
      <Go to={`webhooks/${encodeURIComponent(of.id)}`}>{of.type}</Go> <Status status={of.status} />{' '}
      {of.attempts > 0 ? <Attempts of={of} /> : <span className="muted">{countOf(of.attempts)}</span>}{' '}
      {of.status !== 'STORED' && (
        <Act
          {...(isByKey ? { shortcut: 'r' } : {})}
          asks={t('Send {event} again', { event: of.type })}
          run={() => corridor.webhookEvents.resend(of.id)}
        >
          {isByKey ? t('Resend (r)') : t('Resend')}
        </Act>
      )}
    </div>
  )
}

const countOf = (count: number) => t('{count, plural, one {# attempt} other {# attempts}}', { count })

/** `#1 503 · #2 no answer · #3 200 41 ms`; how many there were until they are known. */
function Attempts({ of: { id, attempts } }: { readonly of: ToldEvent }) {
  const { corridor } = useSession()
  const event = useQuery({
    // More attempts, another answer; what was answered once stays so.
    queryKey: ['event', id, 'attempts', attempts],
    queryFn: async () => (await corridor.webhookEvents.get(id)).attemptLog,
  })
  const made = event.data?.filter(({ via }) => via === 'endpoint') ?? []
  if (made.length === 0) return <span className="muted">{countOf(attempts)}</span>
  const last = made.at(-1)
  return (
    <code className="muted attempts">
      {made.map((each, index) => (
        <Fragment key={`${each.attempt} ${each.at}`}>
          {index > 0 && ' · '}
          <span className="unbroken" title={each.error ?? undefined}>
            {`#${each.attempt} ${each.status ?? t('no response')}`}
            {each === last &&
              each.milliseconds !== null &&
              ` ${t('{milliseconds} ms', { milliseconds: each.milliseconds })}`}
          </span>
        </Fragment>
      ))}
    </code>
  )
}
