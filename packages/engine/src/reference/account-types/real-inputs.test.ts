import { effort } from '@corridor/testkit/effort.ts'
import fc from 'fast-check'
import { composeIBAN, countrySpecs } from 'ibantools'
import { describe, expect, it } from 'vitest'
import { isSepaCountry, sepaCountries } from '../rails/index.ts'
import type { AccountInfo } from './account-type.ts'
import { accountTypes, findAccountType } from './catalogue.ts'

/** Identifiers as people paste and type them, and their variants. */

function checked(accountType: string, change: Readonly<Record<string, unknown>>) {
  const type = findAccountType(accountType)!
  const info: AccountInfo = type.normalize({ ...type.example, accountType, ...change })
  const context = { strictness: 'FULL', today: '2026-11-20', now: 0 } as const
  const { shape, bank } = type.check(info, context)
  return { info, errors: [...shape, ...bank] }
}

/** An account number of the country's form with right check digits. */
const ibanOf = (country: string) =>
  fc
    .stringMatching(new RegExp(countrySpecs[country]!.bban_regexp!))
    .map((bban) => composeIBAN({ countryCode: country, bban: bban.toUpperCase() }))
    .filter((iban) => iban !== null)

const countriesWithIbans = Object.keys(countrySpecs).filter((code) => countrySpecs[code]!.bban_regexp)

/** Characters that people do not see or that word processors put in place of a space or a hyphen. */
const noise = fc.constantFrom(
  ...['', ' ', '-', '\u00a0', '\u202f', '\u2011', '\u2013', '\u00ad', '\u200b', '\u200e', '\u202a', '\u2060'],
  '\ufeff',
)
const noisy = (text: string) =>
  fc
    .array(noise, { minLength: text.length + 1, maxLength: text.length + 1 })
    .map((between) => [...text].map((letter, index) => between[index] + letter).join('') + between.at(-1))

describe('IBANs', () => {
  it.each([
    'RS35260005601001611379',
    'ME25505000012345678951',
    'MD24AG000225100013104168',
    'MK07250120000058984',
    'AL47212110090000000235698741',
    'GI75NWBK000000007099453',
  ])('of the SEPA countries of today, like %s, are accepted', (iban) => {
    expect(checked('EUR_ACCOUNT', { iban }).errors).toEqual([])
  })

  it('of SEPA countries are accepted and those of other countries refused', () => {
    expect(sepaCountries.filter((country) => !countriesWithIbans.includes(country))).toEqual([])
    const generated = fc.constantFrom(...countriesWithIbans).chain(ibanOf)
    fc.assert(
      fc.property(generated, (iban) => {
        const messages = checked('EUR_ACCOUNT', { iban }).errors.map(({ message }) => message)
        // National checks inside an IBAN are the bank's: those here have random digits.
        const isOutside = !isSepaCountry(iban.slice(0, 2))
        expect(messages, iban).toEqual(isOutside ? ['is from a country outside SEPA'] : [])
      }),
      { numRuns: effort(300, 20_000) },
    )
  })

  it('pasted with invisible characters, other spaces and dashes are stored without them', () => {
    fc.assert(
      fc.property(noisy('DE89370400440532013000'), (iban) => {
        const { info, errors } = checked('EUR_ACCOUNT', { iban })
        expect({ iban: info.iban, errors }).toEqual({ iban: 'DE89370400440532013000', errors: [] })
      }),
      { numRuns: effort(100, 5000) },
    )
  })

  it.each([
    'ﬁ2112345600000785',
    'GB77ßBK60161331926819',
    'ﬁ21 1234 5600 0007 85',
    'de８９370400440532013000',
  ])('with letters that only become ASCII in capitals are refused: %s', (iban) => {
    expect(checked('EUR_ACCOUNT', { iban }).errors).toMatchObject([{ field: 'accountInfo.iban' }])
  })
})

/** What Unicode makes ASCII letters of in one case or the other. */
const disguised = ['ﬀ', 'ﬁ', 'ﬂ', 'ﬃ', 'ﬅ', 'ß', 'ı', 'ſ', 'ŉ', 'ǰ', '\u212a', 'İ']

/** Free text, in which every character is right. */
const texts = ['bankName', 'platformAccountId', 'provider', 'vaspName', 'accountNumber', 'accountType']

describe('every identifier of every account type', () => {
  const codes = accountTypes.flatMap((type) =>
    Object.entries(type.example)
      .filter(([name, value]) => typeof value === 'string' && !texts.includes(name))
      .map(([name, value]) => ({ type: type.name, name, value: value as string })),
  )

  it('refuses a character that only looks like a letter of its alphabet, or keeps it', () => {
    expect(codes.length).toBeGreaterThan(50)
    const place = fc.nat({ max: 40 })
    fc.assert(
      fc.property(
        fc.constantFrom(...codes),
        fc.constantFrom(...disguised),
        place,
        ({ type, name, value }, letter, at) => {
          const index = at % (value.length + 1)
          const sent = value.slice(0, index) + letter + value.slice(index + 1)
          const { info, errors } = checked(type, { [name]: sent })
          const isKept = typeof info[name] === 'string' && info[name].includes(letter)
          expect(errors.length > 0 || isKept, `${type}.${name} ${sent} became ${info[name]}`).toBe(true)
        },
      ),
      { numRuns: effort(1000, 50_000) },
    )
  })
})

