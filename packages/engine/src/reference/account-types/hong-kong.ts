import { bankBySwiftCode } from './bank-by-swift-code.ts'

/** Hong Kong dollars (accounts 4.5). */
export const hongKong = bankBySwiftCode({
  currency: 'HKD',
  country: 'HK',
  example: { bankName: 'HSBC', accountNumber: '123456789012', swiftCode: 'HSBCHKHHHKH' },
})
