import { describe, expect, it } from 'vitest'
import { filledIn, grouped, nameOf, rateOf } from './words.ts'

describe('words of an explanation', () => {
  it('groups digits before the point alone', () => {
    expect(['5 X', '999.00 USD', '1000.00 USD', '1234567.12345678 BTC'].map(grouped)).toEqual([
      '5 X',
      '999.00 USD',
      '1,000.00 USD',
      '1,234,567.12345678 BTC',
    ])
  })

  it('keeps a name to one short line', () => {
    expect(nameOf(' Ada\u202e\n  Lovelace\u0000 ')).toBe('Ada Lovelace')
    expect(nameOf('\u200b ')).toBeUndefined()
    expect([...nameOf('😀'.repeat(300))!]).toHaveLength(48)
  })

  it('tells a rate between units as people name them, and that it is about so much where it is', () => {
    const between = (sendingCurrency: string, receivingCurrency: string) => ({
      sendingCurrency,
      receivingCurrency,
    })
    expect(rateOf('43/50', between('USD', 'EUR'))).toBe('0.86 EUR for one USD')
    expect(rateOf('1/3', between('USD', 'EUR'))).toBe('about 0.3333333333 EUR for one USD')
    // Cents to satoshi: 1,052.63… of them for one cent, at 95,000 dollars.
    expect(rateOf('20000/19', between('USD', 'BTC'))).toBe('about 0.0010526315 BTC for one USD')
    expect(rateOf('95/1000', between('BTC', 'USD'))).toBe('95,000 USD for one BTC')
  })

  it('leaves out of a formula what is nothing', () => {
    const inputs = { a: '100', b: '0', c: '5', rate: '1/2', none: '0' }
    const filled = (formula: string) => filledIn({ formula, inputs })
    expect(filled('a − b − c')).toBe('100 − 5')
    expect(filled('b + c + none ÷ rate')).toBe('5')
    expect(filled('(a − b − c) × rate')).toBe('(100 − 5) × 1/2')
    expect(filled('b + none')).toBe('0')
    expect(filled('b − c')).toBe('− 5')
  })
})
