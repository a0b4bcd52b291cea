import Type from 'typebox'
import { type Operation, operation } from '../../vocabulary/operation.ts'
import {
  amountMinor,
  enumOf,
  idOf,
  nameText,
  paging,
  repeatable,
  timestamp,
  unsignedMinor,
} from '../../vocabulary/shapes.ts'
import {
  Card,
  CardCreateRequest,
  CardList,
  CardRevealResponse,
  CardState,
  CardUpdateRequest,
} from './card-schemas.ts'
import { CardMerchant, CardTransaction } from './card-transaction-schemas.ts'

const tag = 'Cards'
const cardPath = Type.Object({ id: Type.String() })

export const createCard = operation({
  id: 'createCard',
  method: 'POST',
  path: '/cards',
  tag,
  summary: 'Issue a card',
  description:
    'The card starts in PROCESSING. The event CARD.STATE_CHANGE reports when the card is ready for payments. Corridor charges purchases to the first funding source.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: CardCreateRequest,
  responses: { 201: Card },
  errors: [
    'INVALID_INPUT',
    'CARDHOLDER_KYC_NOT_APPROVED',
    'FUNDING_SOURCE_INELIGIBLE',
    'CONFLICT',
    'CARD_LIMIT_REACHED',
    'NOT_IMPLEMENTED',
  ],
  events: ['CARD.STATE_CHANGE'],
  example: {
    cardholderId: 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70',
    form: 'VIRTUAL',
    fundingSources: ['InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f71'],
    maxSpendPerTransaction: 5_000,
  },
})

export const listCards = operation({
  id: 'listCards',
  method: 'GET',
  path: '/cards',
  tag,
  summary: 'List cards',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    cardholderId: Type.Optional(repeatable(idOf('Customer'))),
    accountId: Type.Optional(
      repeatable(
        Type.Unsafe<string>({
          ...idOf('InternalAccount'),
          description: 'Returns the cards that this account funds.',
        }),
      ),
    ),
    platformCardId: Type.Optional(repeatable(nameText())),
    state: Type.Optional(repeatable(CardState)),
    ...paging,
  }),
  responses: { 200: CardList },
  errors: ['NOT_IMPLEMENTED'],
})

export const getCard = operation({
  id: 'getCardById',
  method: 'GET',
  path: '/cards/{id}',
  tag,
  summary: 'Read a card',
  auth: 'basic',
  permissions: ['VIEW'],
  params: cardPath,
  responses: { 200: Card },
  errors: ['REFERENCE_NOT_FOUND', 'NOT_IMPLEMENTED'],
})

export const updateCard = operation({
  id: 'updateCardById',
  method: 'PATCH',
  path: '/cards/{id}',
  tag,
  summary: 'Freeze, unfreeze or close a card, or change its funding sources and limits',
  description: 'Requires no signature of the cardholder, so that you can stop fraud immediately.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: cardPath,
  body: CardUpdateRequest,
  responses: { 200: Card },
  errors: [
    'INVALID_INPUT',
    'FUNDING_SOURCE_INELIGIBLE',
    'REFERENCE_NOT_FOUND',
    'INVALID_STATE_TRANSITION',
    'CARD_ALREADY_CLOSED',
    'CARD_NOT_MUTABLE',
    'NOT_IMPLEMENTED',
  ],
  events: ['CARD.STATE_CHANGE', 'CARD.FUNDING_SOURCE_CHANGE'],
  example: { state: 'FROZEN' },
})

export const revealCard = operation({
  id: 'revealCard',
  method: 'POST',
  path: '/cards/{id}/reveal',
  tag,
  summary: 'Create a link to a page that shows the card number',
  description: 'Embed the page in your app. No API response contains the card number itself.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: cardPath,
  responses: { 200: CardRevealResponse },
  secretFields: ['panEmbedUrl'],
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'CARD_NOT_MUTABLE', 'NOT_IMPLEMENTED'],
})

// Simulations

const claimed = () => amountMinor({ minimum: 0 })
const positive = () => amountMinor()

