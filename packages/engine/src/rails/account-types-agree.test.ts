import { describe, expect, it } from 'vitest'
import { accountTypes } from '../account-types/index.ts'
import { networkOf, type Rail, railOf } from './index.ts'

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
})
