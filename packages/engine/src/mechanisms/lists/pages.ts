import { createHash } from 'node:crypto'
import { failed, type Instant, ok, type Result } from '@corridor/kernel'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import type { Keys } from '../keys/keys.ts'

/** Where a page starts: after this row, in this order (conventions 7). */
export interface Position {
  readonly createdAt: Instant
  readonly id: string
}

export interface PageRequest {
  readonly limit: number
  readonly sortOrder: 'asc' | 'desc'
  readonly after: (Position & { readonly totalCount: number }) | null
}

export interface PageQuery {
  readonly limit?: number
  readonly cursor?: string
  readonly sortOrder?: 'asc' | 'desc'
}

export interface Page<T> {
  readonly data: readonly T[]
  readonly hasMore: boolean
  readonly nextCursor?: string
  readonly totalCount: number
}

export const defaultPageSize = 20

/**
 * Reads the paging parameters of a list. A cursor is bound to its filters and its order by a signature,
 * so one that was tampered with or belongs to another list is refused.
 */
export function readPage(
  keys: Keys,
  book: Book,
  list: string,
  query: PageQuery,
  filters: Readonly<Record<string, unknown>>,
): Result<PageRequest, Failure> {
  const contradiction = contradictoryRange(filters)
  if (contradiction) return failed(contradiction)
  const sortOrder = query.sortOrder ?? 'desc'
  const limit = query.limit ?? defaultPageSize
  if (query.cursor === undefined) return ok({ limit, sortOrder, after: null })
  const [payload, tag] = query.cursor.split('.')
  if (payload && tag && keys.tag(purposeOf(book, list, sortOrder, filters), payload) === tag) {
    const [createdAt, id, totalCount] = JSON.parse(Buffer.from(payload, 'base64url').toString('utf8')) as [
      Instant,
      string,
      number,
    ]
    return ok({ limit, sortOrder, after: { createdAt, id, totalCount } })
  }
  return failed(failFields([{ field: 'cursor', message: 'is not a cursor of this list with these filters' }]))
}

/** A range whose start is after its end is refused, not answered with an empty list (conventions 7). */
function contradictoryRange(filters: Readonly<Record<string, unknown>>): Failure | undefined {
  for (const [start, end] of rangeFilters) {
    const [from, to] = [filters[start], filters[end]]
    if (typeof from === 'string' && typeof to === 'string' && Date.parse(from) > Date.parse(to)) {
      return failFields([{ field: start, message: `is later than ${end}` }])
    }
  }
  return undefined
}

const rangeFilters = [
  ['createdAfter', 'createdBefore'],
  ['updatedAfter', 'updatedBefore'],
  ['startDate', 'endDate'],
] as const

/** Builds the answer from up to `limit + 1` rows in order; the extra row only says that there are more. */
export function toPage<T extends Position, W>(
  keys: Keys,
  book: Book,
  list: string,
  request: PageRequest,
  filters: Readonly<Record<string, unknown>>,
  rows: readonly T[],
  totalCount: number,
  render: (row: T) => W,
): Page<W> {
  const shown = rows.slice(0, request.limit)
  const hasMore = rows.length > request.limit
  const page = { data: shown.map(render), hasMore, totalCount }
  const last = shown[shown.length - 1]
  if (!hasMore || !last) return page
  const payload = Buffer.from(JSON.stringify([last.createdAt, last.id, totalCount])).toString('base64url')
  return {
    ...page,
    nextCursor: `${payload}.${keys.tag(purposeOf(book, list, request.sortOrder, filters), payload)}`,
  }
}

function purposeOf(
  book: Book,
  list: string,
  sortOrder: string,
  filters: Readonly<Record<string, unknown>>,
): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined)
  const hash = createHash('sha256').update(JSON.stringify(given.sort())).digest('base64url')
  return `cursor ${bookKey(book)} ${list} ${sortOrder} ${hash}`
}
