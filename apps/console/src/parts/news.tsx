import { Corridor } from '@corridor/sdk/index.ts'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useKeys } from '../app/keys.ts'
import { useEveryMs, useLive } from '../app/live/live.tsx'
import { t } from '../language/t.ts'
import { words } from '../words.ts'
import { Trouble } from './states.tsx'

export interface NewsOf {
  /** What the rows are, as their ids begin. */
  readonly kind: string
  /** What stands over the bar. */
  readonly text: string
  /** The id of the row that the list would begin with now. */
  readonly newest: () => Promise<string | null>
  /** How many rows come before the one with this id, and whether there are more; what is said of that many. */
  readonly count?: (first: string) => Promise<{ readonly rows: number; readonly isMore: boolean }>
  readonly counted?: (rows: number, isMore: boolean) => string
  /** Of what the stream tells nothing: how often it is looked for, in milliseconds. */
  readonly everyMs?: number
}

/**
 * Looks whether the list begins with another row: when something is told of its kind, and every few seconds while nothing is
 * told. New ones wait behind a bar, so that nothing jumps under the pointer; when the server is not reached, the page
 * says so and keeps what it has.
 */
export function News({
  list,
  of,
  first,
  shownAt,
}: {
  readonly list: readonly unknown[]
  readonly of: NewsOf
  /** The id of the row that it begins with; null: it has none. */
  readonly first: string | null
  /** When it was read, in milliseconds of the clock. */
  readonly shownAt: number
}) {
  const queries = useQueryClient()
  const { state } = useLive()
  const everyMs = useEveryMs()
  const newest = useQuery({
    queryKey: ['newest', of.kind, ...list],
    queryFn: of.newest,
    refetchInterval: of.everyMs ?? everyMs(5_000),
  })
  const isNew = newest.data !== undefined && newest.data !== first
  const waiting = useQuery({
    queryKey: ['waiting', of.kind, ...list, first, newest.data],
    queryFn: () => of.count!(first!),
    enabled: isNew && first !== null && of.count !== undefined,
  })
  const show = () => {
    if (isNew)
      void queries.resetQueries({ queryKey: ['list', ...list], exact: true }).then(() => newest.refetch())
  }
  useKeys({ '.': show })
  // Where there is nothing, nothing jumps.
  const isFirst = isNew && first === null
  const key = JSON.stringify(list)
  useEffect(() => {
    if (isFirst) void queries.invalidateQueries({ queryKey: ['list', ...JSON.parse(key)], exact: true })
  }, [isFirst, key, queries])
  if (newest.isError) {
    // A refusal is told by the list itself; this is about a server that gives no answer, which the bar of the page tells.
    if (newest.error instanceof Corridor.Error)
      return <Trouble error={newest.error} onRetry={() => void newest.refetch()} />
    return state.kind === 'DOWN' ? null : (
      <p className="stale" role="status">
        {words.states.stale(new Date(Math.max(newest.dataUpdatedAt, shownAt)).toLocaleTimeString('en-GB'))}
      </p>
    )
  }
  if (!isNew || isFirst) return null
  return (
    <p className="news" role="status">
      {waiting.data && of.counted ? of.counted(waiting.data.rows, waiting.data.isMore) : of.text}{' '}
      <button type="button" onClick={show}>
        {t('Show them (.)')}
      </button>
    </p>
  )
}
