import type { Row } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'
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

/**
 * JSON for json_populate_recordset; int8 as text, because JSON numbers end at 2^53. Column by column: a replacer
 * would be called for every value inside every jsonb, and a copy of each row costs more than its text.
 */
function toRecordset(rows: readonly Row[]): string {
  return `[${rows.map(toRecord).join(',')}]`
}

function toRecord(row: Row): string {
  let text = '{'
  for (const column in row) {
    const value = row[column]
    if (value === undefined) continue
    if (text.length > 1) text += ','
    text += `"${column}":${typeof value === 'bigint' ? `"${value}"` : JSON.stringify(value)}`
  }
  return `${text}}`
}

/**
 * Inserts rows of one table, grouped by the columns they name. Like the others here it only hands its
 * statements over: the transaction waits for them.
 */
export function insertRows(
  connection: Connection,
  book: Book,
  table: string,
  rows: readonly Row[],
  { ifAbsent = false } = {},
): void {
  for (const [columns, group] of groupByColumns(rows)) {
    const insert = cached(`insert ${table} ${ifAbsent ? 'absent ' : ''}${columns}`, () => {
      return (
        `insert into ${table} (platform_id, environment, ${columns}) ` +
        `select $1, $2, ${columns} from json_populate_recordset(null::${table}, $3)` +
        (ifAbsent ? ' on conflict do nothing' : '')
      )
    })
    void connection.query(shortName(insert), [book.platformId, book.environment, toRecordset(group)])
  }
}

/**
 * Sets columns of rows of one book that the transaction has locked. MERGE, because its plan goes from the rows
 * that are given to those of the table, where an update that joins may be turned round. `isVersionAdded`: their versions are what is added to them.
 */
export function updateRows(
  connection: Connection,
  book: Book,
  table: string,
  rows: readonly Row[],
  { isVersionAdded = false } = {},
): void {
  for (const [columns, group] of groupByColumns(rows)) {
    const update = cached(`update ${table} ${isVersionAdded ? 'raised ' : ''}${columns}`, () => {
      const set = columns.split(', ').filter((column) => !keyColumns.has(column))
      const value = (column: string) =>
        isVersionAdded && column === 'version' ? 't.version + v.version' : `v.${column}`
      return (
        `merge into ${table} t using json_populate_recordset(null::${table}, $3) v ` +
        'on t.platform_id = $1 and t.environment = $2 and t.id = v.id ' +
        `when matched then update set ${set.map((column) => `${column} = ${value(column)}`).join(', ')}`
      )
    })
    void connection.query(shortName(update), [book.platformId, book.environment, toRecordset(group)])
  }
}

/** Deletes the rows of the book that have these values. */
export function deleteRows(connection: Connection, book: Book, table: string, rows: readonly Row[]): void {
  for (const [columns, group] of groupByColumns(rows)) {
    const remove = cached(`delete ${table} ${columns}`, () => {
      const matches = columns.split(', ').map((column) => `t.${column} = v.${column}`)
      return (
        `delete from ${table} t using json_populate_recordset(null::${table}, $3) v ` +
        `where t.platform_id = $1 and t.environment = $2 and ${matches.join(' and ')}`
      )
    })
    void connection.query(shortName(remove), [book.platformId, book.environment, toRecordset(group)])
  }
}

const keyColumns = new Set(['id'])

function groupByColumns(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>()
  for (const row of rows) {
    const columns = columnsOf(row)
    const group = groups.get(columns)
    if (group) group.push(row)
    else groups.set(columns, [row])
  }
  return groups
}

/** The names of the columns that a row has, in one order whatever its own is. */
function columnsOf(row: Row): string {
  let names = ''
  for (const column in row) if (row[column] !== undefined) names += `${column} `
  let columns = sorted.get(names)
  if (columns === undefined) {
    columns = names.trimEnd().split(' ').sort().join(', ')
    sorted.set(names, columns)
  }
  return columns
}

/** By the names in the order of the row. The code decides them, so they are few. */
const sorted = new Map<string, string>()

/** PostgreSQL cuts statement names at 63 bytes, and two cut names would collide. */
const shortNames = new Map<string, Statement>()
function shortName(long: Statement): Statement {
  let short = shortNames.get(long.name)
  if (!short) {
    short = statement(`${long.name.slice(0, 40)} #${shortNames.size}`, long.text)
    shortNames.set(long.name, short)
  }
  return short
}
