import Type, { type Static } from 'typebox'
import { TestWebhookResponse } from '../../notices/webhooks/test-webhook-schemas.ts'
import { InternalAccount } from '../../platform/internal-accounts/contract.ts'
import { operation } from '../../vocabulary/operation.ts'
import {
  amountMinor,
  currencyCode,
  enumOf,
  idOf,
  nameText,
  plainText,
  timestamp,
  url,
} from '../../vocabulary/shapes.ts'
import { Transaction } from '../cards/any-transaction-schemas.ts'

const tag = 'Sandbox'

export const SandboxSendRequest = Type.Object(
  {
    quoteId: idOf('Quote'),
    currencyCode: currencyCode({ description: 'Currency in which the quote is funded.' }),
    currencyAmount: Type.Optional(
      amountMinor({ description: 'Amount that arrives. Default: the amount of the quote.' }),
    ),
  },
  { $id: 'SandboxSendRequest' },
)
export type SandboxSendRequest = Static<typeof SandboxSendRequest>

export const SandboxClock = Type.Object(
  {
    now: timestamp({ description: "Current time in the platform's sandbox." }),
    offsetSeconds: Type.Integer({
      minimum: 0,
      description: 'Seconds by which the clock is ahead of real time.',
    }),
    isFrozen: Type.Boolean({
      description: 'True if the clock moves only on request, for example in an installation with a seed.',
    }),
  },
  { $id: 'SandboxClock' },
)
export type SandboxClock = Static<typeof SandboxClock>

/** Something that happens by itself when its time comes. */
const Due = Type.Object({
  kind: Type.String({
    description:
      'Kind of step, for example `quotes.expire`, `payments.advance` or `webhooks.deliver`. Later releases may add kinds.',
  }),
  subjectId: Type.Optional(
    Type.String({ description: 'Affected resource. Absent if the step has no resource with an id.' }),
  ),
  dueAt: timestamp({ description: 'Due time, on the sandbox clock.' }),
})

export const SandboxClockMoved = Type.Object(
  {
    ...SandboxClock.properties,
    ran: Type.Array(Due, {
      maxItems: 50,
      description: 'The first fifty steps that ran, in order.',
    }),
    ranCount: Type.Integer({ minimum: 0, description: 'Number of steps that ran.' }),
    counts: Type.Array(
      Type.Object({
        kind: Type.String({ description: 'Kind of step. The values are the same as `kind` in `ran`.' }),
        count: Type.Integer({ minimum: 1, description: 'Number of steps of this kind.' }),
      }),
      { description: 'Number of steps that ran, per kind.' },
    ),
    isThere: Type.Boolean({
      description:
        'False if the request took too long and the clock stopped early. Send the request again for the rest.',
    }),
  },
  { $id: 'SandboxClockMoved' },
)
export type SandboxClockMoved = Static<typeof SandboxClockMoved>

export const SandboxClockAdvanceRequest = Type.Object(
  {
    seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 31_622_400,
        description:
          'Seconds by which the clock moves, at most 366 days. With `until`, this is the maximum, and the default is 366 days.',
      }),
    ),
    until: Type.Optional(
      enumOf(['NEXT', 'QUIET'], {
        description:
          '`NEXT` stops after the next step and all steps that are due at the same moment. `QUIET` stops when no steps are left. If no step is due within `seconds`, the clock does not move.',
      }),
    ),
  },
  { $id: 'SandboxClockAdvanceRequest' },
)
export type SandboxClockAdvanceRequest = Static<typeof SandboxClockAdvanceRequest>

export const SandboxUpcoming = Type.Object(
  {
    upcoming: Type.Array(Due, { maxItems: 50, description: 'Upcoming steps, next step first.' }),
    hasMore: Type.Boolean({ description: 'True if there are more steps than the list shows.' }),
  },
  { $id: 'SandboxUpcoming' },
)
export type SandboxUpcoming = Static<typeof SandboxUpcoming>

export const sendTestWebhook = operation({
  id: 'sendTestWebhook',
  method: 'POST',
  path: '/sandbox/webhooks/test',
  tag,
  summary: 'Send a test webhook',
  description:
    'Makes one delivery attempt. Any HTTP response from the endpoint counts as a success, regardless of its status. A fork never calls the endpoint that it copied. Without an endpoint of its own or a `url`, the response is `WEBHOOK_ENDPOINT_NOT_SET`.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  body: Type.Object(
    { url: Type.Optional(url({ description: 'URL to call. Default: the configured endpoint.' })) },
    { $id: 'SandboxTestWebhookRequest' },
  ),
  bodyOptional: true,
  responses: { 200: TestWebhookResponse },
  answersApart: 'it calls an endpoint before it responds',
  errors: ['WEBHOOK_ENDPOINT_NOT_SET', 'WEBHOOK_DELIVERY_ERROR'],
  events: ['TEST'],
  example: { url: 'https://platform.example.com/webhooks' },
})

