import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { Moment } from '../../parts/facts.tsx'
import { Icon } from '../../parts/icon.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { useInstallationAudit } from './installation-audit.ts'
import { type DeadJob, type Proposal, type ReviewSummary, useOperator } from './operator-api.ts'

/** At three in the morning: is the money safe, what is stuck, who waits for a decision. */
export function OverviewPage() {
  return (
    <>
      <PageHead title={words.operator.overview} />
      <Soundness />
      <Part title="What waits">
        <ul className="steps">
          <Waiting<ReviewSummary>
            path="reviews"
            to="reviews"
            name="customers wait for a review"
            sinceOf={({ submittedAt }) => submittedAt}
          />
          <Waiting<DeadJob>
            path="jobs"
            to="jobs"
            name="jobs failed until nobody tried any more"
            sinceOf={({ deadAt }) => deadAt}
          />
          <Waiting<Proposal>
            path="proposals"
            to="staff"
            name="proposals wait for a second person"
            isWaiting={({ status }) => status === 'OPEN'}
            sinceOf={({ createdAt }) => createdAt}
          />
        </ul>
      </Part>
      <p>
        <Go to="platforms">Platforms</Go>: what is on its way, and what failed, is on their own pages.
      </p>
    </>
  )
}

/** The ledgers of all platforms and the audit log, computed anew. */
function Soundness() {
  const audit = useInstallationAudit()
  if (audit.isPending) return <Loading />
  if (!audit.data) return <Trouble error={audit.error} onRetry={() => void audit.refetch()} />
  const { sound, checkedAccounts, checkedTransfers, checkedAuditEntries, problems } = audit.data
  return (
    <div className={`story ${sound ? 'ok' : 'bad'}`}>
      <p>
        <Icon name={sound ? 'done' : 'failed'} />{' '}
        <strong>{sound ? 'The money is sound.' : 'The money is not sound. Stop payments and look.'}</strong>
      </p>
      <p className="muted">
        {checkedTransfers} postings of {checkedAccounts} ledger accounts and {checkedAuditEntries} entries of
        the audit log were computed anew, <Moment at={new Date(audit.dataUpdatedAt).toISOString()} />.
      </p>
      <ul>
        {problems.slice(0, 100).map(({ rule, subject, found, expected, platformId, environment }) => (
          <li key={`${rule} ${platformId} ${environment} ${subject}`}>
            <code>{rule}</code> {subject}: found {found}, expected {expected} ({platformId} {environment})
          </li>
        ))}
      </ul>
      <button type="button" disabled={audit.isFetching} onClick={() => void audit.refetch()}>
        {audit.isFetching ? 'Checking' : 'Check now'}
      </button>
    </div>
  )
}

interface WaitingProps<T> {
  readonly path: string
  readonly to: string
  readonly name: string
  readonly sinceOf: (item: T) => string
  readonly isWaiting?: (item: T) => boolean
}

/** How many of something wait, and since when the oldest does. */
function Waiting<T>({ path, to, name, sinceOf, isWaiting = () => true }: WaitingProps<T>) {
  const { page } = useOperator()
  const list = useQuery({
    queryKey: ['operator', path],
    queryFn: () => page<T>(path),
    refetchInterval: 10_000,
  })
  const waiting = (list.data?.data ?? []).filter(isWaiting)
  const oldest = waiting.map(sinceOf).sort()[0]
  return (
    <li>
      {list.isError ? (
        <Trouble error={list.error} onRetry={() => void list.refetch()} />
      ) : (
        <span>
          <Go to={to}>
            {list.isPending ? '…' : `${waiting.length}${list.data?.hasMore ? ' or more' : ''}`} {name}
          </Go>
          {oldest && (
            <span className="muted">
              , the oldest since <Moment at={oldest} />
            </span>
          )}
        </span>
      )}
    </li>
  )
}
