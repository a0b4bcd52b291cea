/**
 * Many rows as a few parameters, one per column, for `unnest`. Per row that is half the work of a JSON
 * record set on both sides; the rows of every payment travel this way, the rest as JSON (write.ts).
 * Statements cast twice (`$1::text::bigint[]`), because PGlite wants to know that it is given text.
 */
export function textColumn<R>(
  rows: readonly R[],
  value: (row: R) => string | null,
  usual?: string | null,
): string {
  const values = rows.map(value)
  if (isUsual(values, usual)) return '{}'
  const json = JSON.stringify(values)
  // The two notations differ only in what they escape, and ids have nothing to escape.
  if (!json.includes('\\')) return `{${json.slice(1, -1)}}`
  const quoted = values.map((text) => (text === null ? 'null' : `"${text.replace(/["\\]/g, '\\$&')}"`))
  return `{${quoted.join(',')}}`
}

export function numberColumn<R>(
  rows: readonly R[],
  value: (row: R) => bigint | number | null,
  usual?: bigint | number | null,
): string {
  const values = rows.map(value)
  if (isUsual(values, usual)) return '{}'
  for (let index = 0; index < values.length; index++) values[index] ??= 'null' as never
  return `{${values.join(',')}}`
}

/** A column of nothing but the usual is left empty: unnest makes nulls of it, and the statement the usual. */
function isUsual<V>(values: readonly V[], usual: V | undefined): boolean {
  return usual !== undefined && values.every((value) => value === usual)
}

/** The SQL that makes a time of an Instant, which travels as bigint. In two parts, or far years lose microseconds. */
export function toTime(instant: string): string {
  return `to_timestamp((${instant}) / 1000) + (${instant}) % 1000 * interval '1 millisecond'`
}

/**
 * JSON texts, which are full of quotes but never hold a raw control character, so one can stand between
 * them unescaped. Read with `splitJson`; an empty text comes back as null.
 */
export function jsonColumn<R>(rows: readonly R[], value: (row: R) => string): string {
  return rows.map(value).join(separator)
}

const separator = '\u001e'

/** The SQL that takes a `jsonColumn` apart, as an argument of unnest. */
export function splitJson(parameter: string): string {
  return `string_to_array(${parameter}::text, chr(30), '')`
}
