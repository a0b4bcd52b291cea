import { upperAscii } from '@corridor/kernel'
import { findCurrency, isStablecoin } from '../../reference/currencies/index.ts'

/** Where customers are served, and what that means for them (customers 4.4). */

const eea: ReadonlySet<string> = new Set([
  ...['AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DK', 'EE', 'FI', 'FR', 'DE', 'GR', 'HU', 'IE', 'IT', 'LV', 'LT'],
  ...['LU', 'MT', 'NL', 'PL', 'PT', 'RO', 'SK', 'SI', 'ES', 'SE', 'IS', 'LI', 'NO'],
])

/** Whether the region's law demands verified contacts and strong authentication. Not GB, not CH. */
export function isEea(region: string | null | undefined): boolean {
  return region != null && eea.has(region)
}

/**
 * The region of a customer that names none: where it lives, where its business is registered, or the one
 * country of its one currency. Nationality says nothing about it.
 */
export function inferRegion(facts: {
  readonly region?: string | undefined
  readonly addressCountry?: string | undefined
  readonly businessCountry?: string | undefined
  readonly currencies?: readonly string[] | undefined
}): string | null {
  const { region, addressCountry, businessCountry, currencies = [] } = facts
  const named = region ?? addressCountry ?? businessCountry
  if (named) return upperAscii(named)
  const [only] = new Set(currencies)
  const countries = only === undefined ? undefined : findCurrency(only)?.countries
  if (new Set(currencies).size !== 1 || countries?.length !== 1) return null
  return countries[0]!
}

/**
 * The currencies of a customer: those asked for, else the platform's that are used in its region and the
 * platform's stablecoins, else all of the platform's.
 */
export function inferCurrencies(
  asked: readonly string[] | undefined,
  region: string | null,
  supported: readonly string[],
): string[] {
  if (asked) return [...new Set(asked)]
  if (region === null) return [...supported]
  const used = supported.filter(
    (code) => isStablecoin(code) || findCurrency(code)?.countries.includes(region),
  )
  return used.length > 0 ? used : [...supported]
}
