import type { Page } from '@corridor/sdk/pages.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react'
import { useKeys } from '../app/keys.ts'
import { Go, usePlaces } from '../app/places.tsx'
import { words } from '../words.ts'
import { News, type NewsOf } from './news.tsx'
import { Loading, Trouble } from './states.tsx'

export interface Column<T> {
  readonly title: string
  readonly cell: (row: T) => ReactNode
  readonly isAmount?: boolean
  /** Left out where the screen is narrow. */
  readonly isWide?: boolean
  /** One of the widths of the style sheet. */
  readonly width?: 'moment' | 'event' | 'flow' | 'digits' | 'end'
}

interface RowsProps<T> {
  readonly label: string
  /** What the list shows: another key is another list. */
  readonly list: readonly unknown[]
  readonly read: (cursor: string | undefined) => PromiseLike<Page<T>>
  readonly columns: readonly Column<T>[]
  readonly keyOf: (row: T) => string
  /** The page of a row, behind the platform and environment. */
  readonly to: (row: T) => string | undefined
  readonly empty: ReactNode
  /** Where new rows may come at the beginning. */
  readonly news?: NewsOf
}

const rowHeight = 36
/** Rows kept above and below what can be seen, so that scrolling finds them drawn; more of them make each step slower. */
const margin = 3
/** This many rows before the end the next page is fetched. */
const ahead = 100

/**
 * A list of any length: only the rows near the window are in the document, pages come by cursor and ahead of the reader.
 * It is a real table, and says how many rows it has and which each is.
 */
export function Rows<T>({ label, list, read, columns, keyOf, to, empty, news }: RowsProps<T>) {
  const query = useInfiniteQuery({
    queryKey: ['list', ...list],
    queryFn: async ({ pageParam }) => await read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
    refetchOnWindowFocus: false,
  })
  const box = useRef<HTMLDivElement>(null)
  // The first row that is seen, not the pixel: most steps of scrolling then change nothing.
  const [seen, setSeen] = useState(0)
  const [height, setHeight] = useState(600)
  const [current, setCurrent] = useState(-1)

  const pages = query.data?.pages
  const rows = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages])
  const total = Math.max(pages?.[0]?.totalCount ?? 0, rows.length)
  const first = Math.max(0, seen - margin)
  // The head of the table stands over one row of what the box has room for, and a part of one more is seen.
  const last = Math.min(rows.length, seen + Math.ceil(height / rowHeight) + margin)
  const look = (element: HTMLElement) => setSeen(Math.floor(element.scrollTop / rowHeight))

  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage && last + ahead > rows.length) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage, last, rows.length])
  useEffect(() => {
    const element = box.current
    if (!element) return
    const watch = new ResizeObserver(() => setHeight(element.clientHeight))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  useEffect(() => {
    if (current < 0) return
    const element = box.current
    element
      ?.querySelector<HTMLElement>(`tr[aria-rowindex="${current + 2}"] a`)
      ?.focus({ preventScroll: true })
  }, [current])

  const move = (by: number) => {
    const next = Math.min(Math.max(current + by, 0), rows.length - 1)
    const element = box.current
    if (next < 0 || !element) return
    const start = next * rowHeight
    if (start < element.scrollTop) element.scrollTop = start
    if (start + 3 * rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = start + 3 * rowHeight - element.clientHeight
    }
    look(element)
    setCurrent(next)
  }
  useKeys({ j: () => move(1), k: () => move(-1) })

  if (query.isPending) return <Loading />
  if (query.isError && rows.length === 0) {
    return <Trouble error={query.error} onRetry={() => void query.refetch()} />
  }
  const [newestShown] = rows
  const bar = news && (
    <News
      list={list}
      of={news}
      first={newestShown ? keyOf(newestShown) : null}
      shownAt={query.dataUpdatedAt}
    />
  )
  if (rows.length === 0) {
    return (
      <>
        {bar}
        {empty}
      </>
    )
  }
  return (
    <>
      {bar}
      <section
        ref={box}
        className="rows"
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys
        tabIndex={0}
        onScroll={(event) => look(event.currentTarget)}
      >
        <table aria-rowcount={total + 1}>
          <thead>
            <tr aria-rowindex={1}>
              {columns.map((column) => (
                <th key={column.title} scope="col" className={classOf(column)}>
                  {column.title}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {first > 0 && <Spacer rows={first} columns={columns.length} />}
            {rows.slice(first, last).map((row, index) => (
              <Row
                key={keyOf(row)}
                row={row}
                index={first + index}
                columns={columns as readonly Column<unknown>[]}
                to={to as (row: unknown) => string | undefined}
              />
            ))}
            {last < rows.length && <Spacer rows={rows.length - last} columns={columns.length} />}
          </tbody>
        </table>
      </section>
      <p className="muted count" role="status">
        {words.states.rows(total, total === 10_000 || (hasNextPage && total === rows.length))}
      </p>
      {query.isFetchNextPageError && <Trouble error={query.error} onRetry={() => void fetchNextPage()} />}
    </>
  )
}

interface RowProps {
  readonly row: unknown
  readonly index: number
  readonly columns: readonly Column<unknown>[]
  readonly to: (row: unknown) => string | undefined
}

/** Drawn once, however often the list around it is: scrolling draws only what comes into view. */
const Row = memo(({ row, index, columns, to }: RowProps) => {
  const { go } = usePlaces()
  const place = to(row)
  return (
    // The link in the row does the same with the keys.
    <tr
      aria-rowindex={index + 2}
      onClick={(event) => {
        if (place && !(event.target as HTMLElement).closest('a,button')) go(place)
      }}
    >
      {columns.map((column, at) => (
        <td key={column.title} className={classOf(column)}>
          {at === 0 && place ? <Go to={place}>{column.cell(row)}</Go> : column.cell(row)}
        </td>
      ))}
    </tr>
  )
})

function Spacer({ rows, columns }: { readonly rows: number; readonly columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row that holds the place of others takes no focus
    <tr aria-hidden="true" className="spacer" style={{ height: rows * rowHeight }}>
      <td colSpan={columns} />
    </tr>
  )
}

function classOf({
  isAmount,
  isWide,
  width,
}: Pick<Column<unknown>, 'isAmount' | 'isWide' | 'width'>): string | undefined {
  const names = [isAmount && 'amount', isWide && 'wide', width].filter(Boolean)
  return names.length > 0 ? names.join(' ') : undefined
}
