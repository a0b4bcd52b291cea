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
    destinationPaymentRail: Type.Union([PaymentRail, Type.String({ description: 'A crypto network.' })]),
    sendingAmount: unsignedMinor({ description: 'In the smallest unit of the source currency.' }),
    minSendingAmount: unsignedMinor(),
    maxSendingAmount: unsignedMinor(),
    receivingAmount: unsignedMinor({
      description: 'After fees, in the smallest unit of the destination currency.',
    }),
    exchangeRate: Type.Number({
      exclusiveMinimum: 0,
      description:
        'All-in: source units per destination unit, both in whole units of currency, fees included. That of a quote is without fees.',
    }),
    fees: Type.Object(
      {
        fixed: unsignedMinor({ description: 'The part that does not depend on the amount.' }),
        total: unsignedMinor({ description: 'All fees, in the smallest unit of the source currency.' }),
      },
      { $id: 'ExchangeRateFees' },
    ),
    updatedAt: timestamp({ description: 'When the rate was taken; at most about five minutes ago.' }),
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
    'Priced like a quote that locks `sendingAmount` or `receivingAmount`, without locking anything, at the rate of now: faults of RATES change quotes alone, and an amount outside of `minSendingAmount` and `maxSendingAmount` is priced too, where a quote would be refused. `exchangeRate` has the fees in it, that of a quote has not, so the two differ. Left out are pairs of known currencies without a corridor, and those whose fees let no amount deliver the `receivingAmount`.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    sourceCurrency: Type.Optional(
      repeatable(currencyCode({ description: 'Every configured source when absent.' })),
    ),
    destinationCurrency: Type.Optional(
      Type.Array(currencyCode(), { maxItems: 1000, description: 'Repeat it for several currencies.' }),
    ),
    sendingAmount: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: largestAmount,
        default: 10_000,
        'x-excludes': 'receivingAmount',
        description: 'In the smallest unit of the source currency. Without a `receivingAmount`, 10,000.',
      }),
    ),
    receivingAmount: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: largestAmount,
        'x-excludes': 'sendingAmount',
        'x-corridor-extension': true,
        description:
          'Instead of `sendingAmount`: what is to arrive, in the smallest unit of the destination currency.',
      }),
    ),
  }),
  responses: {
    200: Type.Object({ data: Type.Array(ExchangeRate) }, { $id: 'ExchangeRateListResponse' }),
  },
  errors: ['INVALID_CURRENCY'],
})
