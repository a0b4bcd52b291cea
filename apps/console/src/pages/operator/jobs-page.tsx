import { Corridor } from '@corridor/sdk/index.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { t } from '../../language/t.ts'
import { Act } from '../../parts/act.tsx'
import { Moment } from '../../parts/facts.tsx'
import { PageHead, Part } from '../../parts/page.tsx'
import { Rows } from '../../parts/rows.tsx'
import { Nothing } from '../../parts/states.tsx'
import { words } from '../../words.ts'
import { MomentOf } from './book-time.tsx'
import { useNames } from './names.ts'
import { type DeadJob, isReal, useOperator } from './operator-api.ts'

export function JobsPage() {
  const { page, post } = useOperator()
  const nameOf = useNames()
  return (
    <>
      <PageHead title={words.operator.jobs} />
      <p className="muted trail">{t('Background work that failed and is no longer retried.')}</p>
      <Alike />
      <Rows<DeadJob>
        label={t('Dead jobs')}
        list={['operator', 'jobs-list']}
        read={() => page<DeadJob>('jobs')}
        columns={[
          { title: t('Work'), cell: ({ kind }) => kind },
          {
            title: t('Last error'),
            cell: ({ lastError }) => <span title={lastError}>{lastError ?? '—'}</span>,
          },
          {
            title: t('Started'),
            isWide: true,
            width: 'moment',
            cell: (job) => <MomentOf book={job} at={job.createdAt} />,
          },
          { title: t('Attempts'), isWide: true, cell: ({ attempts }) => attempts },
          {
            title: t('Platform'),
            isWide: true,
            cell: (job) => `${nameOf(job)} ${job.environment}`,
          },
          {
            title: t('Given up'),
            isWide: true,
            width: 'moment',
            cell: ({ deadAt }) => <Moment at={deadAt} short />,
          },
          {
            title: t('Act'),
            cell: (job) => (
              <Act
                of={job}
                asks={t('Retry {kind} of {name}', { kind: job.kind, name: nameOf(job) })}
                run={() => post(`jobs/${job.id}/retry`)}
              >
                {t('Retry')}
              </Act>
            ),
          },
        ]}
        keyOf={({ id }) => id}
        to={() => undefined}
        empty={<Nothing title={t('No dead jobs.')} />}
      />
    </>
  )
}

/** The same work that failed in the same way is done again together: what broke it was one thing. */
function Alike() {
  const { page, post } = useOperator()
  const [told, setTold] = useState('')
  const jobs = useQuery({ queryKey: ['operator', 'jobs'], queryFn: () => page<DeadJob>('jobs') })
  const groups = new Map<string, DeadJob[]>()
  for (const job of jobs.data?.data ?? []) {
    const alike = `${job.kind}: ${(job.lastError ?? '—').slice(0, 100)}`
    groups.set(alike, [...(groups.get(alike) ?? []), job])
  }
  const several = [...groups].filter(([, alike]) => alike.length > 1)
  if (several.length === 0 && told === '') return null
  /** One after the other; what a job of the same key is doing already is left to it. */
  const retry = async (alike: readonly DeadJob[]) => {
    let left = 0
    for (const { id } of alike) {
      await post(`jobs/${id}/retry`).catch((error: unknown) => {
        if (!(error instanceof Corridor.Error) || ![404, 409].includes(error.status)) throw error
        left++
      })
    }
    return { retried: alike.length - left, left }
  }
  return (
    <Part title={t('Failed alike')}>
      <ul className="steps">
        {several.map(([name, alike]) => (
          <li key={name}>
            <span>
              {alike.length} × {name}
            </span>
            <span>
              <Act
                of={alike.find(isReal) ?? alike[0]}
                confirm={
                  alike.some(isReal)
                    ? t('Retry {count} jobs in PRODUCTION', { count: alike.length })
                    : t('Retry {count} jobs', { count: alike.length })
                }
                run={() => retry(alike)}
                then={({ retried, left }) =>
                  setTold(
                    [
                      t('{retried, plural, one {One is tried again.} other {# are tried again.}}', {
                        retried,
                      }),
                      ...(left > 0
                        ? [
                            t(
                              '{left, plural, one {One was skipped: it is already done, or another job does it.} other {# were skipped: they are already done, or another job does them.}}',
                              { left },
                            ),
                          ]
                        : []),
                    ].join(' '),
                  )
                }
              >
                {t('Retry all like this')}
              </Act>
            </span>
          </li>
        ))}
      </ul>
      <p role="status">{told}</p>
    </Part>
  )
}
