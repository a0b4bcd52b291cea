import { choice, required } from './fields.ts'
import { mobileMoney } from './mobile-money.ts'

/** Central African francs (accounts 4.5). The region says in which country of the currency union. */
export const centralAfrica = mobileMoney({
  currency: 'XAF',
  countries: ['CM', 'CG'],
  providers: ['MTN', 'ORANGE', 'AIRTEL'],
  fields: { region: required(choice(['CM', 'CG'])) },
  example: { phoneNumber: '+237671234567', provider: 'MTN', region: 'CM' },
})
