import Type, { type Static } from 'typebox'
import { PaymentRail } from '../../reference/account-types/network-schemas.ts'
import { operation } from '../../vocabulary/operation.ts'
import {
  Currency,
  currencyCode,
  largestAmount,
  repeatable,
  timestamp,
  unsignedMinor,
} from '../../vocabulary/shapes.ts'

export const ExchangeRate = Type.Object(
  {
    sourceCurrency: Currency,
    destinationCurrency: Currency,
    destinationPaymentRail: Type.Union([PaymentRail, Type.String({ description: 'Blockchain network.' })]),
    sendingAmount: unsignedMinor({ description: 'Amount in the smallest unit of the source currency.' }),
    minSendingAmount: unsignedMinor(),
    maxSendingAmount: unsignedMinor(),
    receivingAmount: unsignedMinor({
      description: 'Amount after fees, in the smallest unit of the destination currency.',
    }),
    exchangeRate: Type.Number({
      exclusiveMinimum: 0,
      description:
        'Source units per destination unit, including fees, in whole units of both currencies. The exchangeRate of a quote excludes fees.',
    }),
    fees: Type.Object(
      {
        fixed: unsignedMinor({ description: 'Part of the fee that does not depend on the amount.' }),
        total: unsignedMinor({ description: 'All fees, in the smallest unit of the source currency.' }),
      },
      { $id: 'ExchangeRateFees' },
    ),
    updatedAt: timestamp({ description: 'Time of the rate, at most about five minutes ago.' }),
  },
  { $id: 'ExchangeRate' },
)
export type ExchangeRate = Static<typeof ExchangeRate>

export const getExchangeRates = operation({
  id: 'getExchangeRates',
  method: 'GET',
  path: '/exchange-rates',
  tag: 'Exchange Rates',
  summary: 'Read indicative rates with fees',
  description:
    'Calculates the amounts that a quote for `sendingAmount` or `receivingAmount` would have at the current rate, without locking them. Unlike a quote, the operation ignores RATES faults and accepts amounts outside `minSendingAmount` and `maxSendingAmount`. `exchangeRate` includes fees here but excludes fees in a quote. The list omits pairs without a corridor, and pairs whose fees make the `receivingAmount` impossible.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    sourceCurrency: Type.Optional(
      repeatable(
        currencyCode({ description: 'If absent, the list contains all configured source currencies.' }),
      ),
    ),
    destinationCurrency: Type.Optional(
      Type.Array(currencyCode(), {
        maxItems: 1000,
        description: 'Repeat the parameter for several currencies.',
      }),
    ),
    sendingAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: largestAmount,
        default: 10_000,
        'x-excludes': 'receivingAmount',
        description:
          'Amount to send, in the smallest unit of the source currency. Default without `receivingAmount`: 10,000.',
      }),
    ),
    receivingAmount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestAmount,
        'x-excludes': 'sendingAmount',
        'x-corridor-extension': true,
        description:
          'Amount to receive, in the smallest unit of the destination currency. Use this parameter instead of `sendingAmount`.',
      }),
    ),
  }),
  responses: {
    200: Type.Object({ data: Type.Array(ExchangeRate) }, { $id: 'ExchangeRateListResponse' }),
  },
  errors: ['INVALID_CURRENCY'],
})
