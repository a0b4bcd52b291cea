import { describe, expect, it } from 'vitest'
import { acceptsCurrency, accountTypeNames, accountTypes, findAccountType } from './catalogue.ts'

const context = { today: '2026-11-20', now: 1_795_000_000_000 }

describe.each(accountTypes.map((type) => [type.name, type] as const))('%s', (_name, type) => {
  const info = type.normalize(type.example)

  it('accepts its published example under both strictness levels', () => {
    for (const strictness of ['SHAPE', 'FULL'] as const) {
      expect(type.check(info, { ...context, strictness })).toEqual({ shape: [], bank: [] })
    }
  })
  it('normalises what is already normal to itself', () => {
    expect(type.normalize(info)).toEqual(info)
  })
  it('drops what it does not know', () => {
    expect(type.normalize({ ...type.example, paymentRails: ['ACH'], colour: 'red' })).toEqual(info)
  })
  it('names its primary id and can be reached', () => {
    expect(Object.values(info)).toContain(type.primaryId(info))
    const isRailed = type.kind !== 'WALLET' && type.kind !== 'LIGHTNING'
    expect(type.rails(info).length > 0).toBe(isRailed)
  })
  it('ignores the beneficiary and the platform’s own id when it looks for duplicates', () => {
    const other = { ...info, beneficiary: { fullName: 'Else' }, platformAccountId: 'p-1' }
    const [currency] = type.currencies
    expect(type.duplicateKey(other, currency!)).toBe(type.duplicateKey(info, currency!))
  })
  it('survives input that its schema refused', () => {
    const broken = Object.fromEntries(Object.keys(type.example).map((field) => [field, 7]))
    const sent = type.normalize({ ...broken, accountType: type.name })
    expect(() => type.check(sent, { ...context, strictness: 'FULL' })).not.toThrow()
  })
})

describe('the catalogue', () => {
  it('has every name that accounts may be created with, once (accounts 4)', () => {
    const bank = `AED BDT BRL BWP CAD CNY COP DKK EGP EUR GBP GHS GTQ HKD HTG IDR ILS INR JMD KES MWK MXN MYR NGN
      PHP PKR RWF SGD SLV SWIFT THB TZS UGX USD VND XAF XOF ZAR ZMW`
    const wallets = 'BASE ETHEREUM PLASMA POLYGON SOLANA SPARK TRON'
    const expected = [
      ...bank.split(/\s+/).map((name) => `${name}_ACCOUNT`),
      ...wallets.split(' ').map((name) => `${name}_WALLET`),
      'LIGHTNING',
    ]
    expect(accountTypes.map(({ name }) => name).sort()).toEqual(expected.sort())
  })

  it('has every name once and resolves aliases', () => {
    expect(new Set(accountTypeNames).size).toBe(accountTypeNames.length)
    expect(findAccountType('CLABE')?.name).toBe('MXN_ACCOUNT')
    expect(findAccountType('US_ACCOUNT')?.name).toBe('USD_ACCOUNT')
    expect(findAccountType('LIGHTNING_ACCOUNT')?.name).toBe('LIGHTNING')
    expect(findAccountType('NOPE')).toBeUndefined()
  })

  it('pulls real money from US bank accounts only', () => {
    const names = (strictness: 'SHAPE' | 'FULL') =>
      accountTypes.filter(({ isPullable }) => isPullable[strictness]).map(({ name }) => name)
    expect(names('FULL')).toEqual(['USD_ACCOUNT'])
    for (const never of ['SWIFT_ACCOUNT', 'KES_ACCOUNT', 'HTG_ACCOUNT', 'BASE_WALLET', 'LIGHTNING']) {
      expect(names('SHAPE')).not.toContain(never)
    }
    expect(names('SHAPE')).toContain('COP_ACCOUNT')
  })

  it('takes the currencies of a type, and for SWIFT those an operator enabled', () => {
    const [euro, swift] = ['EUR_ACCOUNT', 'SWIFT_ACCOUNT'].map((name) => findAccountType(name)!)
    expect(acceptsCurrency(euro!, 'EUR')).toBe(true)
    expect(acceptsCurrency(euro!, 'USD', ['USD'])).toBe(false)
    expect(acceptsCurrency(swift!, 'NGN')).toBe(false)
    expect(acceptsCurrency(swift!, 'NGN', ['NGN'])).toBe(true)
  })
})
