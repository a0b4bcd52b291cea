import { textOf } from './account-type.ts'
import { choice } from './fields.ts'
import { mobileMoney } from './mobile-money.ts'

/** The numbering plans of the currency union. Benin moved from eight to ten digits in 2024. */
const PLANS = [
  { region: 'BJ', callingCode: '+229', form: /^\+229([0-9]{8,10})$/ },
  { region: 'CI', callingCode: '+225', form: /^\+225[0-9]{10}$/ },
  { region: 'SN', callingCode: '+221', form: /^\+221[0-9]{9}$/ },
  { region: 'TG', callingCode: '+228', form: /^\+228[0-9]{8}$/ },
]
const REGIONS = PLANS.map(({ region }) => region)

const planOf = (number: string | undefined) =>
  PLANS.find(({ callingCode }) => number?.startsWith(callingCode))

/** West African francs (accounts 4.5). The region follows from the number and must not contradict it. */
export const westAfrica = mobileMoney({
  currency: 'XOF',
  countries: REGIONS,
  providers: ['ORANGE', 'MTN', 'WAVE', 'FREE', 'MOOV'],
  fields: {
    region: choice(
      REGIONS,
      'Region of the account. By default, Corridor derives the region from the phone number.',
    ),
  },
  rules: {
    derive(info) {
      const plan = planOf(textOf(info, 'phoneNumber'))
      return plan && info.region === undefined ? { ...info, region: plan.region } : info
    },
    refuseShape(info, refuse) {
      const number = textOf(info, 'phoneNumber')
      if (number === undefined) return
      const plan = planOf(number)
      if (!plan?.form.test(number)) {
        const codes = PLANS.map(({ callingCode }) => callingCode).join(', ')
        refuse('phoneNumber', `must be a phone number in ${REGIONS.join(', ')} that starts with ${codes}`)
      } else if (info.region !== plan.region) {
        refuse('region', `must be ${plan.region} for this phone number`, { enum: [plan.region] })
      }
    },
  },
  example: { phoneNumber: '+221771234567', provider: 'ORANGE', region: 'SN' },
})
