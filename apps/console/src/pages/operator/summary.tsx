import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { t } from '../../language/t.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import { ageOf } from './ages.ts'
import { useEndpoints } from './failing.tsx'
import { useInstallationAudit } from './installation-audit.ts'
import { withBook } from './of-book.tsx'
import {
  type Book,
  type DeadJob,
  isReal,
  type ReviewSummary,
  type StuckRail,
  useOperator,
} from './operator-api.ts'
import { waitedSeconds } from './review-terms.tsx'

/** Parts of the overview that the line leads to. */
export const placeOfSoundness = 'soundness'
export const placeOfStuck = 'stuck'

/** All that an operator has to know at night, in one line; each word leads to its rows. */
export function Summary() {
  const { get, page } = useOperator()
  const audit = useInstallationAudit()
  const endpoints = useEndpoints()
  const stuck = useQuery({
    queryKey: ['operator', 'stuck'],
    queryFn: () => get<{ data: readonly StuckRail[] }>('stuck'),
  })
  const reviews = useQuery({
    queryKey: ['operator', 'reviews'],
    queryFn: () => page<ReviewSummary>('reviews'),
  })
  const jobs = useQuery({ queryKey: ['operator', 'jobs'], queryFn: () => page<DeadJob>('jobs') })
  const stuckCount = stuck.data?.data.reduce((sum, { count }) => sum + count, 0)
  const waiting = reviews.data?.data
  const failing = endpoints.data?.data.filter(({ isFailing }) => isFailing)
  const event = endpoints.data?.data.toSorted((a, b) => (b.oldestSeconds ?? 0) - (a.oldestSeconds ?? 0))[0]
  const oldest = waiting?.toSorted((a, b) => waitedSeconds(b) - waitedSeconds(a))[0]
  const said = (count: number | undefined) => (count === undefined ? '…' : `${count}`)
  return (
    <nav className="acts summary" aria-label={t('Summary')}>
      <a href={`#${placeOfSoundness}`}>
        <Mark isBad={audit.data?.sound === false} isKnown={audit.data !== undefined} />
        {audit.data === undefined ? t('money …') : audit.data.sound ? t('money sound') : t('money not sound')}
      </a>
      <a href={`#${placeOfStuck}`}>
        <Mark isBad={(stuckCount ?? 0) > 0} isKnown={stuckCount !== undefined} />
        {t('stuck {count}', { count: said(stuckCount) })}
      </a>
      <Go to="reviews" title={oldest && clockOf(oldest)}>
        <Mark
          isBad={waiting?.some(({ secondsLeft }) => secondsLeft < 0) === true}
          isKnown={waiting !== undefined}
        />
        {oldest === undefined
          ? t('reviews {count}', { count: said(waiting?.length) })
          : t('reviews {count} (oldest {age})', {
              count: said(waiting?.length),
              age: ageOf(waitedSeconds(oldest)),
            })}
      </Go>
      <Go to="jobs">
        <Mark isBad={(jobs.data?.data.length ?? 0) > 0} isKnown={jobs.data !== undefined} />
        {t('dead jobs {count}', { count: said(jobs.data?.data.length) })}
      </Go>
      <Go
        to={failing?.[0] ? withBook('events', failing[0]) : 'events'}
        title={event?.oldestSeconds ? clockOf(event) : undefined}
      >
        <Mark isBad={(failing?.length ?? 0) > 0} isKnown={failing !== undefined} />
        {event?.oldestSeconds
          ? t('endpoints failing {count} (oldest event {age})', {
              count: said(failing?.length),
              age: ageOf(event.oldestSeconds),
            })
          : t('endpoints failing {count}', { count: said(failing?.length) })}
      </Go>
    </nav>
  )
}

/** By whose clock an age is: that which what it leads to is told by, too. */
function clockOf({ environment }: Pick<Book, 'environment'>): string | undefined {
  return isReal({ environment }) ? undefined : t('On the sandbox clock, which may have been moved.')
}

/** Never by colour alone: the number beside it says the same. */
function Mark({ isBad, isKnown }: { readonly isBad: boolean; readonly isKnown: boolean }) {
  const name: IconName = !isKnown ? 'idle' : isBad ? 'failed' : 'done'
  return (
    <span className={isKnown ? (isBad ? 'overdue' : 'fine') : 'muted'}>
      <Icon name={name} />
    </span>
  )
}
