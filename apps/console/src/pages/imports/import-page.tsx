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
        [t('Looked at'), String(progress.processed)],
        [t('Became customers'), String(progress.successful)],
        [t('Refused'), String(progress.failed)],
        [t('Completed'), completedAt && <Moment key="c" at={completedAt} />],
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

/** `customerType is not one of the allowed values`, for each field that was wrong. */
function wrongFields(details: unknown): string {
  const errors = (details as { errors?: readonly { field?: string; message?: string }[] } | undefined)?.errors
  return (errors ?? []).map(({ field, message }) => `${field} ${message}.`).join(' ')
}

/** The first rows that were refused, each with the reason. */
function Refused({ of: { errors } }: { readonly of: Job }) {
  if (errors.length === 0) return null
  return (
    <Part title={t('Rows that were refused')}>
      <ul className="steps">
        {errors.slice(0, 100).map(({ correlationId, code, message, details }, index) => (
          <li key={`${correlationId} ${index}`}>
            <span>
              <span className="id">{correlationId}</span> · <code>{code}</code>
            </span>
            {message} {wrongFields(details)}
          </li>
        ))}
      </ul>
      {errors.length > 100 && (
        <p className="muted">{t('And {rest} more, below.', { rest: errors.length - 100 })}</p>
      )}
    </Part>
  )
}
