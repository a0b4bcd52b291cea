/** A named statement: the server prepares it once per connection. One name, one text. */
export interface Statement {
  readonly name: string
  readonly text: string
}

/** Names a statement after the store function that owns it, e.g. `quotes.load`. */
export function statement(name: string, text: string): Statement {
  return { name, text }
}
