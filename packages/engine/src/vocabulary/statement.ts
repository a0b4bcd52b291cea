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

/** What makes statements when they are first used, one for each way to be asked. */
const families: (() => void)[] = []

/** Names what makes every kind of statement that a module makes on demand, so that they are on record as well. */
export function statementFamily(makeAll: () => void): void {
  families.push(makeAll)
}

/** Every statement of the modules that are imported, those of families included. */
export function registeredStatements(): readonly Statement[] {
  for (const makeAll of families) makeAll()
  return [...statements.values()]
}
