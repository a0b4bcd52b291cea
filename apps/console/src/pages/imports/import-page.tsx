import type { Answer } from '@corridor/sdk/index.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useSession } from '../../app/session.tsx'
import { t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { Part } from '../../parts/page.tsx'
import { Detail } from '../resources/detail.tsx'

type Job = Answer<'getBulkCustomerImportJob'>

/** A file of customers: how far it is, and what was wrong with which row. */
export function ImportPage() {
  const { corridor } = useSession()
  return (
    <Detail<Job>
      kind="job"
      path="customers/bulk/jobs"
      sdk="customers.bulk.jobs"
      read={(id) => corridor.customers.bulk.jobs.get(id)}
      titleOf={() => t('Import of customers')}
      statusOf={({ status }) => status}
      machine="bulk import"
      facts={({ progress, completedAt }) => [
        [t('Rows in the file'), String(progress.total)],
        [t('Processed'), String(progress.processed)],
        [t('Customers created'), String(progress.successful)],
        [t('Refused'), String(progress.failed)],
        [t('Ended'), completedAt && <Moment key="c" at={completedAt} />],
      ]}
      parts={(job) => (
        <>
          <Progress of={job} />
          <Refused of={job} />
        </>
      )}
    />
  )
}

const isOver = ({ status }: Job) => status === 'COMPLETED' || status === 'FAILED'

/** Looks each second until the file is through, and then has the page show what became of it. */
function Progress({ of: job }: { readonly of: Job }) {
  const { corridor } = useSession()
  const queries = useQueryClient()
  const now = useQuery({
    queryKey: ['import-progress', job.id],
    queryFn: () => corridor.customers.bulk.jobs.get(job.id),
    enabled: !isOver(job),
    refetchInterval: 1_000,
  })
  const { progress, status } = now.data ?? job
  const hasChanged = status !== job.status
  useEffect(() => {
    if (hasChanged) void queries.invalidateQueries({ queryKey: ['job', job.id] })
  }, [hasChanged, queries, job.id])
  const { total, processed } = progress
  return (
    <p className="acts part" role="status">
      <progress
        max={Math.max(1, total)}
        value={isOver(job) ? Math.max(1, total) : processed}
        aria-label={t('Rows')}
      />
      <span>{t('{processed} of {total, plural, one {# row} other {# rows}}', { processed, total })}</span>
    </p>
  )
}

/** What the API tells of a refused row besides a code, as far as there are words for it. */
interface Details {
  readonly errors?: readonly { readonly field?: string; readonly message?: string }[]
  readonly reason?: string
  /** Of the file as a whole: which column it lacks, or has twice. */
  readonly column?: string
  readonly field?: string
  readonly umaAddress?: string
}

/** What is wrong with a file as a whole: of such a one a single entry tells, which is of no row. */
const ofWholeFile: ReadonlySet<string> = new Set([
  'missing_required_column',
  'too_many_rows',
  'unparseable',
  'no_rows',
])

const isOfWholeFile = ({ details }: Job['errors'][number]) =>
  ofWholeFile.has((details as Details | undefined)?.reason ?? '')

/** `customerType is not one of the allowed values.`, for each field that was wrong, or the column or cell that it is about. */
function About({ of }: { readonly of: Details | undefined }) {
  const { errors = [], column, field, umaAddress, reason } = of ?? {}
  if (reason === 'TOO_MANY_CELLS') return t('It has more cells than the header names.')
  if (errors.length > 0) return errors.map((each) => `${each.field} ${each.message}.`).join(' ')
  const about = column ?? field ?? umaAddress
  return about && <code>{about}</code>
}

/** How many are shown of those that were refused. */
const mostShown = 100

/** The first rows that were refused, each with the reason. */
function Refused({ of: { errors, progress } }: { readonly of: Job }) {
  const [first] = errors
  if (!first) return null
  const isWhole = isOfWholeFile(first)
  const rest = isWhole ? 0 : progress.failed - mostShown
  return (
    <Part title={isWhole ? t('Reason for rejecting the file') : t('Rejected rows')}>
      <ul className="steps">
        {errors.slice(0, mostShown).map(({ correlationId, code, message, details }, index) => (
          <li key={`${correlationId} ${index}`}>
            <span>
              {isWhole ? t('The whole file') : <span className="id">{correlationId}</span>} ·{' '}
              <code>{code}</code>
            </span>
            <span>
              {message} <About of={details as Details} />
            </span>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className="muted">
          {t('And {rest} more; the API response below has the first {told}.', {
            rest,
            told: errors.length,
          })}
        </p>
      )}
    </Part>
  )
}
