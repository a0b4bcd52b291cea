import { upperAscii } from '@corridor/kernel'

/**
 * Countries and territories whose addresses have no postal codes, or where hardly anybody uses them. Source: Universal Postal
 * Union, "Postal addressing systems", by country; checked on 2026-11-27. A country that is missing here only asks for
 * a code too often, so the list may be generous.
 */
const withoutPostalCodes: ReadonlySet<string> = new Set([
  ...['AE', 'AG', 'AN', 'AO', 'AW', 'BF', 'BI', 'BJ', 'BO', 'BQ', 'BS', 'BW', 'BZ', 'CD', 'CF', 'CG', 'CI'],
  ...['CK', 'CM', 'CW', 'DJ', 'DM', 'ER', 'FJ', 'GA', 'GD', 'GH', 'GM', 'GQ', 'GY', 'HK', 'JM', 'KI', 'KM'],
  ...['KN', 'KP', 'LC', 'ML', 'MO', 'MR', 'MW', 'NR', 'NU', 'PA', 'QA', 'RW', 'SB', 'SC', 'SL', 'SO', 'SR'],
  ...['SS', 'ST', 'SX', 'SY', 'TD', 'TG', 'TK', 'TL', 'TO', 'TV', 'UG', 'VU', 'YE', 'ZW'],
])

export function hasPostalCodes(country: unknown): boolean {
  return typeof country !== 'string' || !withoutPostalCodes.has(upperAscii(country.trim()))
}

/** Whether an address lacks the postal code that its country has. Values of another type are refused by their schema. */
export function lacksPostalCode({ postalCode, country }: Readonly<Record<string, unknown>>): boolean {
  const isBlank = typeof postalCode === 'string' ? postalCode.trim() === '' : postalCode == null
  return isBlank && hasPostalCodes(country)
}
