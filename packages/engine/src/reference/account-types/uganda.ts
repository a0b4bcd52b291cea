import { mobileMoney } from './mobile-money.ts'

/** Ugandan shillings (accounts 4.5). */
export const uganda = mobileMoney({
  currency: 'UGX',
  countries: ['UG'],
  callingCode: '+256',
  providers: ['MTN', 'AIRTEL'],
  example: { phoneNumber: '+256772123456', provider: 'MTN' },
})
