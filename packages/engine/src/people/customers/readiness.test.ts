import { describe, expect, it, test } from 'vitest'
import { type MoneyGates, moneyGates } from '../../platform/platforms/index.ts'
import { assertCustomerReady } from './readiness.ts'

const consent = {
  acceptedAt: '2025-10-01T10:00:00Z',
  ipAddress: '198.51.100.24',
  termsVersion: 'V1',
  acceptanceMethod: 'CHECKBOX',
} as const
const customer = {
  id: 'Customer:1',
  customerType: 'INDIVIDUAL',
  status: 'UNVERIFIED',
  consent: null,
  deletedAt: null,
} as const
const open: MoneyGates = { customerGate: 'REJECTED_ONLY', requiresTermsConsent: false }
const strict: MoneyGates = { customerGate: 'STRICT', requiresTermsConsent: false }

describe('a customer', () => {
  test.each([
    [open, 'UNVERIFIED', true],
    [open, 'PENDING', true],
    [open, 'APPROVED', true],
    [open, 'REJECTED', false],
    [strict, 'UNVERIFIED', false],
    [strict, 'PENDING', false],
    [strict, 'APPROVED', true],
    [strict, 'REJECTED', false],
  ] as const)('behind %j with status %s is ready: %s', (gates, status, isReady) => {
    const refusal = assertCustomerReady({ ...customer, status }, gates)
    const expected = { code: 'USER_NOT_READY', details: { customerId: 'Customer:1', kycStatus: status } }
    expect(refusal).toEqual(isReady ? undefined : expected)
  })

  it('that is a business is refused by its own status', () => {
    const refusal = assertCustomerReady({ ...customer, customerType: 'BUSINESS' }, strict)
    expect(refusal?.details).toEqual({ customerId: 'Customer:1', kybStatus: 'UNVERIFIED' })
  })

  it('is refused first for being deleted, then for the terms, then for its status', () => {
    const gates = { customerGate: 'STRICT', requiresTermsConsent: true } as const
    const codes = [{ ...customer, deletedAt: 1 }, customer, { ...customer, consent }].map(
      (one) => assertCustomerReady(one, gates)?.code,
    )
    expect(codes).toEqual(['CUSTOMER_DELETED', 'END_USER_TERMS_NOT_ACCEPTED', 'USER_NOT_READY'])
    expect(assertCustomerReady({ ...customer, consent, status: 'APPROVED' }, gates)).toBeUndefined()
  })
})

describe('the gates', () => {
  const rules = { customerGate: 'STRICT', termsGate: 'CUSTOMERS_OF_UNREGULATED' } as const

  it('ask for the terms on platforms that are not regulated', () => {
    expect(moneyGates(rules, {}, { isRegulated: false })).toEqual({
      customerGate: 'STRICT',
      requiresTermsConsent: true,
    })
    expect(moneyGates(rules, {}, { isRegulated: true }).requiresTermsConsent).toBe(false)
    const nobody = { ...rules, termsGate: 'NOBODY' } as const
    expect(moneyGates(nobody, {}, { isRegulated: false }).requiresTermsConsent).toBe(false)
  })

  it('are what the operator set', () => {
    const settings = { customerGate: 'REJECTED_ONLY', requiresTermsConsent: false } as const
    expect(moneyGates(rules, settings, { isRegulated: false })).toEqual(settings)
  })
})
