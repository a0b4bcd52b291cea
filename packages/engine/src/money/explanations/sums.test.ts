import { describe, expect, it } from 'vitest'
import { sumsOf } from './payment.ts'

describe('what was posted comes to nothing in each currency', () => {
  const posting = {
    kind: 'POSTED',
    currency: 'USD',
    fromCurrency: 'USD',
    toCurrency: 'USD',
    amountMinor: 5n,
  } as const

  it('unless an account of another currency took it', () => {
    expect(sumsOf([posting])).toEqual([{ name: 'USD sums to 0', holds: true }])
    expect(sumsOf([posting, { ...posting, toCurrency: 'EUR' }])).toEqual([
      { name: 'EUR sums to 0', holds: false },
      { name: 'USD sums to 0', holds: false },
    ])
  })

  it('counts nothing that is only held, or let go', () => {
    expect(
      sumsOf([
        { ...posting, kind: 'PENDING' },
        { ...posting, kind: 'VOID_PENDING' },
      ]),
    ).toEqual([])
  })
})
