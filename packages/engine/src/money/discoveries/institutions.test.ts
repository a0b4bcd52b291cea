import { describe, expect, it } from 'vitest'
import { accountTypes, textOf } from '../../reference/account-types/index.ts'
import { bankNamesOf, institutions } from './institutions.ts'

describe('institutions', () => {
  it('lists at least those that every installation starts with', () => {
    const names = (country: string) =>
      institutions.filter((one) => one.country === country).map((one) => one.bankName)
    expect(names('PH').sort()).toEqual(['BDO Unibank', 'BPI', 'GCash', 'Maya', 'Metrobank'])
    expect(names('CN').sort()).toEqual(['AliPay', 'Industrial and Commercial Bank of China', 'WechatPay'])
    for (const country of ['ID', 'MY', 'TH', 'VN', 'HK', 'SG', 'IN']) expect(names(country)).toHaveLength(3)
  })

  it('names each institution of a country and currency once', () => {
    const keys = institutions.map(({ bankName, country, currency }) => `${country} ${currency} ${bankName}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  it('knows the bank of every published example that has a directory', () => {
    for (const type of accountTypes) {
      const known = type.currencies.map(bankNamesOf).find((names) => names !== undefined)
      const bankName = textOf(type.example, 'bankName')
      if (known && bankName !== undefined) expect(known, type.name).toContain(bankName)
    }
  })

  it('compares no bank in dollars with the directory of El Salvador', () => {
    expect(bankNamesOf('USD')).toBeUndefined()
    expect(bankNamesOf('EUR')).toBeUndefined()
  })
})