describe('BICs', () => {
  const bic = (swiftCode: string) => checked('EUR_ACCOUNT', { swiftCode })

  it.each(['E097AEXXXXX', 'DEUTDEFF', 'deutdeff500', '0000DEA1', 'TREZUS33XXX'])('accepts %s', (code) => {
    expect(bic(code)).toMatchObject({ errors: [], info: { swiftCode: code.toUpperCase() } })
  })

  it.each([
    ['DEUTDEF', 'must be a BIC of 8 or 11 characters'],
    ['DEUTDEFF5', 'must be a BIC of 8 or 11 characters'],
    ['DEUT0EFF', 'in places 5 and 6'],
    ['DEUTD1FFXXX', 'in places 5 and 6'],
    ['DEUTDEF!', 'in places 5 and 6'],
  ])('refuses %s: %s', (code, message) => {
    expect(bic(code).errors).toMatchObject([{ message: expect.stringContaining(message) }])
  })

  it('accepts all of the form of ISO 9362', () => {
    const codes = fc.stringMatching(/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}([A-Z0-9]{3})?$/)
    fc.assert(
      fc.property(codes, (code) => {
        expect(bic(code).errors, code).toEqual([])
      }),
    )
  })
})

describe('Brazilian company numbers', () => {
  const withCheckDigits = (base: string) => {
    const digit = (text: string) => {
      const weights = Array.from(text, (_, index) => ((text.length - 1 - index) % 8) + 2)
      const sum = weights.reduce((total, weight, index) => total + weight * (text.charCodeAt(index) - 48), 0)
      return sum % 11 < 2 ? '0' : String(11 - (sum % 11))
    }
    const first = base + digit(base)
    return first + digit(first)
  }
  const asKey = (number: string) => checked('BRL_ACCOUNT', { pixKeyType: 'CNPJ', pixKey: number })
  const asTaxId = (taxId: string) => checked('BRL_ACCOUNT', { taxId })

  it.each(['12ABC34501DE35', '12.ABC.345/01DE-35', '12.abc.345/01de-35', '11.222.333/0001-81'])(
    'are accepted as %s',
    (number) => {
      const stored = number.replace(/[./-]/g, '').toUpperCase()
      expect(asKey(number)).toMatchObject({ errors: [], info: { pixKey: stored } })
      expect(asTaxId(number)).toMatchObject({ errors: [], info: { taxId: stored } })
    },
  )

  it('have check digits', () => {
    for (const number of ['12ABC34501DE36', '12ABC34501DE45', '11222333000182']) {
      expect(asKey(number).errors).toMatchObject([
        { field: 'accountInfo.pixKey', message: 'has wrong check digits' },
      ])
      expect(asTaxId(number).errors).toMatchObject([{ message: 'has wrong check digits' }])
    }
  })

  it('are accepted with the right check digits and with no others', () => {
    const bases = fc.stringMatching(/^[0-9A-Z]{12}$/).filter((base) => /[A-Z]/.test(base))
    fc.assert(
      fc.property(bases, fc.integer({ min: 1, max: 99 }), (base, off) => {
        const right = withCheckDigits(base)
        expect([asKey(right).errors, asTaxId(right).errors]).toEqual([[], []])
        const digits = String((Number(right.slice(12)) + off) % 100).padStart(2, '0')
        expect(asKey(base + digits).errors).toHaveLength(1)
      }),
    )
  })
})

describe('Lightning', () => {
  const invoice =
    'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'
  const offer =
    'lno1pqps7sjqpgtyzm3qv4uxzmtsd3jjqer9wd3hy6tsw35k7msjzfpy7nz5yqcnygrfdej82um5wf5k2uckyypwa3eyt'
  const lightning = (change: object) => checked('LIGHTNING', { lightningAddress: undefined, ...change })

  it.each([
    `lightning:${invoice}`,
    `LIGHTNING:${invoice.toUpperCase()}`,
    ` lightning://${invoice}`,
    `lightning:${invoice}\u200b`,
  ])('reads an invoice copied as %s', (copied) => {
    // Before it expires: the time of the check is 1970.
    expect(lightning({ invoice: copied })).toMatchObject({ errors: [], info: { invoice } })
  })

  it('joins an offer wherever it was split', () => {
    const cuts = fc.uniqueArray(fc.integer({ min: 1, max: offer.length - 1 }), { maxLength: 5 })
    const joint = fc.constantFrom('+', '+\n', '+ ', '+\r\n  ')
    fc.assert(
      fc.property(cuts, joint, fc.boolean(), (places, between, isUpper) => {
        const text = isUpper ? offer.toUpperCase() : offer
        const split = [...text]
          .map((letter, at) => (places.includes(at) ? between + letter : letter))
          .join('')
        expect(lightning({ bolt12: split })).toMatchObject({ errors: [], info: { bolt12: offer } })
      }),
    )
  })

  it('takes the scheme from an address', () => {
    const { info, errors } = lightning({ lightningAddress: 'lightning:Amina@Wallet.example' })
    expect({ info, errors }).toMatchObject({ errors: [], info: { lightningAddress: 'amina@wallet.example' } })
  })
})

