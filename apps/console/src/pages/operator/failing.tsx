import { useQuery } from '@tanstack/react-query'
import { Go } from '../../app/places.tsx'
import { rich, t } from '../../language/t.ts'
import { Moment } from '../../parts/facts.tsx'
import { Loading, Trouble } from '../../parts/states.tsx'
import { withBook } from './of-book.tsx'
import { type FailedEvent, type Platform, useOperator } from './operator-api.ts'

/** Each is asked by itself, so not of any number of platforms. */
const mostBooks = 20

/** Platforms whose events were given up, and how many. */
export function useFailing() {
  const { page } = useOperator()
  return useQuery({
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
}

/** Those that fail, each with a way to its events. */
export function Failing() {
  const failing = useFailing()
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
