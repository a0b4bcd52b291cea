import { mobileMoney } from './mobile-money.ts'

/** Malawian kwacha (accounts 4.5). */
export const malawi = mobileMoney({
  currency: 'MWK',
  countries: ['MW'],
  callingCode: '+265',
  providers: ['AIRTEL', 'TNM'],
  example: { phoneNumber: '+265991234567', provider: 'AIRTEL' },
})
