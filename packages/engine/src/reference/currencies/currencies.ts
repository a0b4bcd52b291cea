import type { RailId } from '../rails/index.ts'

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
  /** Default first. */
  readonly rails: readonly RailId[]
  /** Rails on which a realtime-funded quote may be paid in; empty when it may not (accounts 7.1). */
  readonly instantInboundRails: readonly RailId[]
  /** ISO 3166 alpha-2; empty for crypto, which is global. */
  readonly countries: readonly string[]
  /** Money comes in but is never paid out: there is no external account type. */
  readonly isFundingOnly: boolean
}

type Row = readonly [
  code: string,
  name: string,
  symbol: string,
  decimals: number,
  perUsd: string,
  rails: readonly RailId[],
  countries: readonly string[],
]

const bank = ['BANK_TRANSFER'] as const
const mobile = ['MOBILE_MONEY'] as const
const bankOrMobile = ['BANK_TRANSFER', 'MOBILE_MONEY'] as const
const sepa = ['SEPA_INSTANT', 'SEPA'] as const
const euroCountries = [
  ...['AT', 'BE', 'BG', 'HR', 'CY', 'CZ', 'DE', 'EE', 'ES', 'FI', 'FR', 'GR', 'HU', 'IE', 'IS', 'IT', 'LI'],
  ...['LT', 'LU', 'LV', 'MT', 'NL', 'NO', 'PL', 'PT', 'RO', 'SE', 'SI', 'SK', 'CH'],
]

const fiatRows = [
  ['USD', 'United States Dollar', '$', 2, '1', ['RTP', 'FEDNOW', 'ACH', 'WIRE'], ['US', 'SV']],
  ['EUR', 'Euro', '€', 2, '0.86', sepa, euroCountries],
  ['DKK', 'Danish Krone', 'kr', 2, '6.42', sepa, ['DK']],
  ['GBP', 'Pound Sterling', '£', 2, '0.755', ['FASTER_PAYMENTS'], ['GB']],
  ['CAD', 'Canadian Dollar', 'C$', 2, '1.39', bank, ['CA']],
  ['MXN', 'Mexican Peso', '$', 2, '18.20', ['SPEI'], ['MX']],
  ['BRL', 'Brazilian Real', 'R$', 2, '5.35', ['PIX'], ['BR']],
  ['COP', 'Colombian Peso', '$', 2, '3850', bankOrMobile, ['CO']],
  ['GTQ', 'Guatemalan Quetzal', 'Q', 2, '7.66', bank, ['GT']],
  ['HTG', 'Haitian Gourde', 'G', 2, '131', mobile, ['HT']],
  ['JMD', 'Jamaican Dollar', 'J$', 2, '160.5', bank, ['JM']],
  ['ARS', 'Argentine Peso', '$', 2, '1450', bank, ['AR']],
  ['INR', 'Indian Rupee', '₹', 2, '89', ['UPI', 'NEFT', 'RTGS'], ['IN']],
  ['PKR', 'Pakistani Rupee', '₨', 2, '281', bankOrMobile, ['PK']],
  ['BDT', 'Bangladeshi Taka', '৳', 2, '122', bankOrMobile, ['BD']],
  ['PHP', 'Philippine Peso', '₱', 2, '58.50', bank, ['PH']],
  ['IDR', 'Indonesian Rupiah', 'Rp', 2, '16650', bank, ['ID']],
  ['MYR', 'Malaysian Ringgit', 'RM', 2, '4.15', bank, ['MY']],
  ['SGD', 'Singapore Dollar', 'S$', 2, '1.295', ['FAST', 'PAYNOW', 'BANK_TRANSFER'], ['SG']],
  ['THB', 'Thai Baht', '฿', 2, '32.40', bank, ['TH']],
  ['VND', 'Vietnamese Dong', '₫', 0, '26300', bank, ['VN']],
  ['HKD', 'Hong Kong Dollar', 'HK$', 2, '7.78', bank, ['HK']],
  ['CNY', 'Chinese Yuan', '¥', 2, '7.10', ['MOBILE_MONEY', 'BANK_TRANSFER'], ['CN']],
  ['AED', 'UAE Dirham', 'د.إ', 2, '3.6725', bank, ['AE']],
  ['ILS', 'Israeli New Shekel', '₪', 2, '3.28', bank, ['IL']],
  ['EGP', 'Egyptian Pound', 'E£', 2, '47.5', bankOrMobile, ['EG']],
  ['NGN', 'Nigerian Naira', '₦', 2, '1450', bank, ['NG']],
  ['GHS', 'Ghanaian Cedi', 'GH₵', 2, '11.2', bankOrMobile, ['GH']],
  ['KES', 'Kenyan Shilling', 'KSh', 2, '129.2', mobile, ['KE']],
  ['TZS', 'Tanzanian Shilling', 'TSh', 2, '2460', mobile, ['TZ']],
  ['UGX', 'Ugandan Shilling', 'USh', 0, '3580', mobile, ['UG']],
  ['RWF', 'Rwandan Franc', 'FRw', 0, '1455', mobile, ['RW']],
  ['ZMW', 'Zambian Kwacha', 'ZK', 2, '22.6', mobile, ['ZM']],
  ['MWK', 'Malawian Kwacha', 'MK', 2, '1735', mobile, ['MW']],
  ['BWP', 'Botswana Pula', 'P', 2, '13.4', mobile, ['BW']],
  ['ZAR', 'South African Rand', 'R', 2, '17.20', bank, ['ZA']],
  ['XAF', 'Central African CFA Franc', 'FCFA', 0, '564.12', mobile, ['CM', 'CG']],
  ['XOF', 'West African CFA Franc', 'CFA', 0, '564.12', mobile, ['BJ', 'CI', 'SN', 'TG']],
] as const satisfies readonly Row[]

const cryptoRows = [
  ['BTC', 'Bitcoin', '₿', 8, '1/95000', ['SPARK', 'LIGHTNING', 'BITCOIN'], []],
  ['USDC', 'USD Coin', 'USDC', 6, '1', ['SOLANA', 'BASE', 'POLYGON', 'ETHEREUM'], []],
  ['USDT', 'Tether USD', 'USDT', 6, '1', ['ETHEREUM', 'TRON', 'PLASMA', 'SOLANA'], []],
  ['USDB', 'USDB', 'USDB', 6, '1', ['SPARK'], []],
] as const satisfies readonly Row[]

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

/** Every currency, in the order of the table above. */
export const currencies: readonly CurrencyRecord[] = [
  ...fiatRows.map((row) => toRecord(row, 'FIAT')),
  ...cryptoRows.map((row) => toRecord(row, row[0] === 'BTC' ? 'BITCOIN' : 'STABLECOIN')),
]

function toRecord(
  [code, name, symbol, decimals, perUsd, rails, countries]: Row & readonly [CurrencyCode, ...unknown[]],
  kind: CurrencyKind,
): CurrencyRecord {
  const instantInboundRails = kind === 'FIAT' ? (fiatInstantInbound[code] ?? []) : rails
  const isFundingOnly = fundingOnly.includes(code)
  return { code, name, symbol, decimals, kind, perUsd, rails, instantInboundRails, countries, isFundingOnly }
}
