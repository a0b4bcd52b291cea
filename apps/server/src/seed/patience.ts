import type { Config } from '../config.ts'

/**
 * How patient the database is asked. A server that has no time for a second is not away with a seed: what was under way then
 * would be done a request later than where it had, and a seed promises the same each time, and not when.
 */
export function patienceOf({ seed }: Pick<Config, 'seed'>): number {
  return seed === undefined ? 1 : 20
}
