import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { amountMinor, currencyCode, idOf, umaAddress } from '../../vocabulary/shapes.ts'
import { IncomingTransaction } from '../payments/transaction-schemas.ts'

export const SandboxUmaReceiveRequest = Type.Object(
  {
    senderUmaAddress: umaAddress({
      description: 'One of the sandbox addresses. The address decides the outcome.',
    }),
    receiverUmaAddress: Type.Optional(
      umaAddress({ description: 'UMA address of a customer of the platform.' }),
    ),
    customerId: Type.Optional(idOf('Customer')),
    receivingCurrencyCode: currencyCode(),
    receivingCurrencyAmount: amountMinor(),
  },
  { $id: 'SandboxUmaReceiveRequest' },
)
export type SandboxUmaReceiveRequest = Static<typeof SandboxUmaReceiveRequest>

export const sandboxReceive = operation({
  id: 'sandboxReceive',
  method: 'POST',
  path: '/sandbox/uma/receive',
  tag: 'Sandbox',
  summary: 'Simulate a payment to a UMA address',
  description:
    'Returns the transaction with the status PENDING. Corridor then sends INCOMING_PAYMENT.PENDING once, and your HTTP response approves or rejects the payment.',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['TRANSACT'],
  body: SandboxUmaReceiveRequest,
  responses: { 200: IncomingTransaction },
  errors: [
    'INVALID_AMOUNT',
    'AMOUNT_OUT_OF_RANGE',
    'INVALID_CURRENCY',
    'INVALID_UMA_ADDRESS',
    'WEBHOOK_ENDPOINT_NOT_SET',
    'USER_NOT_READY',
    'END_USER_TERMS_NOT_ACCEPTED',
    'USER_NOT_FOUND',
    'UMA_NOT_FOUND',
  ],
  events: ['INCOMING_PAYMENT.PENDING', 'INCOMING_PAYMENT.COMPLETED', 'INCOMING_PAYMENT.FAILED'],
  example: {
    senderUmaAddress: '$success.usd@sandbox.uma.money',
    receiverUmaAddress: '$ana@payments.example.com',
    receivingCurrencyCode: 'USD',
    receivingCurrencyAmount: 5_000,
  },
})
