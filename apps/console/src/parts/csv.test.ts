import { describe, expect, it } from 'vitest'
import { csvOf, decimalOf } from './csv.ts'

describe('a file for spreadsheets', () => {
  it('writes amounts as exact decimals, of any number of decimals', () => {
    const of = (amount: number | bigint, decimals: number) =>
      decimalOf({ amount, currency: { code: 'XXX', decimals } })
    expect(of(49_750, 2)).toBe('497.50')
    expect(of(5, 2)).toBe('0.05')
    expect(of(-5, 2)).toBe('-0.05')
    expect(of(1_000, 0)).toBe('1000')
    expect(of(1, 8)).toBe('0.00000001')
    expect(of(9_007_199_254_740_993n, 2)).toBe('90071992547409.93')
  })

  it('quotes what would end a cell or a line', () => {
    expect(csvOf(['a', 'b'], [['x,y', 'say "no"\nplease']])).toBe(
      '\uFEFFa,b\r\n"x,y","say ""no""\nplease"\r\n',
    )
    expect(csvOf(['a', 'b'], [[undefined, 'x']])).toBe('\uFEFFa,b\r\n,x\r\n')
  })

  it.each(['=1+1', '+1', '@SUM(A1)', '-2+3', '\t=1', ' =1', '\r=1'])('lets no spreadsheet run %j', (text) => {
    expect(csvOf(['a'], [[text]])).toBe(`\uFEFFa\r\n"'${text}"\r\n`)
  })

  it('leaves an amount below zero a number', () => {
    expect(csvOf(['a'], [['-12.50']])).toBe('\uFEFFa\r\n-12.50\r\n')
  })
})
