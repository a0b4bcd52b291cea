import { mobileMoney } from './mobile-money.ts'

/** Tanzanian shillings (accounts 4.5). */
export const tanzania = mobileMoney({
  currency: 'TZS',
  countries: ['TZ'],
  callingCode: '+255',
  providers: ['AIRTEL', 'VODACOM'],
  example: { phoneNumber: '+255712345678', provider: 'VODACOM' },
})
