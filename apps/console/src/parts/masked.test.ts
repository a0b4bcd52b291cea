import { describe, expect, it } from 'vitest'
import { lastFour, masked } from './masked.ts'

describe('numbers of people and companies', () => {
  const owner = {
    personalInfo: { firstName: 'Ada', idType: 'SSN', identifier: '078-05-1120' },
    businessInfo: { taxId: '12-3456789' },
    documents: [{ documentNumber: 'X "7" 1234567' }],
  }

  it.each([undefined, 2])('have their last four characters in JSON, indented by %s', (indent) => {
    expect(JSON.parse(masked(JSON.stringify(owner, undefined, indent)))).toEqual({
      personalInfo: { firstName: 'Ada', idType: 'SSN', identifier: '••••1120' },
      businessInfo: { taxId: '••••6789' },
      documents: [{ documentNumber: '••••4567' }],
    })
  })

  it('leave what is called otherwise as it is', () => {
    const text = JSON.stringify({
      providerTokenIdentifier: 'ACME-TOKEN',
      accountIdentifier: 'ends in 1234',
      note: 'taxId',
    })
    expect(masked(text)).toBe(text)
  })

  it('show nothing of what is short', () => {
    expect(lastFour('1234567')).toBe('••••')
    expect(lastFour('12345678')).toBe('••••5678')
  })
})
