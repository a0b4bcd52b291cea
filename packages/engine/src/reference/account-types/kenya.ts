import { mobileMoney } from './mobile-money.ts'

/** Kenyan shillings (accounts 4.5). */
export const kenya = mobileMoney({
  currency: 'KES',
  countries: ['KE'],
  callingCode: '+254',
  providers: ['M-PESA'],
  example: { phoneNumber: '+254712345678', provider: 'M-PESA' },
})
