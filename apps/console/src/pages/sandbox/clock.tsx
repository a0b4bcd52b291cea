import type { Answer } from '@corridor/sdk/index.ts'
import { platformRuntime } from '@corridor/sdk/runtime.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSession } from '../../app/session.tsx'
import { rich, t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Id, Moment } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { NoPage } from '../../parts/no-page.tsx'
import { PageHead } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { secondsUntil } from './clock-time.ts'
import { countedOf, happeningOf } from './happenings.ts'
import { spanOf } from './spans.ts'

type Way = { readonly seconds: number } | { readonly until: 'NEXT' | 'QUIET' }
type Due = Answer<'getSandboxUpcoming'>['upcoming'][number]

interface Moved {
  readonly answer: Answer<'advanceSandboxClock'>
  /** How far the clock went, and how long that took outside, in milliseconds. */
  readonly farMs: number
  readonly tookMs: number
}

/** The clock alone. */
export function ClockPage() {
  const { environment } = useSession()
  if (environment !== 'sandbox') return <NoPage />
  return (
    <>
      <PageHead title={t('Clock')} />
      <Clock />
    </>
  )
}

const steps = [
  [t('+1 minute'), 60],
  [t('+6 minutes'), 360],
  [t('+1 hour'), 3_600],
  [t('+1 day'), 86_400],
] as const

/** What time it is in the sandbox, what is due next, and what moves the clock. */
export function Clock() {
  const { corridor } = useSession()
  const [moved, setMoved] = useState<Moved>()
  const clock = useQuery({
    queryKey: ['clock'],
    queryFn: () => corridor.sandbox.clock.get(),
    // One that is frozen is moved by every question.
    refetchInterval: (query) => (query.state.data?.isFrozen ? false : 1_000),
  })
  const asked = useQuery({
    queryKey: ['clock', 'upcoming'],
    queryFn: () => corridor.sandbox.clock.upcoming.get(),
    refetchInterval: 5_000,
  })
  if (!clock.data) {
    if (clock.isPending) return <Loading />
    return <Trouble error={clock.error} onRetry={() => void clock.refetch()} />
  }
  const { now, offsetSeconds, isFrozen } = clock.data
  const move = async (way: Way): Promise<Moved> => {
    const startedAt = platformRuntime.now()
    const answer = await corridor.sandbox.clock.advance(way)
    const tookMs = platformRuntime.now() - startedAt
    return { answer, farMs: Date.parse(answer.now) - Date.parse(now), tookMs }
  }
  const next = asked.data?.upcoming.find(({ dueAt }) => dueAt > now)
  return (
    <>
      <p className="above">
        <Icon name="clock" /> <Moment at={now} /> {isFrozen && <strong>{t('(frozen)')}</strong>}{' '}
        <span className="muted">
          {isFrozen && t('It moves only on request, and by a millisecond with each request.')}{' '}
          {offsetSeconds === 0
            ? !isFrozen && t('real time')
            : t('({span} ahead of real time)', { span: spanOf(offsetSeconds * 1_000) })}
        </span>
      </p>
      <div className="acts">
        {steps.map(([name, seconds]) => (
          <Act key={name} run={() => move({ seconds })} then={setMoved}>
            {name}
          </Act>
        ))}
        <Act run={() => move({ until: 'QUIET' })} then={setMoved}>
          {t('Run until nothing is due')}
        </Act>
        {/* The last one, as what it says of the time that is left is never as long. */}
        <Act run={() => move({ until: 'NEXT' })} then={setMoved}>
          {next
            ? t('To the next event: {what}, in {span}', {
                what: happeningOf(next.kind),
                span: spanOf(Date.parse(next.dueAt) - Date.parse(now)),
              })
            : t('To the next event')}
        </Act>
      </div>
      {moved && <Happened moved={moved} />}
      {asked.isError && !asked.data && <Trouble error={asked.error} onRetry={() => void asked.refetch()} />}
      {asked.data && (
        <Upcoming
          of={asked.data.upcoming}
          hasMore={asked.data.hasMore}
          goTo={(dueAt) => move({ seconds: secondsUntil(now, dueAt) })}
          onMoved={setMoved}
        />
      )}
    </>
  )
}

/** What the last move of the clock brought about. */
function Happened({ moved: { answer, farMs, tookMs } }: { readonly moved: Moved }) {
  const { now, ran, ranCount, counts, isThere } = answer
  const values = { span: spanOf(farMs), took: (tookMs / 1_000).toFixed(1) }
  return (
    <div role="status" className="story ok moved">
      <p>
        {ranCount === 0
          ? t('Advanced {span} in {took} s: nothing was due.', values)
          : t('Advanced {span} in {took} s: ran {counted}.', { ...values, counted: countedOf(counts) })}
      </p>
      {!isThere && (
        <p>
          {rich('This took too long, so the clock stopped at <at></at>.', {
            at: () => <Moment key="at" at={now} />,
          })}
        </p>
      )}
      {ranCount > 0 && (
        <details>
          <summary>{t('what happened')}</summary>
          <ol className="happened">
            {ran.map((each, index) => (
              // Several may be alike: the same thing tried again at the same moment.
              <li key={`${index} ${each.kind}`}>
                <Happening of={each} />
              </li>
            ))}
          </ol>
          {ranCount > ran.length && (
            <p className="muted">{t('and {n} more', { n: ranCount - ran.length })}</p>
          )}
        </details>
      )}
    </div>
  )
}

function Happening({ of: { kind, subjectId, dueAt } }: { readonly of: Due }) {
  return (
    <>
      <Moment at={dueAt} short /> <span title={kind}>{happeningOf(kind)}</span>{' '}
      {subjectId && <Id id={subjectId} short />}
    </>
  )
}

interface UpcomingProps {
  readonly of: readonly Due[]
  readonly hasMore: boolean
  readonly goTo: (dueAt: string) => Promise<Moved>
  readonly onMoved: (moved: Moved) => void
}

/** So many are seen at once; the others are folded. */
const mostShown = 5

/** What the clock comes to next; each is a place to move it to. */
function Upcoming({ of, hasMore, goTo, onMoved }: UpcomingProps) {
  if (of.length === 0) return <p className="muted upcoming">{t('Nothing is due.')}</p>
  const list = (some: readonly Due[], label: string) => (
    <ul aria-label={label} className="upcoming">
      {some.map((each) => (
        <li key={`${each.kind} ${each.subjectId} ${each.dueAt}`}>
          <span>
            <Happening of={each} />
          </span>
          <Act run={() => goTo(each.dueAt)} then={onMoved}>
            {t('Advance to it')}
          </Act>
        </li>
      ))}
    </ul>
  )
  const [first, later] = [of.slice(0, mostShown), of.slice(mostShown)]
  return (
    <>
      {list(first, t('Due next'))}
      {later.length > 0 && (
        <details>
          <summary>
            {hasMore
              ? t('the next {n}; more follow', { n: later.length })
              : t('{n} more', { n: later.length })}
          </summary>
          {list(later, t('Due later'))}
        </details>
      )}
    </>
  )
}
