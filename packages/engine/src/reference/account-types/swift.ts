import { isSepaCountry } from '../rails/index.ts'
import { textOf } from './account-type.ts'
import { swiftCodeCountry } from './checksums.ts'
import { defineAccountType } from './define.ts'
import { examplePerson } from './example-beneficiary.ts'
import { accountNumber, bankName, country, iban, required, swiftCode, text } from './fields.ts'

/** Countries outside SEPA whose banks return a transfer that carries no IBAN (accounts 4.5). */
const IBAN_ONLY = ['BR', 'AE', 'EG', 'IL', 'PK']
const wantsIban = (code: string) =>
  isSepaCountry(code) || ibanCountryOf(code) !== code || IBAN_ONLY.includes(code)

/** Territories whose banks have IBANs, and often BICs, of another country (EPC409-09). */
const territories: Readonly<Record<string, readonly string[]>> = {
  FR: ['BL', 'GF', 'GP', 'MF', 'MQ', 'NC', 'PF', 'PM', 'RE', 'TF', 'WF', 'YT'],
  GB: ['GG', 'IM', 'JE'],
  FI: ['AX'],
}

function ibanCountryOf(code: string | undefined): string | undefined {
  return Object.keys(territories).find((country) => territories[country]!.includes(code ?? '')) ?? code
}

/**
 * Any bank reachable by SWIFT code, for places without a local rail (accounts 1.1, 4.5). Country and
 * currency are independent; US dollars are what every operator can send.
 */
export const swift = defineAccountType({
  name: 'SWIFT_ACCOUNT',
  kind: 'BANK',
  currencies: ['USD'],
  isCurrencyConfigurable: true,
  countries: [],
  isPullable: { SHAPE: false, FULL: false },
  fields: {
    country: required(country),
    swiftCode: required(swiftCode()),
    bankName: required(bankName),
    accountNumber,
    iban: iban(),
  },
  identifiers: [
    // The bank is part of an IBAN already; the same IBAN with a branch's BIC is the same account.
    { field: 'iban', rails: ['SWIFT'], uniqueWithin: ['country'] },
    { field: 'accountNumber', rails: ['SWIFT'], uniqueWithin: ['country', 'swiftCode'] },
  ],
  takesExactlyOne: true,
  refuseShape(info, refuse) {
    const code = textOf(info, 'country')
    const hasNumberOnly = textOf(info, 'accountNumber') !== undefined && info.iban === undefined
    if (code !== undefined && wantsIban(code) && hasNumberOnly) {
      refuse('iban', `is required for ${code} instead of accountNumber`)
    }
  },
  refuseBank(info, _context, refuse) {
    const code = textOf(info, 'country')
    const bic = textOf(info, 'swiftCode')
    const account = textOf(info, 'iban')
    const places = [code, ibanCountryOf(code)]
    if (bic !== undefined && !places.includes(swiftCodeCountry(bic)))
      refuse('swiftCode', `must belong to a bank in ${code}`)
    if (account !== undefined && !places.includes(account.slice(0, 2)))
      refuse('iban', `must belong to an account in ${code}`)
  },
  // The account number alone may identify the payee, and then the name must match to the letter.
  funding: {
    fields: { accountHolderName: required(text(255)), bankAddress: text(1024) },
    reference: 'OPTIONAL',
  },
  example: {
    country: 'NG',
    swiftCode: 'FBNINGLA',
    bankName: 'First Bank of Nigeria',
    accountNumber: '1234567890',
    beneficiary: examplePerson,
  },
})
