import Type, { type Static } from 'typebox'
import { enumOf, idOf, listOf, nameText, nullable, timestamp, url } from '../../vocabulary/shapes.ts'

/** Shapes of cards (cards 1). */

export const CardState = enumOf(['PENDING_KYC', 'PROCESSING', 'ACTIVE', 'FROZEN', 'CLOSED'], {
  $id: 'CardState',
})
export type CardState = Static<typeof CardState>
export const CardStateReason = enumOf(['ISSUER_REJECTED', 'CLOSED_BY_PLATFORM', 'CLOSED_BY_GRID'], {
  $id: 'CardStateReason',
})
export type CardStateReason = Static<typeof CardStateReason>
export const CardBrand = enumOf(['VISA', 'MASTERCARD'], { $id: 'CardBrand' })
export const CardForm = enumOf(['VIRTUAL'], { $id: 'CardForm' })

const spendLimit = () =>
  Type.Integer({
    minimum: 1,
    maximum: 9_000_000_000_000_000,
    description: 'Maximum for a single authorization, in the smallest unit of the card currency.',
    examples: [5_000],
  })

export const Card = Type.Object(
  {
    id: idOf('Card'),
    cardholderId: idOf('Customer'),
    platformCardId: Type.Optional(Type.String({ examples: ['card-emp-ana-001'] })),
    state: CardState,
    stateReason: Type.Optional(
      Type.Unsafe<CardStateReason | null>({ anyOf: [CardStateReason, { type: 'null' }] }),
    ),
    brand: Type.Optional(CardBrand),
    form: CardForm,
    last4: Type.Optional(Type.String({ examples: ['4242'] })),
    expMonth: Type.Optional(Type.Integer({ minimum: 1, maximum: 12, examples: [12] })),
    expYear: Type.Optional(Type.Integer({ examples: [2029] })),
    fundingSources: Type.Array(idOf('InternalAccount'), {
      description: 'Funding sources in order of preference.',
    }),
    maxSpendPerTransaction: nullable(spendLimit()),
    currency: Type.Optional(Type.String({ examples: ['USD'], readOnly: true })),
    processorRef: Type.Optional(Type.String({ examples: ['card_b81c2a4f'], readOnly: true })),
    issuerRef: Type.Optional(Type.String({ examples: ['issuer_card_7a1b9c3d'], readOnly: true })),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'Card' },
)
export type Card = Static<typeof Card>

export const CardList = listOf('CardListResponse', Card)

const fundingSources = (options: { minItems?: number } = {}) =>
  Type.Array(idOf('InternalAccount'), {
    ...options,
    maxItems: 10,
    description: 'Internal accounts of the cardholder, in order of preference.',
  })

export const CardCreateRequest = Type.Object(
  {
    cardholderId: idOf('Customer'),
    platformCardId: Type.Optional(nameText({ pattern: '\\S', examples: ['card-emp-ana-001'] })),
    threeDSecurePassword: Type.Optional(
      nameText({
        description: 'Only for card programmes with a static password. Other programmes reject this field.',
      }),
    ),
    form: CardForm,
    fundingSources: fundingSources({ minItems: 1 }),
    maxSpendPerTransaction: Type.Optional(spendLimit()),
  },
  { $id: 'CardCreateRequest' },
)
export type CardCreateRequest = Static<typeof CardCreateRequest>

export const CardUpdateRequest = Type.Object(
  {
    state: Type.Optional(enumOf(['ACTIVE', 'FROZEN', 'CLOSED'])),
    // An empty list is refused with a better word than a schema has: see checkUpdate.
    fundingSources: Type.Optional(fundingSources()),
    maxSpendPerTransaction: Type.Optional(nullable(spendLimit())),
  },
  { $id: 'CardUpdateRequest' },
)
export type CardUpdateRequest = Static<typeof CardUpdateRequest>

export const CardRevealResponse = Type.Object(
  {
    panEmbedUrl: url({
      description: 'Page that shows the card number. The link is valid for a few minutes.',
    }),
    expiresAt: timestamp(),
  },
  { $id: 'CardRevealResponse' },
)
