/**
 * Many rows as a few parameters, one per column, for `unnest`. Per row that is half the work of a JSON
 * record set on both sides; the rows of every payment travel this way, the rest as JSON (write.ts).
 * Statements cast twice (`$1::text::bigint[]`), because PGlite wants to know that it is given text.
 */
export function textColumn<R>(rows: readonly R[], value: (row: R) => string | null): string {
  const values = rows.map(value)
  const json = JSON.stringify(values)
  // The two notations differ only in what they escape, and ids have nothing to escape.
  if (!json.includes('\\')) return `{${json.slice(1, -1)}}`
  const quoted = values.map((text) => (text === null ? 'null' : `"${text.replace(/["\\]/g, '\\$&')}"`))
  return `{${quoted.join(',')}}`
}

export function numberColumn<R>(rows: readonly R[], value: (row: R) => bigint | number | null): string {
  return `{${rows.map((row) => value(row) ?? 'null').join(',')}}`
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
