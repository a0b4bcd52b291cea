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
    currencyCode: currencyCode({ description: 'The currency that the quote is funded in.' }),
    currencyAmount: Type.Optional(
      amountMinor({ description: 'What arrives; the amount of the quote when absent.' }),
    ),
  },
  { $id: 'SandboxSendRequest' },
)
export type SandboxSendRequest = Static<typeof SandboxSendRequest>

export const SandboxClock = Type.Object(
  {
    now: timestamp({ description: "The time in the platform's sandbox." }),
    offsetSeconds: Type.Integer({ minimum: 0, description: 'How far it is ahead of the real time.' }),
    isFrozen: Type.Boolean({
      description: 'Whether it moves by itself not at all, as in an installation with a seed.',
    }),
  },
  { $id: 'SandboxClock' },
)
export type SandboxClock = Static<typeof SandboxClock>

/** Something that happens by itself when its time comes. */
const Due = Type.Object({
  kind: Type.String({
    description: 'What happens, as `quotes.expire`, `payments.advance`, `webhooks.deliver`; more may come.',
  }),
  subjectId: Type.Optional(
    Type.String({ description: 'What it happens to; absent where that has no id of this form.' }),
  ),
  dueAt: timestamp({ description: "When, in the time of the platform's sandbox." }),
})

export const SandboxClockMoved = Type.Object(
  {
    ...SandboxClock.properties,
    ran: Type.Array(Due, {
      maxItems: 50,
      description: 'What happened on the way, the first fifty in order.',
    }),
    ranCount: Type.Integer({ minimum: 0, description: 'How much happened on the way.' }),
    counts: Type.Array(
      Type.Object({
        kind: Type.String({ description: 'As of what `ran`.' }),
        count: Type.Integer({ minimum: 1, description: 'How often it happened.' }),
      }),
      { description: 'All that happened on the way, by its kind.' },
    ),
    isThere: Type.Boolean({
      description: 'False when it took too long and the clock stopped on its way: ask again for the rest.',
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
          'How far, at most 366 days at a time. With `until` the farthest to go; 366 days when absent.',
      }),
    ),
    until: Type.Optional(
      enumOf(['NEXT', 'QUIET'], {
        description:
          '`NEXT` stops where the next thing has happened, with all that happens at the same moment; `QUIET` where nothing is left to happen. Where nothing is to come within `seconds` the clock stays as it is.',
      }),
    ),
  },
  { $id: 'SandboxClockAdvanceRequest' },
)
export type SandboxClockAdvanceRequest = Static<typeof SandboxClockAdvanceRequest>

export const SandboxUpcoming = Type.Object(
  {
    upcoming: Type.Array(Due, { maxItems: 50, description: 'The next one first.' }),
    hasMore: Type.Boolean({ description: 'Whether there is more to come than is shown.' }),
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
    'One attempt. Any HTTP answer of the endpoint is a success, whatever its status. The endpoint that a fork was copied with is told nothing: `WEBHOOK_ENDPOINT_NOT_SET` there until it has one of its own, or with a `url`.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  body: Type.Object(
    { url: Type.Optional(url({ description: 'The configured endpoint when absent.' })) },
    { $id: 'SandboxTestWebhookRequest' },
  ),
  bodyOptional: true,
  responses: { 200: TestWebhookResponse },
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
  description: 'An amount other than that of the quote makes the payment fail and be refunded.',
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
  summary: 'Simulate money that arrives by bank or chain',
  description:
    'The reference decides where it goes: that of a funded quote executes the quote, that of the funding instructions of an internal account credits the account, and anything else waits in suspense. Too little, too much and too late can be tried as well.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['TRANSACT'],
  body: Type.Object(
    {
      reference: Type.Optional(plainText({ description: 'What the payer wrote.' })),
      currency: currencyCode(),
      amount: amountMinor(),
      railReference: Type.Optional(
        plainText({
          description:
            'The id that the rail gives the payment; the same one twice is one payment. With another amount or currency it is 409.',
        }),
      ),
      accountHolderName: Type.Optional(nameText({ description: 'The payer.' })),
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
  summary: 'See what the sandbox clock comes to next',
  description:
    'Expiries, delayed outcomes, webhook retries: what happens by itself, in the order in which moving the clock makes it happen, at most 50. What has failed is among it, at the time at which it is tried again.',
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
    'Everything that falls due on the way happens in order, each at its own time, before the answer returns: expiries, delayed outcomes, webhook retries. `until` goes to the next thing, or on until nothing is left. The clock never goes back, nor beyond the year 9900. When endpoints are so slow that this takes more than 45 seconds, the answer comes early: `isThere` is false, and `now` says how far the clock has come.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['MANAGE'],
  body: SandboxClockAdvanceRequest,
  responses: { 200: SandboxClockMoved },
  errors: [],
  example: { seconds: 360 },
  extension: true,
})
