import { bankBySwiftCode } from './bank-by-swift-code.ts'

/** Vietnamese dong (accounts 4.5). */
export const vietnam = bankBySwiftCode({
  currency: 'VND',
  country: 'VN',
  example: { bankName: 'Vietcombank', accountNumber: '1234567890', swiftCode: 'BFTVVNVX' },
})
