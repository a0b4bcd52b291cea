import { bankBySwiftCode } from './bank-by-swift-code.ts'

/** Malaysian ringgit (accounts 4.5). */
export const malaysia = bankBySwiftCode({
  currency: 'MYR',
  country: 'MY',
  example: { bankName: 'Maybank', accountNumber: '1234567890', swiftCode: 'MBBEMYKL' },
})
