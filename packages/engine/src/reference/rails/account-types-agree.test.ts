import { describe, expect, it } from 'vitest'
import { accountTypes } from '../account-types/index.ts'
import { findCurrency } from '../currencies/index.ts'
import { isSepaCountry, networkOf, type Rail, railOf, rails } from './index.ts'

/** The tables of account types and of rails are written apart; here they must say the same. */
describe('account types and rails', () => {
  it('agree about currencies and countries', () => {
    for (const type of accountTypes) {
      for (const id of type.rails(type.example)) {
        const rail: Rail = railOf(id)
        for (const currency of type.currencies) {
          const carries = rail.currencies.includes(currency) || rail.mayCarryAnyFiat === true
          expect(carries, `${type.name}: ${id} carries ${currency}`).toBe(true)
        }
        for (const country of type.countries) {
          const reaches = rail.countries === 'ANY' || rail.countries.includes(country)
          expect(reaches, `${type.name}: ${id} reaches ${country}`).toBe(true)
        }
      }
    }
  })

  it('agree about the assets of a network', () => {
    for (const type of accountTypes) {
      if (!type.network) continue
      const { assets } = networkOf(type.network)
      for (const currency of type.currencies) {
        expect(assets, `${type.name}: ${type.network} carries ${currency}`).toContain(currency)
      }
    }
  })

  it('leave no rail without a way to it, but those that the API only names', () => {
    // Every identifier of every type at once opens every rail that the type has.
    const reached = new Set(
      accountTypes.flatMap((type) => {
        const fields = Object.keys((type.schemas.create as { properties?: object }).properties ?? {})
        const info = { ...Object.fromEntries(fields.map((name) => [name, '1'])), accountType: type.name }
        const lightning = type.kind === 'LIGHTNING' ? ['LIGHTNING'] : []
        return [...type.rails(info), ...(type.network ? [type.network] : []), ...lightning]
      }),
    )
    const unreached = rails.map(({ id }) => id).filter((id) => !reached.has(id))
    // Local schemes without an account type of their own, deposits on the chain, and payments by address.
    const named = ['ACH_COLOMBIA', 'BRE_B', 'CIPS', 'INSTAPAY', 'PESONET', 'UNIONPAY', 'BITCOIN', 'UMA']
    expect(unreached.sort()).toEqual(named.sort())
  })

  it('know every currency and country that a rail names', () => {
    const names = new Intl.DisplayNames('en', { type: 'region', fallback: 'none' })
    for (const { id } of rails) {
      const rail: Rail = railOf(id)
      for (const code of rail.currencies) expect(findCurrency(code), `${id}: ${code}`).toBeDefined()
      for (const code of rail.countries === 'ANY' ? [] : rail.countries) {
        expect(names.of(code), `${id}: ${code}`).toBeDefined()
        // Euro reach accounts of every SEPA country, whatever its own currency is.
        const takesEuro = rail.currencies.includes('EUR') && isSepaCountry(code)
        const served = rail.currencies.some((currency) => {
          const { countries = [], isFundingOnly = false } = findCurrency(currency) ?? {}
          return countries.includes(code) || isFundingOnly
        })
        expect(served || takesEuro, `${id}: a currency of ${code}`).toBe(true)
      }
      expect(new Set(rail.currencies).size).toBe(rail.currencies.length)
    }
  })
})
