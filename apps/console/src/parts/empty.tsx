import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useView } from '../app/places.tsx'
import { words } from '../words.ts'
import { useAmountText } from './amount-filter.ts'
import { type Filter, filtersOf } from './filters.tsx'
import { Nothing } from './states.tsx'

type Query = Readonly<Record<string, string>>

interface EmptyProps {
  /** What is said where no filter is set. */
  readonly title: string
  readonly filters: readonly Filter[]
  /** The first row of the list with other filters. */
  readonly find: (query: Query) => PromiseLike<{ readonly data: readonly unknown[] }>
  readonly cli?: string
  /** What fills the list. */
  readonly children?: ReactNode
}

/** An empty list that can be filtered: where it is, which filter left nothing, and a button that drops it. */
export function Empty({ title, filters, find, cli, children }: EmptyProps) {
  const [view] = useView()
  if (Object.keys(filtersOf(view, filters)).length > 0) return <FilteredOut filters={filters} find={find} />
  return (
    <Nothing title={title} {...(cli === undefined ? {} : { cli })}>
      {children}
    </Nothing>
  )
}

function FilteredOut({ filters, find }: Pick<EmptyProps, 'filters' | 'find'>) {
  const [view, change] = useView()
  const query = filtersOf(view, filters)
  const given = filters.filter(({ name }) => name in query)
  // One alone is the one; of several each is left out once.
  const isOne = given.length === 1
  const amountText = useAmountText(query)
  const without = useQuery({
    queryKey: ['without', filters.map(({ name }) => name).join(), query],
    queryFn: () =>
      Promise.all(
        given.map(async ({ name }) => {
          const { [name]: _, ...others } = query
          return (await find(others)).data.length > 0
        }),
      ),
    enabled: !isOne,
  })
  return (
    <Nothing title={words.states.filteredEmpty}>
      <ul className="dropped">
        {given.map(({ name, label, isAmount }, index) => (
          <li key={name}>
            <button type="button" onClick={() => change({ [name]: undefined })}>
              {words.states.drop(label, isAmount ? amountText(query[name]!) : query[name]!)}
            </button>{' '}
            {(isOne || without.data?.[index]) && (
              <span className="muted">{words.states.leavesNothing(isOne)}</span>
            )}
          </li>
        ))}
      </ul>
    </Nothing>
  )
}
