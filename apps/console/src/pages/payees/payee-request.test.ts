import { expect, it } from 'vitest'
import { payeeOwners, payeeTypes } from '../../generated/payees.ts'
import { payeeRequest } from './payee-request.ts'

it('puts each field where its path says, and leaves out what is empty', () => {
  const given = [
    ['currency', 'EUR'],
    ['accountInfo.iban', ' DE89370400440532013003 '],
    ['accountInfo.bankName', ' '],
    ['accountInfo.beneficiary.fullName', 'Greta Lindholm'],
    ['accountInfo.beneficiary.address.country', 'SE'],
  ] as const
  const chosen = { currency: 'EUR', accountType: 'EUR_ACCOUNT', owner: 'INDIVIDUAL' }
  expect(payeeRequest(chosen, given)).toEqual({
    currency: 'EUR',
    accountInfo: {
      accountType: 'EUR_ACCOUNT',
      iban: 'DE89370400440532013003',
      beneficiary: {
        beneficiaryType: 'INDIVIDUAL',
        fullName: 'Greta Lindholm',
        address: { country: 'SE' },
      },
    },
  })
  expect(payeeRequest({ currency: 'BTC', accountType: 'LIGHTNING' }, [])).toEqual({
    currency: 'BTC',
    accountInfo: { accountType: 'LIGHTNING' },
  })
})

it('has a form for every type of account: something to fill in, and whoever it names', () => {
  expect(Object.keys(payeeTypes).length).toBeGreaterThanOrEqual(47)
  for (const [name, { currencies, fields, individual, business }] of Object.entries(payeeTypes)) {
    expect(currencies.length, name).toBeGreaterThan(0)
    expect(fields.length, name).toBeGreaterThan(0)
    for (const owner of [individual, business]) if (owner) expect(payeeOwners[owner], name).toBeDefined()
  }
})
