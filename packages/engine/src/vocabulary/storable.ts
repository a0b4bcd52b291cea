/** Text from outside, in the form that the database takes: PostgreSQL stores no NUL and no half of a surrogate pair. */

/** The same value with U+FFFD for each character that cannot be stored, in all texts and keys of plain objects and lists. */
export function storable<T>(value: T): T {
  if (typeof value === 'string') return storableText(value) as T
  if (Array.isArray(value)) return value.map(storable) as T
  if (!isPlain(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [storableText(key), storable(member)]),
  ) as T
}

/** Parses JSON of a third party. Throws SyntaxError, as JSON.parse does. */
export function parseOutsideJson(text: string): unknown {
  const value: unknown = JSON.parse(text)
  // Only an escape can stand for such a character.
  return text.includes('\\u') || text.includes('\0') ? storable(value) : value
}

const storableText = (text: string) => text.replace(/[\0\p{Cs}]/gu, '\ufffd')

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