export const SandboxCardAuthorizationRequest = Type.Object(
  {
    amount: positive(),
    currency: Type.Object(
      {
        code: nameText({ maxLength: 16, examples: ['USD'] }),
        name: Type.Optional(Type.Unknown()),
        symbol: Type.Optional(Type.Unknown()),
        decimals: Type.Optional(Type.Unknown()),
      },
      { description: 'Corridor uses only the code.' },
    ),
    merchant: CardMerchant,
  },
  { $id: 'SandboxCardAuthorizationRequest' },
)
export const SandboxCardBalanceInquiryRequest = Type.Object(
  { merchant: CardMerchant },
  { $id: 'SandboxCardBalanceInquiryRequest' },
)
const cardTransactionId = idOf('CardTransaction')
export const SandboxCardClearingRequest = Type.Object(
  { cardTransactionId, amount: claimed() },
  { $id: 'SandboxCardClearingRequest' },
)
export const SandboxCardReturnRequest = Type.Object(
  { cardTransactionId, amount: positive() },
  { $id: 'SandboxCardReturnRequest' },
)
export const SandboxCardAuthorizationAdviceRequest = Type.Object(
  { cardTransactionId, amount: positive() },
  { $id: 'SandboxCardAuthorizationAdviceRequest' },
)
export const SandboxCardTransactionRefRequest = Type.Object(
  { cardTransactionId },
  { $id: 'SandboxCardTransactionRefRequest' },
)
const SandboxCardSimulationResponse = Type.Object(
  {
    issuerTransactionToken: Type.String({
      description:
        'Equals the field of the same name on the transaction, if the simulation created a transaction.',
      examples: ['f3a1c2d4-5b6e-7890-abcd-ef0123456789'],
    }),
  },
  { $id: 'SandboxCardSimulationResponse' },
)

const simulation = {
  method: 'POST',
  tag: 'Sandbox',
  auth: 'basic',
  sandboxOnly: true,
  permissions: ['TRANSACT'],
  params: cardPath,
  responses: { 202: SandboxCardSimulationResponse },
} as const

const decisionErrors = [
  'INVALID_INPUT',
  'INVALID_AMOUNT',
  'REFERENCE_NOT_FOUND',
] as const satisfies Operation['errors']
const followUpErrors = [...decisionErrors, 'TRANSACTION_NOT_FOUND'] as const

const exampleMerchant = { descriptor: 'CORNER CAFE LISBON', mcc: '5814', country: 'PT' }
const exampleAuthorization = { amount: 1_250, currency: { code: 'USD' }, merchant: exampleMerchant }
const exampleTransaction = 'CardTransaction:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'

