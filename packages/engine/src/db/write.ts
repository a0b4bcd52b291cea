import type { Book } from '../http/scope.ts'
import type { Row } from './decision.ts'
import { type Connection, type Statement, statement } from './driver.ts'

/**
 * Set-based statements built from rows. One text per table and column set, so the server prepares each
 * once; the rows travel as one JSON parameter, whatever their number.
 */
const texts = new Map<string, Statement>()

function cached(name: string, build: () => string): Statement {
  let known = texts.get(name)
  if (!known) {
    known = statement(name, build())
    texts.set(name, known)
  }
  return known
}

/** JSON for json_populate_recordset; int8 as text, because JSON numbers end at 2^53. */
function toRecordset(rows: readonly Row[]): string {
  return JSON.stringify(rows.map(withTextForBigints))
}

/** Only the columns: a replacer would be called for every value inside every jsonb, at many times the cost. */
function withTextForBigints(row: Row): Row {
  let converted: Record<string, unknown> | undefined
  for (const column in row) {
    const value = row[column]
    if (typeof value !== 'bigint') continue
    converted ??= { ...row }
    converted[column] = value.toString()
  }
  return converted ?? row
}

/**
 * Inserts rows of one table, grouped by the columns they name. Like the others here it only hands its
 * statements over: the transaction waits for them.
 */
export function insertRows(
  connection: Connection,
  table: string,
  rows: readonly Row[],
  { ifAbsent = false } = {},
): void {
  for (const [columns, group] of groupByColumns(rows)) {
    const insert = cached(`insert ${table} ${ifAbsent ? 'absent ' : ''}${columns}`, () => {
      return (
        `insert into ${table} (${columns}) ` +
        `select ${columns} from json_populate_recordset(null::${table}, $1)` +
        (ifAbsent ? ' on conflict do nothing' : '')
      )
    })
    void connection.query(shortName(insert), [toRecordset(group)])
  }
}

/**
 * Sets columns of rows of one book that the transaction has locked. MERGE, because its plan goes from the rows
 * that are given to those of the table, where an update that joins may be turned round.
 */
export function updateRows(connection: Connection, book: Book, table: string, rows: readonly Row[]): void {
  for (const [columns, group] of groupByColumns(rows)) {
    const update = cached(`update ${table} ${columns}`, () => {
      const set = columns.split(', ').filter((column) => !keyColumns.has(column))
      return (
        `merge into ${table} t using json_populate_recordset(null::${table}, $3) v ` +
        'on t.platform_id = $1 and t.environment = $2 and t.id = v.id ' +
        `when matched then update set ${set.map((column) => `${column} = v.${column}`).join(', ')}`
      )
    })
    void connection.query(shortName(update), [book.platformId, book.environment, toRecordset(group)])
  }
}

/** Deletes the rows that have these values; every row names its book. */
export function deleteRows(connection: Connection, table: string, rows: readonly Row[]): void {
  for (const [columns, group] of groupByColumns(rows)) {
    const remove = cached(`delete ${table} ${columns}`, () => {
      const matches = columns.split(', ').map((column) => `t.${column} = v.${column}`)
      return (
        `delete from ${table} t using json_populate_recordset(null::${table}, $1) v ` +
        `where ${matches.join(' and ')}`
      )
    })
    void connection.query(shortName(remove), [toRecordset(group)])
  }
}

const keyColumns = new Set(['id'])

function groupByColumns(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const columns = Object.keys(row)
      .filter((column) => row[column] !== undefined)
      .sort()
      .join(', ')
    const group = groups.get(columns)
    if (group) group.push(row)
    else groups.set(columns, [row])
  }
  return groups
}

/** PostgreSQL cuts statement names at 63 bytes, and two cut names would collide. */
const shortNames = new Map<string, Statement>()
function shortName(long: Statement): Statement {
  let short = shortNames.get(long.name)
  if (!short) {
    short = { name: `${long.name.slice(0, 40)} #${shortNames.size}`, text: long.text }
    shortNames.set(long.name, short)
  }
  return short
}
