import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { PlacesAt, useView } from '../../app/places.tsx'
import { t } from '../../language/t.ts'
import { Loading, Nothing, Trouble } from '../../parts/states.tsx'
import { InTimeOf } from './book-time.tsx'
import { type Book, type Platform, useOperator } from './operator-api.ts'

/** What is shown of one platform at a time, which the address says. */
export function OfBook({ children }: { readonly children: (book: Book, name: string) => ReactNode }) {
  const { page } = useOperator()
  const [view, change] = useView()
  const platforms = useQuery({
    queryKey: ['operator', 'platforms'],
    queryFn: () => page<Platform>('platforms'),
  })
  if (platforms.isPending) return <Loading />
  if (!platforms.data) return <Trouble error={platforms.error} onRetry={() => void platforms.refetch()} />
  const known = platforms.data.data
  const chosen = known.find((book) => bookValue(book) === view.get('book')) ?? known[0]
  if (!chosen) return <Nothing title={t('There are no platforms yet.')} />
  const book: Book = { platformId: chosen.id, environment: chosen.environment }
  return (
    <>
      <div className="filters">
        <label>
          <span>{t('Platform')}</span>
          <select value={bookValue(chosen)} onChange={(event) => change({ book: event.target.value })}>
            {known.map((book) => (
              <option key={bookValue(book)} value={bookValue(book)}>
                {book.name} {book.environment}
              </option>
            ))}
          </select>
        </label>
      </div>
      <InTimeOf book={book}>
        <PlacesAt {...book}>{children(book, chosen.name)}</PlacesAt>
      </InTimeOf>
    </>
  )
}

const bookValue = ({ id, environment }: Platform) => `${id} ${environment}`

/** The page `to` with this platform chosen. */
export function withBook(to: string, { platformId, environment }: Book): string {
  return `${to}?book=${encodeURIComponent(`${platformId} ${environment}`)}`
}
