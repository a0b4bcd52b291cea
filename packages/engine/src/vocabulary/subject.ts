const customerOf = /"customerId":"(Customer:[0-9A-Za-z-]{1,64})"/
const customerItself = /^\{"id":"(Customer:[0-9A-Za-z-]{1,64})"|"data":\{"id":"(Customer:[0-9A-Za-z-]{1,64})"/

/**
 * The customer whom an answer or an event tells of, by its JSON text; null where it is nobody, or the platform itself.
 * Erasure goes by it. What stands inside of strings is escaped there, so that no text of a caller is taken for it.
 */
export function subjectOf(json: string): string | null {
  const [, owner] = customerOf.exec(json) ?? []
  if (owner !== undefined) return owner
  const [, answered, told] = customerItself.exec(json) ?? []
  return answered ?? told ?? null
}