describe('other inputs that people reported to projects like this one', () => {
  const table: readonly (readonly [string, object, object])[] = [
    ['KES_ACCOUNT', { phoneNumber: '+254 (0)712 345 678' }, { phoneNumber: '+254712345678' }],
    ['KES_ACCOUNT', { phoneNumber: '00254712345678' }, { phoneNumber: '+254712345678' }],
    ['KES_ACCOUNT', { phoneNumber: '+254110123456' }, { phoneNumber: '+254110123456' }],
    ['XOF_ACCOUNT', { phoneNumber: '+2250708091011', region: 'CI' }, {}],
    ['XOF_ACCOUNT', { phoneNumber: '+2290197123456', region: 'BJ' }, {}],
    ['PKR_ACCOUNT', { phoneNumber: '+92 326.123.4567' }, { phoneNumber: '+923261234567' }],
    ['BRL_ACCOUNT', { pixKeyType: 'PHONE', pixKey: '+55 (11) 91234-5678' }, { pixKey: '+5511912345678' }],
    ['EUR_ACCOUNT', { iban: 'IBAN: DE89 3704 0044 0532 0130 00' }, { iban: 'DE89370400440532013000' }],
    ['EUR_ACCOUNT', { iban: 'iban de89370400440532013000' }, { iban: 'DE89370400440532013000' }],
    ['EUR_ACCOUNT', { iban: 'ES4901825500610201630983' }, {}],
    ['EUR_ACCOUNT', { iban: 'Sk2683300000002700890226' }, { iban: 'SK2683300000002700890226' }],
    ['EUR_ACCOUNT', { iban: 'AD1200012030200359100100' }, {}],
    ['SWIFT_ACCOUNT', { country: 'JE', swiftCode: 'MIDLJESH', iban: 'GB29NWBK60161331926819' }, {}],
    ['SWIFT_ACCOUNT', { country: 'RE', swiftCode: 'BNPAREX1', iban: 'FR7630006000011234567890189' }, {}],
    ['SWIFT_ACCOUNT', { country: 'GP', swiftCode: 'AGRIFRPP', iban: 'FR7630006000011234567890189' }, {}],
    [
      'BASE_WALLET',
      { address: 'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
      { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
    ],
    [
      'BASE_WALLET',
      { address: '0X5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED' },
      { address: '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED' },
    ],
  ]

  it.each(table)('%s takes %j', (type, change, stored) => {
    const alone = type === 'SWIFT_ACCOUNT' ? { accountNumber: undefined } : {}
    expect(checked(type, { ...alone, ...change })).toMatchObject({ errors: [], info: stored })
  })

  it.each([
    ['EUR_ACCOUNT', { iban: 'DE2710077777äöüäü###########0209299700' }, 'iban'],
    ['EUR_ACCOUNT', { iban: 'FI@ +425*000*151=0 == #000$ 0° 23€€€!!!!!' }, 'iban'],
    ['EUR_ACCOUNT', { iban: 'FR7630006000011234567890189@' }, 'iban'],
    ['EUR_ACCOUNT', { iban: 'FR7630006000011234567890189😅' }, 'iban'],
    ['EUR_ACCOUNT', { iban: 'GB00HLFX11016111455365' }, 'iban'],
    ['EUR_ACCOUNT', { iban: 'GB01BARC20714583608387' }, 'iban'],
    ['EUR_ACCOUNT', { iban: 'XK051212012345678906' }, 'iban'],
    ['KES_ACCOUNT', { phoneNumber: '+254 712 345 678 ext 1' }, 'phoneNumber'],
    ['BASE_WALLET', { address: 'ethereum:0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed?value=1' }, 'address'],
    [
      'SWIFT_ACCOUNT',
      { country: 'JE', accountNumber: undefined, iban: 'FR7630006000011234567890189' },
      'iban',
    ],
  ])('%s refuses %j', (type, change, field) => {
    const fields = checked(type, change).errors.map((error) => error.field)
    expect(fields).toContain(`accountInfo.${field}`)
  })

  it('reads a phone number in every way of writing it', () => {
    const start = fc.constantFrom('+254', '00254', '+254 (0)', '00 254 (0) ', '+254-')
    const between = fc.constantFrom('', ' ', '-', '.', '/', ') ', ' (', '\u00a0', '\u2011')
    fc.assert(
      fc.property(start, fc.array(between, { minLength: 9, maxLength: 9 }), (prefix, joints) => {
        const phoneNumber = prefix + [...'712345678'].map((digit, index) => digit + joints[index]).join('')
        expect(checked('KES_ACCOUNT', { phoneNumber })).toMatchObject({
          errors: [],
          info: { phoneNumber: '+254712345678' },
        })
      }),
    )
  })
})
