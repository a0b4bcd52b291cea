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
    sendingAmount: unsignedMinor({ description: 'In the smallest unit of the source currency.' }),
    minSendingAmount: unsignedMinor(),
    maxSendingAmount: unsignedMinor(),
    receivingAmount: unsignedMinor({
      description: 'After fees, in the smallest unit of the destination currency.',
    }),
    exchangeRate: Type.Number({
      exclusiveMinimum: 0,
      description:
        'Source units per destination unit, in whole units of each currency, including fees. The exchangeRate of a quote excludes fees.',
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
    'Calculates amounts like a quote that locks `sendingAmount` or `receivingAmount`, at the current rate, and locks nothing. It ignores RATES faults and also accepts amounts outside `minSendingAmount` and `maxSendingAmount`, which a quote rejects. `exchangeRate` includes the fees here and excludes them in a quote. The list leaves out pairs without a corridor, and pairs whose fees make the `receivingAmount` impossible.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    sourceCurrency: Type.Optional(
      repeatable(currencyCode({ description: 'Absent: every configured source.' })),
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
          'In the smallest unit of the source currency. Default without `receivingAmount`: 10,000.',
      }),
    ),
    receivingAmount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestAmount,
        'x-excludes': 'sendingAmount',
        'x-corridor-extension': true,
        description:
          'Use instead of `sendingAmount`: the amount to arrive, in the smallest unit of the destination currency.',
      }),
    ),
  }),
  responses: {
    200: Type.Object({ data: Type.Array(ExchangeRate) }, { $id: 'ExchangeRateListResponse' }),
  },
  errors: ['INVALID_CURRENCY'],
})
