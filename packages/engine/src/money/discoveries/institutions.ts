import type { Institution } from './contract.ts'

/**
 * Banks and wallets that accounts can name (accounts 6.2), by country and currency. A name with a second
 * text is shown to people under that one.
 */
const directory: readonly (readonly [
  country: string,
  currency: string,
  names: readonly (string | readonly [bankName: string, displayName: string])[],
])[] = [
  ['BD', 'BDT', ['BRAC Bank', 'bKash', 'Nagad']],
  ['CN', 'CNY', ['AliPay', ['WechatPay', 'WeChat Pay'], 'Industrial and Commercial Bank of China']],
  ['CO', 'COP', ['Bancolombia', 'Davivienda', 'Nequi', 'Daviplata']],
  ['EG', 'EGP', ['National Bank of Egypt', 'Vodafone Cash']],
  ['GH', 'GHS', ['GCB Bank', 'MTN Mobile Money']],
  ['GT', 'GTQ', ['Banco GYT Continental', 'Banco Industrial']],
  ['HK', 'HKD', ['HSBC', 'Bank of China (Hong Kong)', 'Hang Seng Bank']],
  ['ID', 'IDR', [['Bank Central Asia', 'BCA'], 'Bank Mandiri', ['Bank Rakyat Indonesia', 'BRI']]],
  ['IN', 'INR', ['State Bank of India', 'HDFC Bank', 'ICICI Bank']],
  ['JM', 'JMD', ['Bank of Nova Scotia', ['NCB', 'National Commercial Bank Jamaica']]],
  ['MY', 'MYR', ['Maybank', 'CIMB Bank', 'Public Bank']],
  ['NG', 'NGN', ['First Bank of Nigeria', 'Guaranty Trust Bank', 'Zenith Bank', 'Access Bank', 'Kuda']],
  ['PH', 'PHP', ['BDO Unibank', ['BPI', 'Bank of the Philippine Islands'], 'Metrobank', 'GCash', 'Maya']],
  [
    'PK',
    'PKR',
    [['HBL', 'Habib Bank'], ['UBL', 'United Bank'], 'JazzCash', 'Easypaisa', 'Standard Chartered'],
  ],
  ['SG', 'SGD', ['DBS Bank Ltd', 'Oversea-Chinese Banking Corporation', 'United Overseas Bank']],
  [
    'SV',
    'USD',
    [
      ['Banco Cuscatlan', 'Banco Cuscatlán'],
      ['Banco Agricola', 'Banco Agrícola'],
    ],
  ],
  ['TH', 'THB', ['Bangkok Bank', 'Kasikornbank', 'Siam Commercial Bank']],
  ['VN', 'VND', ['Vietcombank', 'BIDV', 'Techcombank']],
  ['ZA', 'ZAR', ['Standard Bank', ['FNB', 'First National Bank'], 'Absa', 'Nedbank', 'Capitec']],
]

/** By country and then by the name that people see. */
export const institutions: readonly Institution[] = directory
  .flatMap(([country, currency, names]) =>
    names.map((name): Institution => {
      const [bankName, displayName] = typeof name === 'string' ? [name, name] : name
      return { bankName, displayName, country, currency }
    }),
  )
  .sort((a, b) => compare(a.country, b.country) || compare(a.displayName, b.displayName))

/** Code points, not a language's collation: the order must be the same on every machine. */
function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

const namesByCurrency = new Map<string, string[]>()
for (const { currency, bankName } of institutions) {
  namesByCurrency.set(currency, [...(namesByCurrency.get(currency) ?? []), bankName])
}

/** Currencies of more than one country: a directory of one of them must not refuse the banks of the other. */
const incompleteDirectories = new Set(['USD'])

/**
 * The bank names that payouts in a currency know, or undefined where there is no directory to compare
 * with (accounts 4.5).
 */
export function bankNamesOf(currency: string): readonly string[] | undefined {
  return incompleteDirectories.has(currency) ? undefined : namesByCurrency.get(currency)
}
