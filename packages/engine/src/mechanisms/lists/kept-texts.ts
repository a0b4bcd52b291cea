/**
 * Entries of pages that are shown again and again as they are: each keeps its JSON, as long as it is kept itself. What
 * writes it is the schema of an operation, so each of those keeps its own.
 */
const texts = new WeakMap<object, Map<Write, string>>()

type Write = (entry: object) => string

/** Lets an entry keep its text. It is never changed from here on. */
export function keepText<E extends object>(entry: E): E {
  if (!texts.has(entry)) texts.set(entry, new Map())
  return entry
}

/** The text of an entry, which is written once where the entry keeps it. */
export function textOf(entry: object, write: Write): string {
  const kept = texts.get(entry)
  const known = kept?.get(write)
  if (known !== undefined) return known
  const text = write(entry)
  kept?.set(write, text)
  return text
}
