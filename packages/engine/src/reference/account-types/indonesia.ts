import { bankBySwiftCode } from './bank-by-swift-code.ts'
import { phoneNumber, required } from './fields.ts'

/** Indonesian rupiah (accounts 4.5). Banks call the receiver, so a local phone number is needed. */
export const indonesia = bankBySwiftCode({
  currency: 'IDR',
  country: 'ID',
  fields: { phoneNumber: required(phoneNumber(/^\+62[0-9]{9,12}$/, '+62 and 9 to 12 digits')) },
  example: {
    bankName: 'Bank Central Asia',
    accountNumber: '1234567890',
    swiftCode: 'CENAIDJA',
    phoneNumber: '+6281234567890',
  },
})
