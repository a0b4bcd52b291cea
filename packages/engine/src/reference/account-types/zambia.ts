import { mobileMoney } from './mobile-money.ts'

/** Zambian kwacha (accounts 4.5). */
export const zambia = mobileMoney({
  currency: 'ZMW',
  countries: ['ZM'],
  callingCode: '+260',
  providers: ['TNM', 'AIRTEL', 'ZAMTEL', 'MTN'],
  example: { phoneNumber: '+260971234567', provider: 'MTN' },
})
