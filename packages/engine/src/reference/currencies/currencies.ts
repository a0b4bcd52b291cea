import { type RailId, sepaCountries } from '../rails/index.ts'

export type CurrencyKind = 'FIAT' | 'BITCOIN' | 'STABLECOIN'

/** A currency the service knows (accounts 1.1). */
export interface CurrencyRecord {
  readonly code: CurrencyCode
  readonly name: string
  readonly symbol: string
  /** Digits after the point: ISO 4217 for fiat, the protocol's for crypto. */
  readonly decimals: number
  readonly kind: CurrencyKind
  /** Major units per 1 USD as a decimal or a fraction. Indicative, dated 2026-11: the offline default. */
  readonly perUsd: string
  /** The rail of a payout whose account is not known yet (accounts 6.1). All that carry it: `currencies` of the rails. */
  readonly usualRail: RailId
  /** Rails on which a realtime-funded quote may be paid in; empty when it may not (accounts 7.1). */
  readonly instantInboundRails: readonly RailId[]
  /** ISO 3166 alpha-2; empty for crypto, which is global. */
  readonly countries: readonly string[]
  /** Money comes in but is never paid out: there is no external account type. */
  readonly isFundingOnly: boolean
}

type Row<Rails> = readonly [
  code: string,
  name: string,
  symbol: string,
  decimals: number,
  perUsd: string,
  rails: Rails,
  countries: readonly string[],
]

/** Customers of the SEPA countries hold euro, except where the table has a currency of their own. */
const euroCountries = sepaCountries.filter((country) => country !== 'DK' && country !== 'GB')

/** Each with the rail that it usually goes by. */
const fiatRows = [
  ['USD', 'United States Dollar', '$', 2, '1', 'RTP', ['US', 'SV']],
  ['EUR', 'Euro', '€', 2, '0.86', 'SEPA_INSTANT', euroCountries],
  ['DKK', 'Danish Krone', 'kr', 2, '6.42', 'SEPA_INSTANT', ['DK']],
  ['GBP', 'Pound Sterling', '£', 2, '0.755', 'FASTER_PAYMENTS', ['GB']],
  ['CAD', 'Canadian Dollar', 'C$', 2, '1.39', 'BANK_TRANSFER', ['CA']],
  ['MXN', 'Mexican Peso', '$', 2, '18.20', 'SPEI', ['MX']],
  ['BRL', 'Brazilian Real', 'R$', 2, '5.35', 'PIX', ['BR']],
  ['COP', 'Colombian Peso', '$', 2, '3850', 'BANK_TRANSFER', ['CO']],
  ['GTQ', 'Guatemalan Quetzal', 'Q', 2, '7.66', 'BANK_TRANSFER', ['GT']],
  ['HTG', 'Haitian Gourde', 'G', 2, '131', 'MOBILE_MONEY', ['HT']],
  ['JMD', 'Jamaican Dollar', 'J$', 2, '160.5', 'BANK_TRANSFER', ['JM']],
  ['ARS', 'Argentine Peso', '$', 2, '1450', 'BANK_TRANSFER', ['AR']],
  ['INR', 'Indian Rupee', '₹', 2, '89', 'UPI', ['IN']],
  ['PKR', 'Pakistani Rupee', '₨', 2, '281', 'BANK_TRANSFER', ['PK']],
  ['BDT', 'Bangladeshi Taka', '৳', 2, '122', 'BANK_TRANSFER', ['BD']],
  ['PHP', 'Philippine Peso', '₱', 2, '58.50', 'BANK_TRANSFER', ['PH']],
  ['IDR', 'Indonesian Rupiah', 'Rp', 2, '16650', 'BANK_TRANSFER', ['ID']],
  ['MYR', 'Malaysian Ringgit', 'RM', 2, '4.15', 'BANK_TRANSFER', ['MY']],
  ['SGD', 'Singapore Dollar', 'S$', 2, '1.295', 'FAST', ['SG']],
  ['THB', 'Thai Baht', '฿', 2, '32.40', 'BANK_TRANSFER', ['TH']],
  ['VND', 'Vietnamese Dong', '₫', 0, '26300', 'BANK_TRANSFER', ['VN']],
  ['HKD', 'Hong Kong Dollar', 'HK$', 2, '7.78', 'BANK_TRANSFER', ['HK']],
  ['CNY', 'Chinese Yuan', '¥', 2, '7.10', 'MOBILE_MONEY', ['CN']],
  ['AED', 'UAE Dirham', 'د.إ', 2, '3.6725', 'BANK_TRANSFER', ['AE']],
  ['ILS', 'Israeli New Shekel', '₪', 2, '3.28', 'BANK_TRANSFER', ['IL']],
  ['EGP', 'Egyptian Pound', 'E£', 2, '47.5', 'BANK_TRANSFER', ['EG']],
  ['NGN', 'Nigerian Naira', '₦', 2, '1450', 'BANK_TRANSFER', ['NG']],
  ['GHS', 'Ghanaian Cedi', 'GH₵', 2, '11.2', 'BANK_TRANSFER', ['GH']],
  ['KES', 'Kenyan Shilling', 'KSh', 2, '129.2', 'MOBILE_MONEY', ['KE']],
  ['TZS', 'Tanzanian Shilling', 'TSh', 2, '2460', 'MOBILE_MONEY', ['TZ']],
  ['UGX', 'Ugandan Shilling', 'USh', 0, '3580', 'MOBILE_MONEY', ['UG']],
  ['RWF', 'Rwandan Franc', 'FRw', 0, '1455', 'MOBILE_MONEY', ['RW']],
  ['ZMW', 'Zambian Kwacha', 'ZK', 2, '22.6', 'MOBILE_MONEY', ['ZM']],
  ['MWK', 'Malawian Kwacha', 'MK', 2, '1735', 'MOBILE_MONEY', ['MW']],
  ['BWP', 'Botswana Pula', 'P', 2, '13.4', 'MOBILE_MONEY', ['BW']],
  ['ZAR', 'South African Rand', 'R', 2, '17.20', 'BANK_TRANSFER', ['ZA']],
  ['XAF', 'Central African CFA Franc', 'FCFA', 0, '564.12', 'MOBILE_MONEY', ['CM', 'CG']],
  ['XOF', 'West African CFA Franc', 'CFA', 0, '564.12', 'MOBILE_MONEY', ['BJ', 'CI', 'SN', 'TG']],
] as const satisfies readonly Row<RailId>[]

