import type { Page } from '@corridor/sdk/pages.ts'
import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { type Bindings, useKeys } from '../app/keys.ts'
import { useEveryMs } from '../app/live/live.tsx'
import { usePlaces } from '../app/places.tsx'
import { useMedia, usePreference } from '../app/preferences.ts'
import { useSessions } from '../app/session.tsx'
import { useTime } from '../app/time.tsx'
import { t } from '../language/t.ts'
import { words } from '../words.ts'
import { useBeside } from './beside.tsx'
import { type Column, classOf, longestOf, twoLines, widthOf } from './columns.tsx'
import { useCopied } from './copied.ts'
import { explanationId, isExplained } from './explanation/anchor.tsx'
import { Icon } from './icon.tsx'
import { News, type NewsOf } from './news.tsx'
import { pickByKey, Row, type RowProps } from './row.tsx'
import type { Selection } from './selection.ts'
import { Loading, Trouble } from './states.tsx'

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
  /** Where rows can be marked: by a box in front of them, and by the space bar. */
  readonly selection?: {
    readonly of: Selection<T>
    /** What its box is for, for those who hear it. */
    readonly says: (row: T) => string
  }
  /** How many rows there are without any filter, where one is set and that is cheap to ask. */
  readonly unfiltered?: (() => PromiseLike<{ readonly totalCount?: number }>) | undefined
  /** Where the first column can be turned round. */
  readonly order?: { readonly now: 'asc' | 'desc'; readonly turn: () => void }
}

/** Pixels of a row, as the style sheet has it too; two lines where the screen is narrow. */
const heights = { comfortable: 36, compact: 28, touch: 46, narrow: 60 } as const
type Look = keyof typeof heights

function useLook(): Look {
  const { session } = useSessions()
  const isNarrow = useMedia('(max-width: 767px)')
  const isTouched = useMedia('(pointer: coarse)')
  // Who runs the installation looks through more of them.
  const chosen = usePreference('rows') ?? (session ? 'comfortable' : 'compact')
  return isNarrow ? 'narrow' : isTouched ? 'touch' : chosen
}

/** Rows kept above and below what can be seen, so that scrolling finds them drawn; more of them make each step slower. */
const margin = 2
/** Keys that follow each other faster open nothing in between. */
const restMs = 120
/** This many rows before the end the next page is fetched. */
const ahead = 100

/**
 * A list of any length: only the rows near the window are in the document, pages come by cursor and ahead of the reader.
 * It is a real table, and says how many rows it has and which each is.
 */
