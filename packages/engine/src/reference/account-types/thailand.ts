import { bankBySwiftCode } from './bank-by-swift-code.ts'

/** Thai baht (accounts 4.5). */
export const thailand = bankBySwiftCode({
  currency: 'THB',
  country: 'TH',
  example: { bankName: 'Bangkok Bank', accountNumber: '1234567890', swiftCode: 'BKKBTHBK' },
})