/** Each with its networks, the usual one first; it may come in by all of them. */
const cryptoRows = [
  ['BTC', 'Bitcoin', '₿', 8, '1/95000', ['SPARK', 'LIGHTNING', 'BITCOIN'], []],
  ['USDC', 'USD Coin', 'USDC', 6, '1', ['SOLANA', 'BASE', 'POLYGON', 'ETHEREUM'], []],
  ['USDT', 'Tether USD', 'USDT', 6, '1', ['ETHEREUM', 'TRON', 'PLASMA', 'SOLANA'], []],
  ['USDB', 'USDB', 'USDB', 6, '1', ['SPARK'], []],
] as const satisfies readonly Row<readonly [RailId, ...RailId[]]>[]

export type CurrencyCode = (typeof fiatRows)[number][0] | (typeof cryptoRows)[number][0]

/** Fiat pay-ins are instant or not offered: an ACH credit would outlive the quote (accounts 7.1). */
const fiatInstantInbound: Readonly<Partial<Record<CurrencyCode, readonly RailId[]>>> = {
  USD: ['RTP', 'FEDNOW'],
  EUR: ['SEPA_INSTANT'],
  GBP: ['FASTER_PAYMENTS'],
  BRL: ['PIX'],
  MXN: ['SPEI'],
  INR: ['UPI'],
  SGD: ['FAST', 'PAYNOW'],
}

const fundingOnly: readonly CurrencyCode[] = ['ARS']

/** Every currency, in the order of the tables above. */
export const currencies: readonly CurrencyRecord[] = [
  ...fiatRows.map((row) =>
    toRecord(row, { kind: 'FIAT', usualRail: row[5], instantInboundRails: fiatInstantInbound[row[0]] ?? [] }),
  ),
  ...cryptoRows.map((row) =>
    toRecord(row, {
      kind: row[0] === 'BTC' ? 'BITCOIN' : 'STABLECOIN',
      usualRail: row[5][0],
      instantInboundRails: row[5],
    }),
  ),
]

function toRecord(
  [code, name, symbol, decimals, perUsd, , countries]: Row<unknown> & readonly [CurrencyCode, ...unknown[]],
  more: Pick<CurrencyRecord, 'kind' | 'usualRail' | 'instantInboundRails'>,
): CurrencyRecord {
  return {
    code,
    name,
    symbol,
    decimals,
    perUsd,
    countries,
    ...more,
    isFundingOnly: fundingOnly.includes(code),
  }
}