const authorizationOf = <const N extends string, const I extends string>(name: N, id: I, summary: string) =>
  operation({
    ...simulation,
    id,
    path: `/sandbox/cards/{id}/simulate/${name}`,
    summary,
    body: SandboxCardAuthorizationRequest,
    errors: decisionErrors,
    events: ['CARD_TRANSACTION.AUTHORIZED', 'CARD_TRANSACTION.SETTLED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
    example: exampleAuthorization,
  })

/** Messages that ask for a decision; a refusal leaves no trace that a platform could see (cards 1.5). */
export const authorizationOperations = {
  authorization: authorizationOf(
    'authorization',
    'sandboxSimulateCardAuthorization',
    'Simulate a purchase authorization',
  ),
  financial_authorization: authorizationOf(
    'financial_authorization',
    'sandboxSimulateCardFinancialAuthorization',
    'Simulate a purchase that is authorized and cleared in one message',
  ),
  credit_authorization: authorizationOf(
    'credit_authorization',
    'sandboxSimulateCardCreditAuthorization',
    'Simulate the authorization of a credit from a merchant',
  ),
  credit_authorization_advice: authorizationOf(
    'credit_authorization_advice',
    'sandboxSimulateCardCreditAuthorizationAdvice',
    'Simulate a credit that the network has already approved',
  ),
  financial_credit_authorization: authorizationOf(
    'financial_credit_authorization',
    'sandboxSimulateCardFinancialCreditAuthorization',
    'Simulate a credit that is authorized and cleared in one message',
  ),
}

export const simulateBalanceInquiry = operation({
  ...simulation,
  id: 'sandboxSimulateCardBalanceInquiry',
  path: '/sandbox/cards/{id}/simulate/balance_inquiry',
  summary: 'Simulate a balance inquiry',
  body: SandboxCardBalanceInquiryRequest,
  errors: ['INVALID_INPUT', 'REFERENCE_NOT_FOUND'],
  example: { merchant: exampleMerchant },
})

export const simulateClearing = operation({
  ...simulation,
  id: 'sandboxSimulateCardClearing',
  path: '/sandbox/cards/{id}/simulate/clearing',
  summary: 'Simulate a clearing',
  description:
    'An authorization can have several clearings, and their sum can exceed the authorized amount. A clearing with an amount of zero ends the authorization.',
  body: SandboxCardClearingRequest,
  errors: followUpErrors,
  events: [
    'CARD_TRANSACTION.PARTIALLY_SETTLED',
    'CARD_TRANSACTION.SETTLED',
    'CARD_TRANSACTION.EXCEPTION',
    'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  ],
  example: { cardTransactionId: exampleTransaction, amount: 1_500 },
})

export const simulateReturn = operation({
  ...simulation,
  id: 'sandboxSimulateCardReturn',
  path: '/sandbox/cards/{id}/simulate/return',
  summary: 'Simulate a return of goods',
  body: SandboxCardReturnRequest,
  errors: [...followUpErrors, 'AMOUNT_OUT_OF_RANGE'],
  events: ['CARD_TRANSACTION.SETTLED', 'CARD_TRANSACTION.REFUNDED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
  example: { cardTransactionId: exampleTransaction, amount: 500 },
})

export const simulateAdvice = operation({
  ...simulation,
  id: 'sandboxSimulateCardAuthorizationAdvice',
  path: '/sandbox/cards/{id}/simulate/authorization_advice',
  summary: 'Simulate a change of the authorized amount',
  body: SandboxCardAuthorizationAdviceRequest,
  errors: followUpErrors,
  events: [
    'CARD_TRANSACTION.AUTHORIZED',
    'CARD_TRANSACTION.PARTIALLY_SETTLED',
    'CARD_TRANSACTION.SETTLED',
    'INTERNAL_ACCOUNT.BALANCE_UPDATED',
  ],
  example: { cardTransactionId: exampleTransaction, amount: 2_000 },
})

export const simulateReturnReversal = operation({
  ...simulation,
  id: 'sandboxSimulateCardReturnReversal',
  path: '/sandbox/cards/{id}/simulate/return_reversal',
  summary: 'Simulate the reversal of the last return',
  description:
    'The status of the transaction must be REFUNDED, which means that the full amount was returned.',
  body: SandboxCardTransactionRefRequest,
  errors: followUpErrors,
  events: ['CARD_TRANSACTION.SETTLED', 'CARD_TRANSACTION.EXCEPTION', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
  example: { cardTransactionId: exampleTransaction },
})

// The operator

const operator = { tag: 'Operator', auth: 'operator', role: 'OPERATOR', permissions: [] } as const

export const closeCard = operation({
  ...operator,
  id: 'operatorCloseCard',
  method: 'POST',
  path: '/operator/cards/{cardId}/close',
  summary: 'Close a card permanently',
  power: 'STOP',
  params: Type.Object({ cardId: Type.String() }),
  responses: { 200: Card },
  errors: ['REFERENCE_NOT_FOUND', 'CARD_ALREADY_CLOSED'],
  events: ['CARD.STATE_CHANGE'],
})

export const resolveException = operation({
  ...operator,
  id: 'operatorResolveCardException',
  method: 'POST',
  path: '/operator/card-transactions/{cardTransactionId}/resolve',
  summary: 'Charge the cardholder for an open EXCEPTION',
  power: 'REPAIR',
  params: Type.Object({ cardTransactionId: Type.String() }),
  responses: { 200: CardTransaction },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT', 'INSUFFICIENT_BALANCE'],
  events: ['CARD_TRANSACTION.SETTLED', 'CARD_TRANSACTION.AUTHORIZED', 'INTERNAL_ACCOUNT.BALANCE_UPDATED'],
})

export const listAttempts = operation({
  ...operator,
  id: 'operatorListCardAttempts',
  method: 'GET',
  path: '/operator/cards/{cardId}/attempts',
  summary: 'List recent authorizations of a card, including declined ones',
  params: Type.Object({ cardId: Type.String() }),
  responses: {
    200: Type.Object(
      {
        data: Type.Array(
          Type.Object({
            issuerTransactionToken: Type.String(),
            kind: Type.String(),
            amount: unsignedMinor(),
            currency: Type.Optional(Type.String()),
            merchant: CardMerchant,
            declineReason: Type.Optional(
              enumOf([
                'CARD_PAUSED',
                'CARD_CLOSED',
                'CARD_NOT_ACTIVE',
                'CURRENCY_NOT_SUPPORTED',
                'SPEND_LIMIT_EXCEEDED',
                'FUNDING_SOURCE_UNAVAILABLE',
                'INSUFFICIENT_FUNDS',
              ]),
            ),
            createdAt: timestamp(),
          }),
        ),
      },
      { $id: 'OperatorCardAttempts' },
    ),
  },
  errors: ['REFERENCE_NOT_FOUND'],
})
