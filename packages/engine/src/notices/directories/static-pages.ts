import { failed, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { defaultPageSize, type PageQuery } from '../../mechanisms/lists/pages.ts'
import { type Failure, failFields } from '../../vocabulary/errors.ts'
import { bookKey, type Scope } from '../../vocabulary/scope.ts'

/** One page of a directory that is short enough to be held in memory. */
export interface StaticPage<T> {
  readonly data: readonly T[]
  readonly hasMore: boolean
  readonly nextCursor?: string
}

/**
 * Cuts a page out of a sorted directory. The cursor names the last entry shown and is bound to the
 * filters (which say the order too) by a tag, so it stays good when entries are added (conventions 7).
 */
export function cutPage<T>(
  { keys }: Pick<Engine, 'keys'>,
  scope: Scope,
  list: {
    readonly name: string
    readonly entries: readonly T[]
    readonly keyOf: (entry: T) => string
    readonly filters: object
  },
  { limit = defaultPageSize, cursor }: PageQuery,
): Result<StaticPage<T>, Failure> {
  const purpose = `cursor ${bookKey(scope)} ${list.name} ${JSON.stringify(list.filters)}`
  let start = 0
  if (cursor !== undefined) {
    const [payload = '', tag] = cursor.split('.')
    const last = Buffer.from(payload, 'base64url').toString('utf8')
    const position = list.entries.findIndex((entry) => list.keyOf(entry) === last)
    if (keys.tag(purpose, payload) !== tag || position < 0) {
      const message = 'is not a cursor of this list with these filters'
      return failed(failFields([{ field: 'cursor', message }]))
    }
    start = position + 1
  }
  const data = list.entries.slice(start, start + limit)
  const last = data.at(-1)
  const hasMore = start + limit < list.entries.length
  if (!hasMore || last === undefined) return ok({ data, hasMore: false })
  const payload = Buffer.from(list.keyOf(last)).toString('base64url')
  return ok({ data, hasMore, nextCursor: `${payload}.${keys.tag(purpose, payload)}` })
}
