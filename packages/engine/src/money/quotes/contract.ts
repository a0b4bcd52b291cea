import Type from 'typebox'
import { ScaFactor } from '../../access/sca/challenge-schemas.ts'
import { scaTag } from '../../access/sca/contract.ts'
import { ScaAuthorization } from '../../access/sca/sca-schemas.ts'
import { type Operation, operation } from '../../vocabulary/operation.ts'
import {
  idempotencyHeaders,
  idOf,
  listOf,
  paging,
  repeatable,
  walletSignature,
} from '../../vocabulary/shapes.ts'
import { Quote, QuoteRequest } from './quote-schemas.ts'

export { Quote } from './quote-schemas.ts'

const tag = 'Cross-Currency Transfers'

/** What can stand in the way of moving the money of a quote (accounts 15). */
const executionErrors = [
  'INVALID_RECEIVER',
  'INVALID_BANK_ACCOUNT',
  'INSUFFICIENT_BALANCE',
  'TRANSACTION_SIZE_LIMIT_EXCEEDED',
  'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
  'USER_NOT_READY',
  'END_USER_TERMS_NOT_ACCEPTED',
  'CUSTOMER_DELETED',
  'DAILY_VOLUME_LIMIT_EXCEEDED',
  'SERVICE_SWITCH_ERROR',
] as const satisfies Operation['errors']

/** What a counterparty institution can answer to a lookup or a pay request (conventions 12.1, 12.5). */
const umaErrors = [
  'INVALID_UMA_ADDRESS',
  'LOOKUP_REQUEST_FAILED',
  'PARSE_LNURLP_RESPONSE_ERROR',
  'INVALID_PAYREQ_RESPONSE',
  'PARSE_PAYREQ_RESPONSE_ERROR',
  'CERT_CHAIN_INVALID',
  'CERT_CHAIN_EXPIRED',
  'INVALID_PUBKEY_FORMAT',
  'MISSING_REQUIRED_UMA_PARAMETERS',
  'INVALID_TIMESTAMP',
  'INVALID_NONCE',
  'SENDER_NOT_ACCEPTED',
  'COUNTERPARTY_NOT_ALLOWED',
  'LOOKUP_REQUEST_NOT_FOUND',
  'UMA_NOT_FOUND',
  'UNSUPPORTED_UMA_VERSION',
  'LNURLP_REQUEST_FAILED',
  'PAYREQ_REQUEST_FAILED',
  'COUNTERPARTY_PUBKEY_FETCH_ERROR',
  'NO_COMPATIBLE_UMA_VERSION',
  'UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY',
] as const satisfies Operation['errors']

const paymentEvents = [
  'OUTGOING_PAYMENT.PENDING',
  'OUTGOING_PAYMENT.PENDING_AUTHORIZATION',
  'OUTGOING_PAYMENT.PROCESSING',
  'OUTGOING_PAYMENT.COMPLETED',
  'OUTGOING_PAYMENT.FAILED',
  'OUTGOING_PAYMENT.EXPIRED',
  'INTERNAL_ACCOUNT.BALANCE_UPDATED',
] as const

const quotePath = Type.Object({ quoteId: Type.String() })

