import { describe, expect, it } from 'vitest'
import type { Payment } from '../payments/payments-page.tsx'
import { storyOf } from './story.ts'

const usd = { code: 'USD', decimals: 2 }
const payment = (more: object) =>
  ({
    type: 'OUTGOING',
    status: 'COMPLETED',
    source: { sourceType: 'ACCOUNT' },
    sentAmount: { amount: 10_000, currency: usd },
    ...more,
  }) as unknown as Payment

describe('the story of a payment', () => {
  it('says of an amount that nobody knows that it was received', () => {
    const { text } = storyOf(payment({ type: 'INCOMING', sentAmount: undefined }))
    expect(text).toBe('Completed. An amount not yet known was received.')
  })

  it('says how much came back where it came out of an account, and nothing exact of other money', () => {
    const failed = { status: 'FAILED', refund: { status: 'COMPLETED' } }
    expect(storyOf(payment(failed)).text).toBe('Failed. 100.00 USD came back.')
    const paidIn = { ...failed, source: { sourceType: 'REALTIME_FUNDING' } }
    expect(storyOf(payment(paidIn)).text).toBe('Failed. The money came back.')
  })
})
