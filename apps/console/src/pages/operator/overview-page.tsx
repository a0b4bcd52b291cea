import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { IncidentExport } from './incident.tsx'
import { withBook } from './of-book.tsx'
import {
  type DeadJob,
  type FailedEvent,
  type Platform,
  type Proposal,
  type ReviewSummary,
  useOperator,
} from './operator-api.ts'
import { PausesInForce } from './pauses.tsx'
import { SoundnessOfAll } from './soundness-of-all.tsx'
import { Stuck } from './stuck.tsx'

/** At three in the morning: is the money safe, what is stuck, who waits for a decision. */
export function OverviewPage() {
  return (
    <>
      <PageHead title={words.operator.overview}>
        <IncidentExport />
      </PageHead>
      <SoundnessOfAll />
      <Stuck />
      <PausesInForce />
      <Part title={t('What waits')}>
        <ul className="steps">
          <Waiting<ReviewSummary>
            path="reviews"
            to="reviews"
            told={(count, isMore) =>
              isMore
                ? t('{count} or more customers wait for a review', { count })
                : t('{count, plural, one {# customer waits} other {# customers wait}} for a review', {
                    count,
                  })
            }
            unknown={t('… customers wait for a review')}
            sinceOf={({ submittedAt }) => submittedAt}
          />
          <Waiting<DeadJob>
            path="jobs"
            to="jobs"
            told={(count, isMore) =>
              isMore
                ? t('{count} or more jobs failed until nobody tried any more', { count })
                : t('{count, plural, one {# job} other {# jobs}} failed until nobody tried any more', {
                    count,
                  })
            }
            unknown={t('… jobs failed until nobody tried any more')}
            sinceOf={({ deadAt }) => deadAt}
          />
          <Waiting<Proposal>
            path="proposals"
            to="staff"
            told={(count, isMore) =>
              isMore
                ? t('{count} or more proposals wait for a second person', { count })
                : t('{count, plural, one {# proposal waits} other {# proposals wait}} for a second person', {
                    count,
                  })
            }
            unknown={t('… proposals wait for a second person')}
            isWaiting={({ status }) => status === 'OPEN'}
            sinceOf={({ createdAt }) => createdAt}
          />
        </ul>
      </Part>
      <Part title={t('Endpoints that fail')}>
        <Failing />
      </Part>
      <p>
        {rich('<to>Platforms</to>: what is on its way, and what failed, is on their own pages.', {
          to: (name) => (
            <Go key="to" to="platforms">
              {name}
            </Go>
          ),
        })}
      </p>
    </>
  )
}

/** Each is asked by itself, so not of any number of platforms. */
const mostBooks = 20

/** Platforms whose events were given up, and how many. */
function Failing() {
  const { page } = useOperator()
  const failing = useQuery({
    queryKey: ['operator', 'failing'],
    queryFn: async () => {
      const { data } = await page<Platform>('platforms')
      const counts = await Promise.all(
        data.slice(0, mostBooks).map(async ({ id: platformId, name, environment }) => {
          const { totalCount, data } = await page<FailedEvent>('events', undefined, {
            platformId,
            environment,
            limit: 1,
          })
          return { platformId, environment, name, count: totalCount, latest: data[0]?.createdAt }
        }),
      )
      return { isAll: data.length <= mostBooks, books: counts.filter(({ count = 0 }) => count > 0) }
    },
    refetchInterval: 60_000,
  })
  if (failing.isPending) return <Loading />
  if (!failing.data) return <Trouble error={failing.error} onRetry={() => void failing.refetch()} />
  const { books, isAll } = failing.data
  return (
    <>
      {books.length === 0 && (
        <p>
          {isAll
            ? t('No event was given up.')
            : t('No event was given up by the latest {count} platforms.', { count: mostBooks })}
        </p>
      )}
      <ul className="steps">
        {books.map((book) => (
          <li key={`${book.platformId} ${book.environment}`}>
            <Go to={withBook('events', book)}>
              {t('{count} events of {name} {environment} were given up', {
                count: `${book.count}`,
                name: book.name,
                environment: book.environment,
              })}
            </Go>
            <span className="muted">
              {rich('the last of <at></at>', { at: () => <Moment key="at" at={book.latest} short /> })}
            </span>
          </li>
        ))}
      </ul>
      {books.length > 0 && !isAll && (
        <p className="muted">{t('Of the latest {count} platforms.', { count: mostBooks })}</p>
      )}
    </>
  )
}

interface WaitingProps<T> {
  readonly path: string
  readonly to: string
  /** What so many are; `isMore`: there are more than were read. */
  readonly told: (count: number, isMore: boolean) => string
  /** The same while nobody knows how many. */
  readonly unknown: string
  readonly sinceOf: (item: T) => string
  readonly isWaiting?: (item: T) => boolean
}

/** How many of something wait, and since when the oldest does. */
function Waiting<T>({ path, to, told, unknown, sinceOf, isWaiting = () => true }: WaitingProps<T>) {
  const { page } = useOperator()
  const list = useQuery({
    queryKey: ['operator', path],
    queryFn: () => page<T>(path),
    refetchInterval: 10_000,
  })
  const waiting = (list.data?.data ?? []).filter(isWaiting)
  const isMore = list.data?.hasMore === true
  const oldest = waiting.map(sinceOf).sort()[0]
  return (
    <li>
      {list.isError ? (
        <Trouble error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <span>
          <Go to={to}>{list.isPending ? unknown : told(waiting.length, isMore)}</Go>
          {oldest && (
            <span className="muted">
              {rich(', the oldest since <at></at>', { at: () => <Moment key="at" at={oldest} /> })}
            </span>
          )}
        </span>
      )}
    </li>
  )
}