export const createQuote = operation({
  id: 'createQuote',
  method: 'POST',
  path: '/quotes',
  tag,
  summary: 'Create a quote',
  description:
    'Locks the rate, the fees and both amounts until expiresAt. With immediatelyExecute, the same request also executes the quote. If the response is 202, the customer has to authorize the payment first.',
  auth: 'basic',
  permissions: ['TRANSACT'],
  headers: idempotencyHeaders,
  body: QuoteRequest,
  responses: { 201: Quote, 202: Quote },
  errors: [
    'INVALID_AMOUNT',
    'AMOUNT_OUT_OF_RANGE',
    'INVALID_CURRENCY',
    'SELF_PAYMENT',
    'MISSING_MANDATORY_USER_INFO',
    'QUOTE_REQUEST_FAILED',
    'QUOTE_RATE_UNAVAILABLE',
    ...executionErrors,
    ...umaErrors,
    'NOT_IMPLEMENTED',
  ],
  events: paymentEvents,
  example: {
    source: { sourceType: 'ACCOUNT', accountId: 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70' },
    destination: {
      destinationType: 'ACCOUNT',
      accountId: 'ExternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f71',
    },
    lockedCurrencySide: 'SENDING',
    lockedCurrencyAmount: 10_000,
    description: 'Invoice 1234',
  },
})

export const listQuotes = operation({
  id: 'listQuotes',
  method: 'GET',
  path: '/quotes',
  tag,
  summary: 'List open quotes',
  description:
    'Returns quotes that are neither executed nor expired. For other quotes, read the transactions.',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    customerId: Type.Optional(repeatable(idOf('Customer', 'PlatformConfig'))),
    ...paging,
  }),
  responses: { 200: listOf('QuoteListResponse', Quote) },
  errors: [],
  extension: true,
})

export const getQuoteById = operation({
  id: 'getQuoteById',
  method: 'GET',
  path: '/quotes/{quoteId}',
  tag,
  summary: 'Read a quote',
  auth: 'basic',
  permissions: ['VIEW'],
  params: quotePath,
  responses: { 200: Quote },
  errors: ['QUOTE_NOT_FOUND'],
})

export const executeQuote = operation({
  id: 'executeQuote',
  method: 'POST',
  path: '/quotes/{quoteId}/execute',
  tag,
  summary: 'Execute a quote',
  description:
    'Debits the source immediately and starts the payment. A second execution returns 409 and never debits the source again. If the source is an embedded wallet, the wallet has to sign the payloadToSign of the quote.',
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: quotePath,
  headers: Type.Object({ ...idempotencyHeaders.properties, ...walletSignature }),
  body: Type.Object({ scaFactor: Type.Optional(ScaFactor) }, { $id: 'ExecuteQuoteRequest' }),
  bodyOptional: true,
  responses: { 200: Quote },
  errors: [
    'QUOTE_NOT_FOUND',
    'QUOTE_EXPIRED',
    'QUOTE_RATE_UNAVAILABLE',
    'CONFLICT',
    ...executionErrors,
    'WALLET_SIGNATURE_MISSING',
    'WALLET_SIGNATURE_MALFORMED',
    'WALLET_SIGNATURE_INVALID',
    'COUNTERPARTY_NOT_ALLOWED',
  ],
  events: paymentEvents,
})

export const authorizeQuote = operation({
  id: 'authorizeQuote',
  method: 'POST',
  path: '/quotes/{quoteId}/authorize',
  tag: scaTag,
  summary: 'Authorize a quote',
  description:
    "Sends the customer's proof for the scaChallenge of the quote. If the quote is still PENDING_AUTHORIZATION, send a proof for the next challenge. The customer needs a login session. A wrong proof counts as a failed attempt and leaves the challenge open.",
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: quotePath,
  body: ScaAuthorization,
  responses: { 200: Quote },
  errors: [
    'QUOTE_NOT_FOUND',
    'CONFLICT',
    'SCA_SESSION_REQUIRED',
    'ACCOUNT_LOCKED',
    'USER_NOT_READY',
    'END_USER_TERMS_NOT_ACCEPTED',
    'CUSTOMER_DELETED',
  ],
  events: paymentEvents,
  example: { code: '123456', endUserIpAddress: '203.0.113.42' },
})

export const resendQuoteScaCode = operation({
  id: 'resendQuoteScaCode',
  method: 'POST',
  path: '/quotes/{quoteId}/authorize/resend',
  tag: scaTag,
  summary: 'Resend the code of a quote',
  description: 'The challenge keeps its id and expiry. You can resend a code at most three times a minute.',
  auth: 'basic',
  permissions: ['TRANSACT'],
  params: quotePath,
  responses: { 204: null },
  errors: ['QUOTE_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED'],
})