export function Rows<T>(props: RowsProps<T>) {
  const { label, list, read, columns, keyOf, to, empty, news, order, unfiltered } = props
  const query = useInfiniteQuery({
    queryKey: ['list', ...list],
    queryFn: async ({ pageParam }) => await read(pageParam),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: (page) => (page.hasMore ? page.nextCursor : undefined),
    refetchOnWindowFocus: false,
  })
  const { go } = usePlaces()
  const beside = useBeside()
  const openPlace = beside?.place
  const box = useRef<HTMLDivElement | null>(null)
  const see = useRef((_element: HTMLElement) => {})
  const [height, setHeight] = useState(600)
  const [current, setCurrent] = useState(-1)

  const look = useLook()
  // Two lines have no room for a box, and nobody on a phone wants a file.
  const selection = look === 'narrow' ? undefined : props.selection
  const toggle = useRef((_row: unknown) => {})
  toggle.current = (row) => selection?.of.toggle(keyOf(row as T), row as T)
  const pick = useCallback((row: unknown) => toggle.current(row), [])
  const saying = useRef((_row: unknown): string => '')
  saying.current = (row) => selection?.says(row as T) ?? ''
  const says = useCallback((row: unknown) => saying.current(row), [])
  const chosen = useRef((_index: number, _place: string, _isByKeys: boolean) => {})
  chosen.current = (index, place, isByKeys) => {
    if (!beside?.takes(place)) return go(place)
    setCurrent(index)
    beside.open(place, isByKeys)
  }
  const choose = useCallback<RowProps['choose']>((...given) => chosen.current(...given), [])
  const { hasOwnClock } = useTime()
  const rowHeight = heights[look]
  const hasRoom = useMedia('(min-width: 1401px)')
  const shown = useMemo(
    () =>
      look === 'narrow'
        ? twoLines(columns, to)
        : columns.filter(({ isExtra, isWide }) => (hasRoom || !isExtra) && !(isWide && openPlace)),
    [look, columns, to, hasRoom, openPlace],
  )
  const pages = query.data?.pages
  const rows = useMemo(() => pages?.flatMap(({ data }) => data) ?? [], [pages])
  const total = Math.max(pages?.[0]?.totalCount ?? 0, rows.length)
  const all = useUnfiltered(label, unfiltered)
  const digits = longestOf(pages ?? [], columns)
  const paged = usePaged(list, pages ?? [])
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const isPaged = paged !== undefined
  // The box comes with the first rows, long after the list itself: on a tall screen it has room for more than was assumed.
  const attach = useCallback((element: HTMLDivElement | null) => {
    box.current = element
    if (!element) return
    const watch = new ResizeObserver(() => setHeight(element.clientHeight))
    watch.observe(element)
    return () => {
      watch.disconnect()
      box.current = null
    }
  }, [])
  useEffect(() => {
    if (current < 0) return
    const element = box.current
    element
      ?.querySelector<HTMLElement>(`tr[aria-rowindex="${current + 2}"] a`)
      ?.focus({ preventScroll: true })
  }, [current])

  const opening = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(opening.current), [])
  /** What is open beside the list goes along with the keys, and waits until they rest. */
  const follow = (place: string | undefined) => {
    clearTimeout(opening.current)
    if (!beside?.place || place === undefined || !beside.takes(place)) return
    opening.current = setTimeout(() => beside.open(place, false), restMs)
  }
  const move = (by: number) => {
    // Who comes with a link goes on from what it opened.
    const from = current >= 0 || !openPlace ? current : rows.findIndex((row) => to(row) === openPlace)
    const next = Math.min(Math.max(from + by, paged?.first ?? 0), (paged?.last ?? rows.length) - 1)
    const element = box.current
    if (next < 0 || !element) return
    const start = (next - (paged?.first ?? 0)) * rowHeight
    if (start < element.scrollTop) element.scrollTop = start
    if (start + 3 * rowHeight > element.scrollTop + element.clientHeight) {
      element.scrollTop = start + 3 * rowHeight - element.clientHeight
    }
    see.current(element)
    setCurrent(next)
    follow(to(rows[next]!))
  }
  const currentRow = rows[current]
  const copied = useCopied()
  useKeys({
    j: () => move(1),
    k: () => move(-1),
    // What is open has these keys itself.
    ...(currentRow === undefined || openPlace
      ? {}
      : keysOf(to(currentRow), keyOf(currentRow), go, copied.copy)),
  })

  if (query.isPending) return <Loading look={look} />
  if (query.isError && rows.length === 0) {
    return <Trouble error={query.error} onRetry={() => void query.refetch()} />
  }
  const width = shown.length + (selection ? 1 : 0)
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
        ref={attach}
        className={`rows ${look}${isPaged ? ' paged' : ''}`}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: who has no pointer scrolls it with the keys
        tabIndex={0}
        onScroll={(event) => see.current(event.currentTarget)}
        onKeyDown={selection && ((event) => pickByKey(event, (index) => pick(rows[index])))}
      >
        {/* Where a row is two lines, browsers do not see a table in it unless it says so. */}
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <table role="table" aria-rowcount={total + 1}>
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <thead role="rowgroup">
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <tr role="row" aria-rowindex={1}>
              {selection && (
                // biome-ignore lint/a11y/noRedundantRoles: see above
                <th role="columnheader" scope="col" className="pick">
                  <span className="hidden">{t('Selected')}</span>
                </th>
              )}
              {shown.map((column, at) => {
                const ordered = at === 0 ? order : undefined
                return (
                  <th
                    key={column.title}
                    // biome-ignore lint/a11y/noRedundantRoles: see above
                    role="columnheader"
                    scope="col"
                    className={classOf(column)}
                    style={widthOf(digits.get(column.title))}
                    aria-sort={ordered && (ordered.now === 'asc' ? 'ascending' : 'descending')}
                  >
                    {ordered ? <Turn of={ordered} title={column.title} /> : column.title}
                    {column.width === 'moment' && hasOwnClock && <Icon name="expired" />}
                  </th>
                )
              })}
            </tr>
          </thead>
          {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
          <tbody role="rowgroup">
            <Drawn
              see={see}
              count={rows.length}
              paged={paged}
              rowHeight={rowHeight}
              height={height}
              columns={width}
              readOn={
                hasNextPage && !isFetchingNextPage && !query.isFetchNextPageError ? fetchNextPage : undefined
              }
              draw={(first, last) =>
                rows
                  .slice(first, last)
                  .map((row, index) => (
                    <Row
                      key={keyOf(row)}
                      row={row}
                      index={first + index}
                      columns={shown as readonly Column<unknown>[]}
                      to={to as (row: unknown) => string | undefined}
                      says={selection && says}
                      isPicked={selection?.of.has(keyOf(row)) ?? false}
                      isOpen={openPlace !== undefined && to(row) === openPlace}
                      pick={pick}
                      choose={choose}
                    />
                  ))
              }
            />
          </tbody>
        </table>
      </section>
      {paged && (
        <div className="acts pages">
          <button type="button" disabled={paged.at === 0} onClick={() => paged.go(paged.at - 1)}>
            {words.states.before}
          </button>
          <button
            type="button"
            disabled={isFetchingNextPage || !(hasNextPage || paged.last < rows.length)}
            onClick={() =>
              paged.last < rows.length
                ? paged.go(paged.at + 1)
                : void fetchNextPage().then(({ isError }) => isError || paged.go(paged.at + 1))
            }
          >
            {words.states.next}
          </button>
          <span role="status">{words.states.page(paged.first + 1, paged.last)}</span>
        </div>
      )}
      <p className="muted count" role="status">
        {copied.told}
        {words.states.rows(total, total === mostCounted || (hasNextPage && total === rows.length), all)}
      </p>
      {query.isFetchNextPageError && <Trouble error={query.error} onRetry={() => void fetchNextPage()} />}
    </>
  )
}

