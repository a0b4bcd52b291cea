import { isSepaCountry, sepaCountries } from '../rails/index.ts'
import { type AccountInfo, textOf } from './account-type.ts'
import { beneficiaryOf } from './beneficiary.ts'
import { defineAccountType } from './define.ts'
import { exampleAddress, examplePerson } from './example-beneficiary.ts'
import { iban, required, swiftCode } from './fields.ts'

/**
 * Euro to any country of the SEPA scheme (accounts 1.1, 4.5). The scheme wants the beneficiary's country
 * of residence, which is concluded from the address or the IBAN when it is not given.
 */
export const euroArea = defineAccountType({
  name: 'EUR_ACCOUNT',
  kind: 'BANK',
  currencies: ['EUR'],
  countries: sepaCountries,
  fields: {
    iban: required(
      iban(undefined, [
        { accepts: (text) => isSepaCountry(text.slice(0, 2)), message: 'is from a country outside SEPA' },
      ]),
    ),
    swiftCode: swiftCode(),
  },
  identifiers: [{ field: 'iban', rails: ['SEPA_INSTANT', 'SEPA'] }],
  beneficiary: { individualInFull: ['address'], businessInFull: ['registrationNumber'] },
  derive: withCountryOfResidence,
  example: {
    iban: 'DE89370400440532013000',
    beneficiary: { ...examplePerson, countryOfResidence: 'DE', address: exampleAddress },
  },
})

function withCountryOfResidence(info: AccountInfo): AccountInfo {
  const beneficiary = beneficiaryOf(info)
  if (beneficiary?.beneficiaryType !== 'INDIVIDUAL' || beneficiary.countryOfResidence !== undefined)
    return info
  const { address } = beneficiary
  const ofAddress = typeof address === 'object' && address !== null ? textOf(address, 'country') : undefined
  const countryOfResidence = ofAddress ?? /^[A-Z]{2}/.exec(textOf(info, 'iban') ?? '')?.[0]
  return countryOfResidence === undefined
    ? info
    : { ...info, beneficiary: { ...beneficiary, countryOfResidence } }
}
