import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { ageOf } from './ages.ts'
import { MomentOf } from './book-time.tsx'
import { Checklist } from './checklist.tsx'
import { Failing } from './failing.tsx'
import { IncidentExport } from './incident.tsx'
import {
  type Book,
  type DeadJob,
  isReal,
  type Proposal,
  type ReviewSummary,
  useOperator,
} from './operator-api.ts'
import { PausesInForce } from './pauses.tsx'
import { waitedSeconds } from './review-terms.tsx'
import { SoundnessOfAll } from './soundness-of-all.tsx'
import { Stuck } from './stuck.tsx'
import { placeOfSoundness, placeOfStuck, Summary } from './summary.tsx'

/** At three in the morning: is the money safe, what is stuck, who waits for a decision. */
export function OverviewPage() {
  return (
    <>
      <PageHead title={words.operator.overview}>
        <IncidentExport />
      </PageHead>
      <Summary />
      <div id={placeOfSoundness}>
        <SoundnessOfAll />
      </div>
      <div id={placeOfStuck}>
        <Stuck />
      </div>
      <PausesInForce />
      <Part title={t('What waits')}>
        <ul className="steps">
          <Waiting<ReviewSummary>
            path="reviews"
            to="reviews"
            told={(count, isMore) =>
              isMore
                ? t('{count} or more customers are waiting for a review', { count })
                : t('{count, plural, one {# customer is} other {# customers are}} waiting for a review', {
                    count,
                  })
            }
            unknown={t('… customers are waiting for a review')}
            sinceOf={({ submittedAt }) => submittedAt}
            inBook={{ of: (review) => review, waited: waitedSeconds }}
          />
          <Waiting<DeadJob>
            path="jobs"
            to="jobs"
            told={(count, isMore) =>
              isMore
                ? t('{count} or more dead jobs', { count })
                : t('{count, plural, one {# dead job} other {# dead jobs}}', { count })
            }
            unknown={t('… dead jobs')}
            sinceOf={({ deadAt }) => deadAt}
          />
          <Waiting<Proposal>
            path="proposals"
            to="staff"
            told={(count, isMore) =>
              isMore
                ? t('{count} or more proposals are waiting for a second person', { count })
                : t(
                    '{count, plural, one {# proposal is} other {# proposals are}} waiting for a second person',
                    {
                      count,
                    },
                  )
            }
            unknown={t('… proposals are waiting for a second person')}
            isWaiting={({ status }) => status === 'OPEN'}
            sinceOf={({ createdAt }) => createdAt}
          />
        </ul>
      </Part>
      <Part title={t('Endpoints that fail')}>
        <Failing />
      </Part>
      <Checklist />
      <p className="part">
        {rich('The pages of each <to>platform</to> show payments in progress and failed payments.', {
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

interface WaitingProps<T> {
  readonly path: string
  readonly to: string
  /** What so many are; `isMore`: there are more than were read. */
  readonly told: (count: number, isMore: boolean) => string
  /** The same while nobody knows how many. */
  readonly unknown: string
  readonly sinceOf: (item: T) => string
  /** Whose clock that is by, and for how many seconds it has waited by the same; that of the real world where it is nobody's. */
  readonly inBook?: { readonly of: (item: T) => Book; readonly waited: (item: T) => number }
  readonly isWaiting?: (item: T) => boolean
}

/** How many of something wait, and since when the oldest does. */
function Waiting<T>({ path, to, told, unknown, sinceOf, inBook, isWaiting = () => true }: WaitingProps<T>) {
  const { page } = useOperator()
  const list = useQuery({
    queryKey: ['operator', path],
    queryFn: () => page<T>(path),
    refetchInterval: 10_000,
  })
  const waiting = (list.data?.data ?? []).filter(isWaiting)
  const isMore = list.data?.hasMore === true
  // Moments by clocks of several platforms come in no order.
  const [oldest] = waiting.sort((a, b) =>
    inBook ? inBook.waited(b) - inBook.waited(a) : sinceOf(a).localeCompare(sinceOf(b)),
  )
  return (
    <li>
      {list.isError ? (
        <Trouble error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <span>
          <Go to={to}>{list.isPending ? unknown : told(waiting.length, isMore)}</Go>
          {oldest && (
            <span className="muted">
              {inBook
                ? rich(
                    ', the oldest for {age}, since <at></at>{clock, select, sandbox { on the sandbox clock} other {}}',
                    {
                      age: ageOf(inBook.waited(oldest)),
                      clock: isReal(inBook.of(oldest)) ? 'world' : 'sandbox',
                      at: () => <MomentOf key="at" book={inBook.of(oldest)} at={sinceOf(oldest)} />,
                    },
                  )
                : rich(', the oldest since <at></at>', {
                    at: () => <Moment key="at" at={sinceOf(oldest)} />,
                  })}
            </span>
          )}
        </span>
      )}
    </li>
  )
}
