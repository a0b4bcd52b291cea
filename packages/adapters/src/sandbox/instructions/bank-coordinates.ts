import type { AccountInfo } from '@corridor/engine/reference/account-types/index.ts'
import {
  clabeOf,
  cvuOf,
  ibanOf,
  type Randomness,
  randomDigits,
  randomPixKey,
  routingNumberOf,
} from './coordinates.ts'
import { pixCode } from './pix-code.ts'

/** In whose name collection accounts are held. */
export const holderName = 'Corridor Client Funds'

const bankName = 'Corridor Settlement Bank'

export interface Payee {
  readonly currency: string
  /** Unique to the account, or to the quote that is being paid. */
  readonly reference: string
  /** Where the coordinates can ask for an amount, they do. */
  readonly amountMinor?: bigint
}

type Build = (world: Randomness, payee: Payee) => Readonly<Record<string, unknown>>

/**
 * One payee in the banking system of a currency (accounts 3.3): the fields of its account type as
 * somebody who pays in sees them. Undefined where money only leaves, to mobile wallets.
 */
export function bankCoordinates(world: Randomness, payee: Payee): AccountInfo | undefined {
  const build = builders[payee.currency]
  if (!build) return undefined
  return { accountType: accountTypes[payee.currency] ?? `${payee.currency}_ACCOUNT`, ...build(world, payee) }
}

/** The one currency whose instructions go by the older name. */
const accountTypes: Readonly<Record<string, string>> = { USD: 'US_ACCOUNT' }

/** Most of South-East Asia: an account number of some length at a bank with a BIC. */
function bySwiftCode(swiftCode: string, digits: number): Build {
  return (world, { reference }) => ({
    bankName,
    accountNumber: randomDigits(world, digits),
    swiftCode,
    reference,
  })
}

function byIban(country: string, accountPart: (world: Randomness) => string): Build {
  return (world, { reference }) => ({ iban: ibanOf(country, accountPart(world)), reference })
}

function byAccountNumber(digits: number, rest: Readonly<Record<string, unknown>> = {}): Build {
  return (world, { reference }) => ({
    bankName,
    accountNumber: randomDigits(world, digits),
    ...rest,
    reference,
  })
}

const builders: Readonly<Record<string, Build>> = {
  USD: (world, { reference }) => ({
    accountNumber: `9${randomDigits(world, 11)}`,
    routingNumber: routingNumberOf('09990001'),
    accountHolderName: holderName,
    bankName,
    bankAddress: '1 Settlement Plaza, New York, NY 10005, US',
    accountCategory: 'CHECKING',
    reference,
  }),
  EUR: (world, { reference }) => ({
    iban: ibanOf('LU', `999${randomDigits(world, 13)}`),
    swiftCode: 'CRDRLULL',
    reference,
  }),
  DKK: (world, { reference }) => ({
    iban: ibanOf('DK', `9990${randomDigits(world, 10)}`),
    swiftCode: 'CRDRDKKK',
    reference,
  }),
  GBP: (world, { reference }) => ({
    sortCode: '099901',
    accountNumber: randomDigits(world, 8),
    reference,
  }),
  // Bank 999 of place 180 (Mexico City); a CLABE belongs to one payee alone.
  MXN: (world, { reference }) => ({ clabeNumber: clabeOf(`999180${randomDigits(world, 11)}`), reference }),
  BRL: (world, { reference, amountMinor }) => ({
    qrCode: pixCode({
      pixKey: randomPixKey(world),
      reference,
      receiverName: holderName.toUpperCase(),
      ...(amountMinor === undefined ? {} : { amountMinor }),
    }),
  }),
  COP: (_world, { reference }) => ({ paymentUrl: `https://pay.corridor.example/cop/${reference}` }),
  ARS: (world) => ({ accountNumber: cvuOf('0009990', randomDigits(world, 13)) }),
  // The address itself names the payee, so no reference has to be typed.
  INR: (_world, { reference }) => ({ vpa: `corridor.${reference.toLowerCase()}@crdr` }),
  CAD: byAccountNumber(12, { bankCode: '999', branchCode: '00010' }),
  GTQ: byAccountNumber(14, { bankAccountType: 'CHECKING' }),
  JMD: byAccountNumber(10, { branchCode: '99910', bankAccountType: 'CHECKING' }),
  PKR: (world, { reference }) => ({
    bankName,
    iban: ibanOf('PK', `CRDR${randomDigits(world, 16)}`),
    reference,
  }),
  BDT: byAccountNumber(13, { branchCode: '99910' }),
  PHP: byAccountNumber(12),
  IDR: (world, payee) => ({
    ...bySwiftCode('CRDRIDJA', 12)(world, payee),
    // Transfers in rupiah name a phone number; this is the collecting bank's.
    phoneNumber: '+622150999000',
  }),
  MYR: bySwiftCode('CRDRMYKL', 12),
  SGD: bySwiftCode('CRDRSGSG', 10),
  THB: bySwiftCode('CRDRTHBK', 10),
  VND: bySwiftCode('CRDRVNVX', 13),
  HKD: bySwiftCode('CRDRHKHH', 12),
  CNY: byAccountNumber(19),
  AED: byIban('AE', (world) => `999${randomDigits(world, 16)}`),
  ILS: byIban('IL', (world) => `999${randomDigits(world, 16)}`),
  EGP: (world, { reference }) => ({
    bankName,
    iban: ibanOf('EG', `9990${randomDigits(world, 21)}`),
    reference,
  }),
  NGN: byAccountNumber(10),
  GHS: byAccountNumber(13),
  ZAR: byAccountNumber(11),
}
