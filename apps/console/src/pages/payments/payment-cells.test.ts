import { describe, expect, it } from 'vitest'
import { exportHead, exportOf } from './payment-cells.ts'

const usd = { code: 'USD', decimals: 2, name: 'US Dollar', symbol: '$' }
const eur = { code: 'EUR', decimals: 2, name: 'Euro', symbol: '€' }

function cellsOf(payment: object): (string | undefined)[] {
  const cells = exportOf({
    id: 'Transaction:1',
    type: 'OUTGOING',
    sentAmount: { amount: 100_000, currency: usd },
    receivedAmount: { amount: 85_570, currency: eur },
    source: {},
    destination: {},
    ...payment,
  } as never)
  return ['sentAmount', 'sentCurrency', 'receivedAmount', 'receivedCurrency'].map(
    (name) => cells[exportHead.indexOf(name)],
  )
}

describe('a payment in a file', () => {
  it('says what was received', () => {
    expect(cellsOf({ status: 'COMPLETED' })).toEqual(['1000.00', 'USD', '855.70', 'EUR'])
  })

  it.each([
    { status: 'FAILED', refund: { status: 'PENDING' } },
    { status: 'REFUNDED', refund: { status: 'COMPLETED' } },
    { status: 'COMPLETED', refund: { status: 'COMPLETED' } },
  ])('says nothing of what nobody received: %j', (payment) => {
    expect(cellsOf(payment)).toEqual(['1000.00', 'USD', undefined, undefined])
  })

  it.each(['FAILED', 'REJECTED', 'EXPIRED'])('says nothing of what was never sent: %s', (status) => {
    expect(cellsOf({ status })).toEqual([undefined, undefined, undefined, undefined])
  })
})
