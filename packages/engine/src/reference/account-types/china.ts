import { textOf } from './account-type.ts'
import { beneficiaryOf } from './beneficiary.ts'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankName, phoneNumber, required } from './fields.ts'

/** The wallets, spelt exactly like this. */
const WALLETS = ['AliPay', 'WechatPay']

/**
 * Chinese yuan (accounts 4.5): individuals are paid into a wallet found by phone number; bank accounts
 * are open to payments between businesses only.
 */
export const china = defineAccountType({
  name: 'CNY_ACCOUNT',
  kind: 'BANK_OR_MOBILE_MONEY',
  currencies: ['CNY'],
  countries: ['CN'],
  fields: { accountNumber, bankName: required(bankName), phoneNumber: phoneNumber() },
  identifiers: [
    { field: 'phoneNumber', rails: ['MOBILE_MONEY'], uniqueWithin: ['bankName'] },
    { field: 'accountNumber', rails: ['BANK_TRANSFER'] },
  ],
  // A bank account and a wallet have different owners and bank names, so nobody can mean both.
  takesExactlyOne: true,
  refuseShape(info, refuse) {
    const type = beneficiaryOf(info)?.beneficiaryType
    const wallet = textOf(info, 'bankName')
    if (textOf(info, 'accountNumber') !== undefined) {
      if (type === 'INDIVIDUAL') {
        refuse('beneficiary.beneficiaryType', 'must be BUSINESS for a bank account', { enum: ['BUSINESS'] })
      }
    } else if (textOf(info, 'phoneNumber') !== undefined) {
      if (wallet !== undefined && !WALLETS.includes(wallet)) {
        refuse('bankName', `must be one of ${WALLETS.join(', ')} with phoneNumber`, { enum: WALLETS })
      }
      if (type === 'BUSINESS') {
        refuse('beneficiary.beneficiaryType', 'must be INDIVIDUAL for a wallet', { enum: ['INDIVIDUAL'] })
      }
    }
  },
  example: { bankName: 'AliPay', phoneNumber: '+8613812345678', beneficiary: examplePerson },
})
