import Type, { type Static } from 'typebox'
import { ScaChallenge, ScaFactor } from '../../access/sca/challenge-schemas.ts'
import { paymentInstructions } from '../../reference/account-types/index.ts'
import { PaymentRail } from '../../reference/account-types/network-schemas.ts'
import {
  amountMinor,
  Currency,
  currencyCode,
  descriptionText,
  enumOf,
  FixedFee,
  idOf,
  openObject,
  partOf,
  plainText,
  taggedUnion,
  timestamp,
  umaAddress,
  unsignedMinor,
} from '../../vocabulary/shapes.ts'
import { CounterpartyInformation, OutgoingRateDetails } from '../payments/transaction-schemas.ts'

// What quotes, transfers and transactions share

export const PurposeOfPayment = enumOf(
  [
    'GIFT',
    'SELF',
    'GOODS_OR_SERVICES',
    'EDUCATION',
    'HEALTH_OR_MEDICAL',
    'REAL_ESTATE_PURCHASE',
    'TAX_PAYMENT',
    'LOAN_PAYMENT',
    'UTILITY_BILL',
    'DONATION',
    'TRAVEL',
    'FAMILY_SUPPORT',
    'SALARY_PAYMENT',
    'OTHER',
  ],
  { $id: 'PurposeOfPayment' },
)
export type PurposeOfPayment = Static<typeof PurposeOfPayment>

/** Travels with the payment on rails that carry text (accounts 7.2). */
export const remittanceInformation = Type.String({
  maxLength: 80,
  description: 'Text for the recipient, if the rail transmits text.',
})

// Quotes

const QuoteSourceType = enumOf(['ACCOUNT', 'REALTIME_FUNDING'], { $id: 'QuoteSourceType' })

const DestinationType = enumOf(['ACCOUNT', 'UMA_ADDRESS'], { $id: 'DestinationType' })

const AccountQuoteSource = Type.Object(
  {
    sourceType: partOf(QuoteSourceType, 'ACCOUNT'),
    accountId: idOf('InternalAccount', 'ExternalAccount'),
    customerId: Type.Optional(idOf('Customer')),
  },
  {
    $id: 'AccountQuoteSource',
    description:
      'An internal account, or an external account to pull money from. If the platform pays for a customer, customerId names this customer.',
  },
)

const RealtimeFundingQuoteSource = Type.Object(
  {
    sourceType: partOf(QuoteSourceType, 'REALTIME_FUNDING'),
    currency: currencyCode(),
    customerId: Type.Optional(idOf('Customer', 'PlatformConfig')),
    cryptoNetwork: Type.Optional(
      plainText({ description: 'Network for the funding. Required for stablecoins.', examples: ['SOLANA'] }),
    ),
  },
  {
    $id: 'RealtimeFundingQuoteSource',
    description:
      'Money that will arrive according to the paymentInstructions. Corridor executes the quote when the money arrives.',
  },
)

export const QuoteSource = taggedUnion('sourceType', [AccountQuoteSource, RealtimeFundingQuoteSource], {
  $id: 'QuoteSourceOneOf',
})
export type QuoteSource = Static<typeof QuoteSource>

const AccountDestination = Type.Object(
  {
    destinationType: partOf(DestinationType, 'ACCOUNT'),
    accountId: idOf('ExternalAccount', 'InternalAccount'),
    paymentRail: Type.Optional(PaymentRail),
  },
  { $id: 'AccountDestination', description: 'If rail is absent, the service chooses a rail.' },
)

const UmaAddressDestination = Type.Object(
  {
    destinationType: partOf(DestinationType, 'UMA_ADDRESS'),
    umaAddress: umaAddress(),
    currency: Type.Optional(
      currencyCode({
        description: 'Currency that the receiver gets. Default: the first currency of the lookup.',
      }),
    ),
  },
  { $id: 'UmaAddressDestination' },
)

export const QuoteDestination = taggedUnion('destinationType', [AccountDestination, UmaAddressDestination], {
  $id: 'QuoteDestinationOneOf',
})
export type QuoteDestination = Static<typeof QuoteDestination>

export const QuoteRequest = Type.Object(
  {
    source: QuoteSource,
    destination: QuoteDestination,
    lockedCurrencySide: enumOf(['SENDING', 'RECEIVING'], { $id: 'QuoteLockSide' }),
    lockedCurrencyAmount: amountMinor({
      description: 'Amount of the locked side, in the smallest unit of its currency. This amount is exact.',
    }),
    immediatelyExecute: Type.Optional(
      Type.Boolean({
        default: false,
        description: 'If true, Corridor executes the quote immediately. Not possible with realtime funding.',
      }),
    ),
    lookupId: Type.Optional(idOf('Lookup', 'LookupRequest')),
    description: Type.Optional(
      descriptionText({ description: 'Text that Corridor stores with the transaction.' }),
    ),
    remittanceInformation: Type.Optional(remittanceInformation),
    purposeOfPayment: Type.Optional(PurposeOfPayment),
    platformFeeOverride: Type.Optional(
      Type.Object(
        {
          platformFixedFee: FixedFee,
          platformVariableFeeBps: Type.Integer({
            minimum: 0,
            maximum: 10_000,
            description: 'Hundredths of a percent of the sending amount.',
          }),
        },
        { $id: 'PlatformFeeOverride', description: 'Replaces the configured fee of the platform.' },
      ),
    ),
    scaFactor: Type.Optional(ScaFactor),
    senderCustomerInfo: Type.Optional(
      openObject({
        description: 'Fields that a UMA receiver requires and that are missing in the customer record.',
      }),
    ),
  },
  { $id: 'QuoteRequest' },
)
export type QuoteRequest = Static<typeof QuoteRequest>

export const QuoteStatus = enumOf(
  ['PENDING', 'PENDING_AUTHORIZATION', 'PROCESSING', 'COMPLETED', 'FAILED', 'EXPIRED'],
  { $id: 'QuoteStatus' },
)
export type QuoteStatus = Static<typeof QuoteStatus>

export const Quote = Type.Object(
  {
    id: idOf('Quote'),
    status: QuoteStatus,
    createdAt: timestamp(),
    expiresAt: timestamp({ description: 'Time until which the rate and the amounts are valid.' }),
    source: QuoteSource,
    destination: QuoteDestination,
    sendingCurrency: Currency,
    receivingCurrency: Currency,
    totalSendingAmount: unsignedMinor({ description: 'Total that the sender pays, including fees.' }),
    totalReceivingAmount: unsignedMinor({ description: 'Amount that the recipient receives.' }),
    exchangeRate: Type.Number({
      exclusiveMinimum: 0,
      description:
        'Sending units per receiving unit, excluding fees, in whole units of both currencies: (`totalSendingAmount` − `feesIncluded`) / `totalReceivingAmount`. The rate in `GET /exchange-rates` includes fees.',
    }),
    feesIncluded: unsignedMinor({ description: 'All fees, in the smallest unit of the sending currency.' }),
    platformFeesIncluded: unsignedMinor({ description: 'Part of feesIncluded that the platform receives.' }),
    paymentInstructions: Type.Optional(
      Type.Array(paymentInstructions, {
        description:
          'Instructions for funding the quote, or the payload to sign. Absent while an authorization is pending.',
      }),
    ),
    transactionId: idOf('Transaction'),
    counterpartyInformation: Type.Optional(CounterpartyInformation),
    rateDetails: OutgoingRateDetails,
    scaChallenge: Type.Optional(ScaChallenge),
  },
  { $id: 'Quote' },
)
export type Quote = Static<typeof Quote>
