import { toTimestamp } from '@corridor/kernel'
import { type Book, viewKey } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type Statement, statement, statementFamily } from '../db/driver.ts'
import type { PageRequest } from './pages.ts'
import { createSharedReads } from './shared-reads.ts'
import { type KeptTotal, keptTotal } from './totals.ts'

/** A list of one table: which columns, which rows, and what each filter means in SQL. */
export interface ListDeclaration<F extends string> {
  /** Statement names start with it: `tokens.list`. */
  readonly name: string
  readonly table: string
  readonly columns: string
  /** A condition that always holds, such as `deleted_at is null`. */
  readonly where?: string
  /** Filter name → what it means. Only the filters that are given are in the statement. */
  readonly filters: Readonly<Record<F, Condition>>
  /** Under which filters, all that are given, the total is kept and not counted: `{}` for none of them. */
  readonly kept?: readonly {
    readonly filters: Readonly<Partial<Record<F, unknown>>>
    readonly total: KeptTotal
  }[]
  /** Filters that every caller gives: there is no list without them. */
  readonly always?: readonly NoInfer<F>[]
}

/** Rows are counted up to here, where their total is not kept: 10,000 may stand for more (ADR 35). */
export const countedAtMost = 10_000

/**
 * What a filter means: a condition with `?` for its value, and one with `?` for an array of values if the
 * filter may be repeated. A single value has a statement of its own, because only with that can an index
 * that begins with the column also give the order.
 */
export type Condition = string | { readonly one: string; readonly any: string }

/** The column has the value, or one of them. */
export function equals(column: string): Condition {
  return { one: `${column} = ?`, any: `${column} = any(?::text[])` }
}

/** The array, a column or an expression, contains the value, or one of them. */
export function contains(array: string): Condition {
  return { one: `? = any(${array})`, any: `(${array}) && ?::text[]` }
}

export interface List<F extends string, R> {
  /**
   * One row more than a page, in order, and how many rows match on all pages (conventions 7): what is kept of the
   * whole list, else counted up to `countedAtMost`. Newest first, later pages are those of the list that the first
   * page began, and so is their total. Oldest first, rows join at the end and the total is asked for anew.
   */
  read(
    database: Database,
    book: Book,
    filters: Readonly<Partial<Record<F, unknown>>>,
    page: PageRequest,
  ): Promise<{ rows: R[]; totalCount: number }>
}

/** Builds keyset-paged reads over (created_at, id); each combination of filters is prepared once. */
export function defineList<R extends { readonly id: string }>() {
  return <const F extends string>(declaration: ListDeclaration<F>): List<F, R> => {
    const texts = new Map<string, { count: Statement; page: Statement }>()
    const shared = createSharedReads<R[]>()

    function textsFor(given: readonly Asked<F>[], { sortOrder, after }: PageRequest) {
      const named = given.map(({ name, values }) => (values.length > 1 ? `${name}s` : name))
      const key = [...named, sortOrder, after ? 'after' : 'first'].join(' ')
      let known = texts.get(key)
      if (!known) {
        let position = 2
        const conditions = given.map(({ name, values }) => {
          const value = `$${++position}`
          return textOf(declaration.filters[name], values.length > 1).replace(/\?/g, () => value)
        })
        const scope = 'platform_id = $1 and environment = $2'
        const where = [scope, declaration.where, ...conditions].filter(Boolean).join(' and ')
        const [compare, order] =
          sortOrder === 'asc' ? ['>', 'created_at, id'] : ['<', 'created_at desc, id desc']
        const start = after
          ? `and (created_at, id) ${compare} ($${++position}::timestamptz, $${++position}::text)`
          : ''
        const limit = `limit $${++position}`
        // As a parameter: the planner takes such a limit for a small part and reads in the order of an index, where it
        // would otherwise gather all that match and sort them.
        const atMost = `limit $${given.length + 3}`
        const name = `${declaration.name} #${texts.size}`
        known = {
          count: statement(
            `${name} count`,
            `select count(*) as count from (select from ${declaration.table} where ${where}
             order by ${order} ${atMost}) counted`,
          ),
          page: statement(
            `${name} page`,
            `select ${declaration.columns} from ${declaration.table} where ${where} ${start} order by ${order} ${limit}`,
          ),
        }
        texts.set(key, known)
      }
      return known
    }

    statementFamily(() => {
      const page = { limit: 1, sortOrder: 'desc', after: null } as const
      const later = { ...page, after: { createdAt: 0, id: '', totalCount: 0 } }
      const { always = [] } = declaration
      const least = always.map((name) => ({ name, values: [null] }))
      for (const first of [page, later]) {
        textsFor(least, first)
        textsFor(least, { ...first, sortOrder: 'asc' })
      }
      // A condition for several values has a statement of its own.
      for (const name of Object.keys(declaration.filters) as F[]) {
        const others = least.filter((given) => given.name !== name)
        textsFor([...others, { name, values: [null] }], later)
        textsFor([...others, { name, values: [null, null] }], page)
      }
    })

    return {
      async read(database, book, filters, page) {
        const names = Object.keys(declaration.filters) as F[]
        const given = names
          .filter((name) => filters[name] !== undefined)
          .map((name) => ({ name, values: [filters[name]].flat() }))
        const { count, page: rowsOfPage } = textsFor(given, page)
        const parameters = given.map(({ values }) => (values.length > 1 ? values : values[0]))
        const values = [book.platformId, book.environment, ...parameters]
        const start = page.after ? [toTimestamp(page.after.createdAt), page.after.id] : []
        const carried = page.sortOrder === 'desc' ? page.after?.totalCount : undefined
        const kept = book.actor?.customerId === undefined ? keptFor(declaration, given) : undefined
        const total = () =>
          kept
            ? keptTotal(database, book, kept)
            : readCount(database, book, count, [...values, countedAtMost])
        const asked = [...values, ...start, page.limit + 1]
        const [totalCount, rows] = await Promise.all([
          carried ?? total(),
          shared(database, [viewKey(book), rowsOfPage.name, asked], () =>
            database.read<R>(book, rowsOfPage, asked),
          ),
        ])
        return { rows: [...rows], totalCount }
      },
    }
  }
}

interface Asked<F> {
  readonly name: F
  readonly values: readonly unknown[]
}

/** The total that is kept of the rows which these filters leave. */
function keptFor<F extends string>(
  { kept = [] }: ListDeclaration<F>,
  given: readonly Asked<F>[],
): KeptTotal | undefined {
  const matching = kept.find(
    ({ filters }) =>
      Object.keys(filters).length === given.length &&
      given.every(({ name, values }) => values.length === 1 && values[0] === filters[name]),
  )
  return matching?.total
}

function textOf(condition: Condition, isRepeated: boolean): string {
  if (typeof condition === 'string') return condition
  return isRepeated ? condition.any : condition.one
}

async function readCount(
  database: Database,
  book: Book,
  count: Statement,
  values: readonly unknown[],
): Promise<number> {
  const [row] = await database.read<{ count: bigint }>(book, count, values)
  return Number(row!.count)
}

/** The inclusive bounds that many lists share (conventions 7). */
export const timeConditions = {
  createdAfter: 'created_at >= ?::timestamptz',
  createdBefore: 'created_at <= ?::timestamptz',
  updatedAfter: 'updated_at >= ?::timestamptz',
  updatedBefore: 'updated_at <= ?::timestamptz',
} as const
