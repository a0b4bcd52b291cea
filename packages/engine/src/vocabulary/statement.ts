/** A named statement: the server prepares it once per connection. One name, one text. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** By name and text: what is made again for every engine is one entry. */
const statements = new Map<string, Statement>()

/** Names a statement after the store function that owns it, e.g. `quotes.load`. */
export function statement(name: string, text: string): Statement {
  const key = `${name}\n${text}`
  let known = statements.get(key)
  if (!known) {
    known = { name, text }
    statements.set(key, known)
  }
  return known
}

/** Every statement that was made so far: those of modules with their import, those that depend on rows with their first use. */
export function registeredStatements(): readonly Statement[] {
  return [...statements.values()]
}
