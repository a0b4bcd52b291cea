import { describe, expect, it } from 'vitest'
import type { AccountInfo, Strictness } from './account-type.ts'
import { findAccountType } from './catalogue.ts'

type Change = Readonly<Record<string, unknown>>

/** The published example of a variant with some fields changed; `undefined` removes one. */
function altered(accountType: string, change: Change): AccountInfo {
  const type = findAccountType(accountType)!
  return type.normalize({ ...type.example, accountType, ...change })
}

function refusals(accountType: string, change: Change, strictness: Strictness) {
  const info = altered(accountType, change)
  const context = { strictness, today: '2026-11-20', now: 1_795_000_000_000 }
  const { shape, bank } = findAccountType(accountType)!.check(info, context)
  const paths = (errors: readonly { field: string }[]) =>
    errors.map(({ field }) => field.replace(/^accountInfo\.?/, ''))
  return { shape: paths(shape), bank: paths(bank) }
}

const person = { beneficiaryType: 'INDIVIDUAL', fullName: 'Amina Okafor' }
const company = { beneficiaryType: 'BUSINESS', legalName: 'Okafor Ltd' }
const none = undefined

describe('shape, demanded always', () => {
  const table: readonly [string, Change, string[]][] = [
    ['USD_ACCOUNT', { routingNumber: '12345678' }, ['routingNumber']],
    ['USD_ACCOUNT', { intermediaryRoutingNumber: '1' }, ['intermediaryRoutingNumber']],
    [
      'CAD_ACCOUNT',
      { bankCode: '01', branchCode: '1', accountNumber: '123456' },
      ['bankCode', 'branchCode', 'accountNumber'],
    ],
    ['CLABE', { clabeNumber: '12345678901234567' }, ['clabeNumber']],
    ['BRL_ACCOUNT', { pixKeyType: 'PHONE', pixKey: '+5511' }, ['pixKey']],
    ['BRL_ACCOUNT', { taxId: '123' }, ['taxId']],
    ['COP_ACCOUNT', { accountNumber: none, phoneNumber: none }, ['']],
    ['COP_ACCOUNT', { bankAccountType: none }, ['bankAccountType']],
    ['COP_ACCOUNT', { beneficiary: { ...person, documentType: 'CC' } }, ['beneficiary.documentNumber']],
    ['SLV_ACCOUNT', { bankName: none, bankAccountType: none }, ['bankName', 'bankAccountType']],
    ['EUR_ACCOUNT', { iban: 'DE89' }, ['iban']],
    ['DKK_ACCOUNT', { iban: 'DE89370400440532013000' }, ['iban']],
    ['GBP_ACCOUNT', { sortCode: '12-34-5', accountNumber: '1234567' }, ['sortCode', 'accountNumber']],
    ['AED_ACCOUNT', { iban: 'AE07', swiftCode: 'EBIL' }, ['iban', 'swiftCode']],
    ['ILS_ACCOUNT', { iban: 'IL62010800000009999999' }, ['iban']],
    ['EGP_ACCOUNT', { iban: none }, ['']],
    ['PKR_ACCOUNT', { iban: 'PK36123400000011234567' }, ['iban']],
    ['BDT_ACCOUNT', { branchCode: '123' }, ['branchCode']],
    ['GHS_ACCOUNT', { accountNumber: none }, ['']],
    ['CNY_ACCOUNT', { bankName: 'Alipay' }, ['bankName']],
    ['CNY_ACCOUNT', { beneficiary: company }, ['beneficiary.beneficiaryType']],
    ['CNY_ACCOUNT', { phoneNumber: none, accountNumber: '6222' }, ['beneficiary.beneficiaryType']],
    ['INR_ACCOUNT', { vpa: 'nobody' }, ['vpa']],
    ['INR_ACCOUNT', { accountNumber: '000111222333' }, ['ifsc', 'rail']],
    ['INR_ACCOUNT', { accountNumber: '000111222333', ifsc: 'HDFC1001234', rail: 'UPI' }, ['ifsc', 'rail']],
    ['NGN_ACCOUNT', { accountNumber: '123456789' }, ['accountNumber']],
    ['ZAR_ACCOUNT', { accountNumber: '12345678' }, ['accountNumber']],
    ['PHP_ACCOUNT', { accountNumber: '1234567' }, ['accountNumber']],
    ['IDR_ACCOUNT', { phoneNumber: '+6512345678' }, ['phoneNumber']],
    ['THB_ACCOUNT', { swiftCode: 'BKKB1HBK', bankName: ' ' }, ['bankName', 'swiftCode']],
    ['KES_ACCOUNT', { phoneNumber: '+25471234567' }, ['phoneNumber']],
    ['UGX_ACCOUNT', { phoneNumber: '+254712345678' }, ['phoneNumber']],
    ['BWP_ACCOUNT', { phoneNumber: '71234567' }, ['phoneNumber']],
    ['XOF_ACCOUNT', { region: 'TG' }, ['region']],
    ['XOF_ACCOUNT', { phoneNumber: '+233201234567' }, ['phoneNumber']],
    ['XOF_ACCOUNT', { phoneNumber: '+2217712345' }, ['phoneNumber']],
    ['SWIFT_ACCOUNT', { accountNumber: none }, ['']],
    ['SWIFT_ACCOUNT', { iban: 'DE89370400440532013000' }, ['']],
    ['SWIFT_ACCOUNT', { country: 'DE' }, ['iban']],
    ['SWIFT_ACCOUNT', { country: 'PK' }, ['iban']],
    ['BASE_WALLET', { address: '0x123' }, ['address']],
    ['SOLANA_WALLET', { address: '4Nd1' }, ['address']],
    ['TRON_WALLET', { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' }, ['address']],
    ['SPARK_WALLET', { address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq' }, ['address']],
    ['LIGHTNING', { lightningAddress: none }, ['']],
    ['LIGHTNING', { lightningAddress: '$a@b.example' }, ['lightningAddress']],
    ['LIGHTNING', { lightningAddress: none, invoice: 'lnbc1abc', bolt12: 'lno1abc' }, ['']],
    ['LIGHTNING', { lightningAddress: none, invoice: 'lnBC1abc' }, ['invoice']],
  ]
  it.each(table)('refuses %s with %j', (name, change, fields) => {
    expect(refusals(name, change, 'SHAPE')).toEqual({ shape: fields, bank: [] })
  })
})

describe('codes that only look right', () => {
  const table: readonly [string, Change, string][] = [
    ['USD_ACCOUNT', { routingNumber: '123456789' }, 'routingNumber'],
    ['MXN_ACCOUNT', { clabeNumber: '123456789012345678' }, 'clabeNumber'],
    ['EUR_ACCOUNT', { iban: 'DE35370400440532013102' }, 'iban'],
    ['EUR_ACCOUNT', { iban: 'AE070331234567890123456' }, 'iban'],
    ['MYR_ACCOUNT', { swiftCode: 'MABORUMMYYY' }, 'swiftCode'],
    ['BRL_ACCOUNT', { pixKey: '12345678901' }, 'pixKey'],
    ['BRL_ACCOUNT', { taxId: '12345678901' }, 'taxId'],
    ['SWIFT_ACCOUNT', { swiftCode: 'DEUTDEFF' }, 'swiftCode'],
    ['BASE_WALLET', { address: `0x${'z'.repeat(37)}002` }, 'address'],
    ['SOLANA_WALLET', { address: '4Nd1m6Qkq7RfKuE5vQ9qP9Tn6H94Ueqb4xXHzsAbd002' }, 'address'],
    ['SPARK_WALLET', { address: 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hj002' }, 'address'],
    ['SPARK_WALLET', { address: 'spark1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hj102' }, 'address'],
    ['TRON_WALLET', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjL002' }, 'address'],
    ['TRON_WALLET', { address: 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjL102' }, 'address'],
    ['LIGHTNING', { lightningAddress: none, invoice: 'lntb1abc' }, 'invoice'],
    ['LIGHTNING', { lightningAddress: none, invoice: 'lnbc20u1p3y102' }, 'invoice'],
    ['LIGHTNING', { lightningAddress: none, bolt12: 'lnbc1abc' }, 'bolt12'],
  ]
  it.each(table)('lets %s with %j pass as shape and refuses it in full', (name, change, field) => {
    expect(refusals(name, change, 'SHAPE')).toEqual({ shape: [], bank: [] })
    expect(refusals(name, change, 'FULL')).toEqual({ shape: [], bank: [field] })
  })

  it('refuses an expired invoice', () => {
    const invoice =
      'lnbc2500u1pvjluezpp5qqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqqqsyqcyq5rqwzqfqypqdq5xysxxatsyp3k7enxv4jsxqzpuaztrnwngzn3kdzw5hydlzf03qdgm2hdq27cqv3agm2awhz5se903vruatfhq77w3ls4evs3ch9zw97j25emudupq63nyw24cg27h2rspfj9srp'
    const change = { lightningAddress: none, invoice }
    expect(refusals('LIGHTNING', change, 'FULL')).toEqual({ shape: [], bank: ['invoice'] })
  })

  it('refuses a bank that the currency’s directory does not know', () => {
    const type = findAccountType('NGN_ACCOUNT')!
    const context = { strictness: 'FULL', today: '2026-11-20', now: 0, bankNames: ['GTBank'] } as const
    expect(type.check(type.example, context).bank).toMatchObject([{ field: 'accountInfo.bankName' }])
  })
})

describe('beneficiary and operator data, demanded in full only', () => {
  const table: readonly [string, Change, string[]][] = [
    ['USD_ACCOUNT', { accountNumber: '123' }, ['accountNumber']],
    ['USD_ACCOUNT', { beneficiary: person }, ['beneficiary.address']],
    ['GBP_ACCOUNT', { beneficiary: company }, ['beneficiary.address']],
    ['EUR_ACCOUNT', { beneficiary: company }, ['beneficiary.address', 'beneficiary.registrationNumber']],
    [
      'KES_ACCOUNT',
      { beneficiary: company },
      ['beneficiary.address', 'beneficiary.registrationNumber', 'beneficiary.taxId'],
    ],
    ['KES_ACCOUNT', { provider: 'AIRTEL' }, ['provider']],
  ]
  it.each(table)('lets %s with %j pass as shape and refuses it in full', (name, change, fields) => {
    expect(refusals(name, change, 'SHAPE')).toEqual({ shape: [], bank: [] })
    expect(refusals(name, change, 'FULL')).toEqual({ shape: fields, bank: [] })
  })
  it('asks no address of a business behind a wallet', () => {
    expect(refusals('BASE_WALLET', { beneficiary: company }, 'FULL')).toEqual({ shape: [], bank: [] })
  })
  it('does not mind the case of an operator', () => {
    expect(refusals('KES_ACCOUNT', { provider: 'm-pesa' }, 'FULL')).toEqual({ shape: [], bank: [] })
  })
})

describe('normalisation', () => {
  const table: readonly [string, Change, Change][] = [
    ['EUR_ACCOUNT', { iban: 'de89 3704 0044 0532 0130 00' }, { iban: 'DE89370400440532013000' }],
    ['GBP_ACCOUNT', { sortCode: '12-34-56' }, { sortCode: '123456' }],
    ['CLABE', { clabeNumber: '032 180 00011835971 9' }, { clabeNumber: '032180000118359719' }],
    ['BRL_ACCOUNT', { taxId: '529.982.247-25' }, { taxId: '52998224725' }],
    ['BRL_ACCOUNT', { pixKeyType: 'EMAIL', pixKey: 'Amina@Mail.Example' }, { pixKey: 'amina@mail.example' }],
    ['INR_ACCOUNT', { vpa: 'Amina@UPI', ifsc: 'hdfc0001234' }, { vpa: 'amina@upi', ifsc: 'HDFC0001234' }],
    ['SGD_ACCOUNT', { bankName: none }, { bankName: 'DBS Bank Ltd' }],
    ['SGD_ACCOUNT', { bankName: none, swiftCode: 'bkkbsgsg' }, { bankName: 'BKKBSGSG' }],
    ['XOF_ACCOUNT', { phoneNumber: '+225 0712345678', region: none }, { region: 'CI' }],
    ['LIGHTNING', { lightningAddress: 'Amina@Wallet.Example' }, { lightningAddress: 'amina@wallet.example' }],
    ['LIGHTNING', { lightningAddress: none, invoice: 'LNBC1ABC' }, { invoice: 'lnbc1abc' }],
    ['EUR_ACCOUNT', { beneficiary: person }, { beneficiary: { ...person, countryOfResidence: 'DE' } }],
    [
      'EUR_ACCOUNT',
      { beneficiary: { ...person, address: { line1: 'a', postalCode: 'b', country: 'fr' } } },
      {
        beneficiary: {
          ...person,
          countryOfResidence: 'FR',
          address: { line1: 'a', postalCode: 'b', country: 'FR' },
        },
      },
    ],
    [
      'US_ACCOUNT',
      { accountCategory: 'CHECKING' },
      { accountType: 'US_ACCOUNT', accountCategory: 'CHECKING' },
    ],
  ]
  it.each(table)('turns %s with %j into %j', (name, change, expected) => {
    expect(altered(name, change)).toMatchObject(expected)
  })
})

describe('rails, default first', () => {
  const bank = { accountNumber: '000111222333', ifsc: 'HDFC0001234', rail: 'NEFT' }
  const table: readonly [string, Change, string[]][] = [
    ['USD_ACCOUNT', {}, ['RTP', 'FEDNOW', 'ACH', 'WIRE']],
    ['EUR_ACCOUNT', {}, ['SEPA_INSTANT', 'SEPA']],
    ['INR_ACCOUNT', {}, ['UPI']],
    ['INR_ACCOUNT', { vpa: none, ...bank }, ['NEFT', 'RTGS']],
    ['INR_ACCOUNT', bank, ['UPI', 'NEFT', 'RTGS']],
    ['COP_ACCOUNT', {}, ['BANK_TRANSFER']],
    [
      'COP_ACCOUNT',
      { accountNumber: none, bankAccountType: none, phoneNumber: '+573001234567' },
      ['MOBILE_MONEY'],
    ],
    ['SGD_ACCOUNT', {}, ['FAST', 'PAYNOW', 'BANK_TRANSFER']],
    ['SWIFT_ACCOUNT', {}, ['SWIFT']],
    ['BASE_WALLET', {}, []],
  ]
  it.each(table)('of %s with %j are %j', (name, change, rails) => {
    expect(findAccountType(name)!.rails(altered(name, change))).toEqual(rails)
  })
})

describe('identity', () => {
  const key = (name: string, change: Change) =>
    findAccountType(name)!.duplicateKey(altered(name, change), 'USD')
  const primary = (name: string, change: Change) => findAccountType(name)!.primaryId(altered(name, change))

  it('prefers the identifier that says most', () => {
    expect(primary('PKR_ACCOUNT', { accountNumber: '1' })).toBe('PK36SCBL0000001123456702')
    expect(primary('PKR_ACCOUNT', { iban: none, accountNumber: '12', phoneNumber: '+923001234567' })).toBe(
      '12',
    )
    expect(primary('INR_ACCOUNT', {})).toBe('amina.okafor@upi')
  })

  it('sees one account behind an alias, spacing and letter case', () => {
    expect(key('US_ACCOUNT', {})).toBe(key('USD_ACCOUNT', {}))
    expect(key('EUR_ACCOUNT', { iban: 'de89 3704 0044 0532 0130 00' })).toBe(key('EUR_ACCOUNT', {}))
    const address = '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'
    expect(key('BASE_WALLET', { address })).toBe(key('BASE_WALLET', {}))
  })

  it('sees different accounts behind one number at different banks, branches or chains', () => {
    expect(key('USD_ACCOUNT', { routingNumber: '026009593' })).not.toBe(key('USD_ACCOUNT', {}))
    expect(key('GBP_ACCOUNT', { sortCode: '654321' })).not.toBe(key('GBP_ACCOUNT', {}))
    expect(key('CAD_ACCOUNT', { branchCode: '00013' })).not.toBe(key('CAD_ACCOUNT', {}))
    expect(key('POLYGON_WALLET', {})).not.toBe(key('BASE_WALLET', {}))
    expect(key('CNY_ACCOUNT', { bankName: 'WechatPay' })).not.toBe(key('CNY_ACCOUNT', {}))
  })

  it('counts a wallet as self-custody unless a provider is named', () => {
    const { isSelfCustody, example } = findAccountType('BASE_WALLET')!
    expect(isSelfCustody(example)).toBe(true)
    expect(isSelfCustody({ ...example, vaspName: 'Example Exchange' })).toBe(false)
    expect(findAccountType('LIGHTNING')!.isSelfCustody({ accountType: 'LIGHTNING' })).toBe(false)
  })
})

describe('the beneficiary', () => {
  const table: readonly [string, unknown, string[]][] = [
    ['a birthday that does not exist', { ...person, birthDate: '1990-02-30' }, ['beneficiary.birthDate']],
    ['a birthday today', { ...person, birthDate: '2026-11-20' }, ['beneficiary.birthDate']],
    ['a birthday yesterday', { ...person, birthDate: '2026-11-19' }, []],
    ['a leap day', { ...person, birthDate: '2000-02-29' }, []],
    ['a leap day of no leap year', { ...person, birthDate: '1900-02-29' }, ['beneficiary.birthDate']],
    ['a lower-case country', { ...person, nationality: 'ng', countryOfResidence: 'de' }, []],
    ['a country of one letter', { ...person, nationality: 'N' }, ['beneficiary.nationality']],
    ['a blank name', { ...person, fullName: '  ' }, ['beneficiary.fullName']],
    ['a business without a name', { beneficiaryType: 'BUSINESS' }, ['beneficiary.legalName']],
    [
      'a business named in businessInfo',
      { beneficiaryType: 'BUSINESS', businessInfo: { legalName: 'A' } },
      [],
    ],
  ]
  it.each(table)('is judged with %s', (_what, beneficiary, fields) => {
    expect(refusals('INR_ACCOUNT', { beneficiary }, 'SHAPE')).toEqual({ shape: fields, bank: [] })
  })

  it('reports every failure at once (accounts 16.13.3)', () => {
    const change = { vpa: none, beneficiary: { ...person, birthDate: '1990-02-30' } }
    expect(refusals('INR_ACCOUNT', change, 'SHAPE').shape).toEqual(['', 'beneficiary.birthDate'])
  })
})
