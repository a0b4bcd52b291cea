import { mobileMoney } from './mobile-money.ts'

/** Botswana pula; local numbers have eight digits, so any international number is accepted (accounts 4.5). */
export const botswana = mobileMoney({
  currency: 'BWP',
  countries: ['BW'],
  providers: ['Orange', 'Mascom'],
  example: { phoneNumber: '+26771234567', provider: 'Orange' },
})
