import { effort } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { countries } from '../../people/customers/countries.ts'
import { hasPostalCodes, lacksPostalCode } from './index.ts'

const blank = fc.constantFrom(undefined, null, '', ' ', '\u00a0', '\t \n')
const spelled = fc
  .constantFrom(...countries)
  .chain((country) =>
    fc.constantFrom(country, country.toLowerCase(), ` ${country} `).map((text) => ({ country, text })),
  )

it('a blank postal code is missing only in countries that have postal codes, however they are written', () => {
  fc.assert(
    fc.property(spelled, blank, fc.string({ minLength: 1 }), ({ country, text }, postalCode, code) => {
      expect(lacksPostalCode({ country: text, postalCode })).toBe(hasPostalCodes(country))
      expect(lacksPostalCode({ country: text, postalCode: `1${code}` })).toBe(false)
    }),
    { numRuns: effort(500, 20_000) },
  )
})

it.each(['AE', 'HK', 'JM', 'AO', 'QA', 'UG', 'ZW', 'PA'])('%s has none', (country) => {
  expect(hasPostalCodes(country)).toBe(false)
})

it.each(['DE', 'US', 'GB', 'BR', 'IN', 'NG', 'KE', 'ZA', 'CN', 'IE'])('%s has some', (country) => {
  expect(hasPostalCodes(country)).toBe(true)
})