interface DrawnProps {
  /** What it is told by of the box around it that was scrolled. */
  readonly see: { current: (box: HTMLElement) => void }
  /** Of all rows that were read. */
  readonly count: number
  readonly paged: Paged | undefined
  readonly rowHeight: number
  /** Of the box around it, in pixels. */
  readonly height: number
  readonly columns: number
  /** Reads the next page; undefined where there is none, while it is read, and where it failed until somebody tries again. */
  readonly readOn: (() => Promise<unknown>) | undefined
  readonly draw: (first: number, last: number) => ReactNode
}

/** The rows near the window, and room for the others. By itself, so that a step of scrolling draws these anew and nothing around them. */
function Drawn({ see, count, paged, rowHeight, height, columns, readOn, draw }: DrawnProps) {
  // The first row that is seen, not the pixel: most steps of scrolling then change nothing.
  const [seen, setSeen] = useState(0)
  see.current = (box) => setSeen(Math.floor(box.scrollTop / rowHeight))
  const first = paged?.first ?? Math.max(0, seen - margin)
  // The head of the table stands over one row of what the box has room for, and a part of one more is seen.
  const last = paged?.last ?? Math.min(count, seen + Math.ceil(height / rowHeight) + margin)
  const isNearEnd = !paged && last + ahead > count
  useEffect(() => {
    if (isNearEnd) void readOn?.()
  }, [isNearEnd, readOn])
  return (
    <>
      {!paged && first > 0 && <Spacer height={first * rowHeight} columns={columns} />}
      {draw(first, last)}
      {!paged && last < count && <Spacer height={(count - last) * rowHeight} columns={columns} />}
    </>
  )
}

/** The API counts no further. */
const mostCounted = 10_000
const countEveryMs = 30_000

/** Undefined until it is known, and where nothing is left out. */
function useUnfiltered(label: string, read: RowsProps<never>['unfiltered']): number | undefined {
  const every = useEveryMs()
  const { data } = useQuery({
    queryKey: ['unfiltered', label],
    queryFn: async () => (await read!()).totalCount ?? null,
    enabled: read !== undefined,
    refetchInterval: every(countEveryMs),
  })
  return read === undefined ? undefined : (data ?? undefined)
}

interface Paged {
  readonly at: number
  readonly first: number
  readonly last: number
  readonly go: (at: number) => void
}

/** The page that is shown, where somebody wants lists page by page: a screen reader that counts what is drawn counts right then. */
function usePaged(
  list: readonly unknown[],
  pages: readonly { readonly data: readonly unknown[] }[],
): Paged | undefined {
  const key = JSON.stringify(list)
  const [{ of, at }, setAt] = useState({ of: key, at: 0 })
  if (usePreference('lists') !== 'pages') return undefined
  // Another list begins with its first page.
  const shown = of === key ? Math.min(at, Math.max(0, pages.length - 1)) : 0
  const first = pages.slice(0, shown).reduce((sum, { data }) => sum + data.length, 0)
  const last = first + (pages[shown]?.data.length ?? 0)
  return { at: shown, first, last, go: (next) => setAt({ of: key, at: next }) }
}

/** What single keys do to the row that has the focus. */
function keysOf(
  place: string | undefined,
  key: string,
  go: (path: string) => void,
  copy: (text: string) => void,
): Bindings {
  return {
    // Keys of rows are ids, but where a row has none.
    ...(/^\w+:[\w-]+$/.test(key) ? { c: () => copy(key) } : {}),
    ...(place === undefined || !isExplained(place) ? {} : { e: () => go(`${place}#${explanationId}`) }),
  }
}

interface TurnProps {
  readonly of: NonNullable<RowsProps<never>['order']>
  readonly title: string
}

function Turn({ of: { now, turn }, title }: TurnProps) {
  return (
    <button
      type="button"
      className="quiet"
      onClick={turn}
      title={now === 'asc' ? t('Oldest first') : t('Newest first')}
    >
      {title} <span aria-hidden="true">{now === 'asc' ? '↑' : '↓'}</span>
    </button>
  )
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }) {
  return (
    // biome-ignore lint/a11y/noAriaHiddenOnFocusable: a row that holds the place of others takes no focus
    <tr aria-hidden="true" className="spacer" style={{ height }}>
      <td colSpan={columns} />
    </tr>
  )
}
