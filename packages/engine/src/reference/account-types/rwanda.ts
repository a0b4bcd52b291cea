import { mobileMoney } from './mobile-money.ts'

/** Rwandan francs (accounts 4.5). */
export const rwanda = mobileMoney({
  currency: 'RWF',
  countries: ['RW'],
  callingCode: '+250',
  providers: ['MTN', 'AIRTEL'],
  example: { phoneNumber: '+250781234567', provider: 'MTN' },
})