export const sandboxSend = operation({
  id: 'sandboxSend',
  method: 'POST',
  path: '/sandbox/send',
  tag,
  summary: 'Simulate the payment that funds a quote',
  description:
    'If the amount differs from the amount of the quote, the payment fails and Corridor refunds the money.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['TRANSACT'],
  body: SandboxSendRequest,
  responses: { 200: Transaction },
  errors: [
    'INVALID_AMOUNT',
    'INVALID_CURRENCY',
    'QUOTE_NOT_FOUND',
    'CONFLICT',
    'CUSTOMER_DELETED',
    'QUOTE_EXPIRED',
  ],
  events: [
    'OUTGOING_PAYMENT.PENDING',
    'OUTGOING_PAYMENT.PROCESSING',
    'OUTGOING_PAYMENT.COMPLETED',
    'OUTGOING_PAYMENT.FAILED',
  ],
  example: { quoteId: 'Quote:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70', currencyCode: 'USD' },
})

export const sandboxFundInternalAccount = operation({
  id: 'sandboxFundInternalAccount',
  method: 'POST',
  path: '/sandbox/internal-accounts/{accountId}/fund',
  tag,
  summary: 'Put money into an internal account',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['TRANSACT'],
  params: Type.Object({ accountId: Type.String() }),
  body: Type.Object({ amount: amountMinor({ maximum: 100_000_000_000 }) }, { $id: 'SandboxFundRequest' }),
  responses: { 200: InternalAccount },
  errors: ['INVALID_AMOUNT', 'USER_NOT_READY', 'REFERENCE_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED'],
  events: ['INCOMING_PAYMENT.COMPLETED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
  example: { amount: 100_000 },
})

export const receiveInboundPayment = operation({
  id: 'receiveInboundPayment',
  method: 'POST',
  path: '/sandbox/inbound-payments',
  tag,
  summary: 'Simulate an incoming bank or blockchain payment',
  description:
    'The reference decides where the money goes. Money with the reference of a quote executes the quote, and money with the reference of funding instructions is credited to the internal account. Any other money goes to suspense. You can also simulate payments that are too high, too low or too late.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['TRANSACT'],
  body: Type.Object(
    {
      reference: Type.Optional(plainText({ description: 'Remittance information from the payer.' })),
      currency: currencyCode(),
      amount: amountMinor(),
      railReference: Type.Optional(
        plainText({
          description:
            'Id of the payment on the rail. If you send the same id with a different amount or currency, the response is 409.',
        }),
      ),
      accountHolderName: Type.Optional(nameText({ description: 'Name of the payer.' })),
    },
    { $id: 'SandboxInboundPaymentRequest' },
  ),
  responses: {
    200: Type.Object(
      {
        outcome: enumOf(['CREDITED', 'FUNDED_QUOTE', 'REFUNDED', 'SUSPENSE']),
        transactionId: Type.Optional(idOf('Transaction')),
      },
      { $id: 'SandboxInboundPayment' },
    ),
  },
  errors: ['INVALID_AMOUNT', 'INVALID_CURRENCY', 'CONFLICT'],
  events: ['INCOMING_PAYMENT.COMPLETED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED', 'OUTGOING_PAYMENT.PROCESSING'],
  example: { reference: 'K7M2QX9TRB', currency: 'USD', amount: 50_000 },
  extension: true,
})

export const getSandboxClock = operation({
  id: 'getSandboxClock',
  method: 'GET',
  path: '/sandbox/clock',
  tag,
  summary: 'Read the sandbox clock',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  responses: { 200: SandboxClock },
  errors: [],
  extension: true,
})

export const getSandboxUpcoming = operation({
  id: 'getSandboxUpcoming',
  method: 'GET',
  path: '/sandbox/clock/upcoming',
  tag,
  summary: 'List upcoming steps of the sandbox',
  description:
    'Lists the next 50 steps, such as expiries, delayed outcomes and webhook retries, in order. Failed steps appear at the time of their next attempt.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['VIEW'],
  responses: { 200: SandboxUpcoming },
  errors: [],
  extension: true,
})

export const advanceSandboxClock = operation({
  id: 'advanceSandboxClock',
  method: 'POST',
  path: '/sandbox/clock/advance',
  tag,
  summary: 'Move the sandbox clock forward',
  description:
    'Runs all steps that become due, such as expiries, delayed outcomes and webhook retries, each at its own time. With `until`, the clock moves to the next step, or until nothing is due. The clock cannot move back or beyond the year 9900. If slow endpoints make the request take more than 45 seconds, the response has `isThere` false, and `now` is the time reached.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  body: SandboxClockAdvanceRequest,
  responses: { 200: SandboxClockMoved },
  answersApart: 'the clock moves in many transactions',
  errors: [],
  example: { seconds: 360 },
  extension: true,
})
