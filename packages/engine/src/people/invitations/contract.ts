import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  amountMinor,
  CurrencyAmount,
  enumOf,
  nameText,
  timestamp,
  umaAddress,
  url,
} from '../../vocabulary/shapes.ts'

const tag = 'Invitations'

export const InvitationStatus = enumOf(['PENDING', 'CLAIMED', 'EXPIRED', 'CANCELLED'], {
  $id: 'UmaInvitationStatus',
})
export type InvitationStatus = Static<typeof InvitationStatus>

export const UmaInvitation = Type.Object(
  {
    code: Type.String({ description: 'Whoever holds it may claim the invitation.', examples: ['019542f5'] }),
    createdAt: timestamp(),
    claimedAt: Type.Optional(timestamp()),
    url: url({ description: 'What the inviter hands on.', examples: ['https://pay.example.com/i/019542f5'] }),
    expiresAt: Type.Optional(timestamp()),
    inviterUma: umaAddress(),
    inviteeUma: Type.Optional(umaAddress()),
    status: InvitationStatus,
    firstName: Type.Optional(Type.String({ examples: ['Alice'] })),
    amountToSend: Type.Optional(CurrencyAmount),
  },
  { $id: 'UmaInvitation' },
)
export type UmaInvitation = Static<typeof UmaInvitation>

export const UmaInvitationCreateRequest = Type.Object(
  {
    inviterUma: umaAddress({ description: 'A customer of the platform.' }),
    firstName: Type.Optional(nameText({ examples: ['Alice'] })),
    amountToSend: Type.Optional(
      amountMinor({
        description:
          "What the inviter means to send once the invitation is claimed, in the smallest unit of the inviter's primary currency. Nothing is reserved or moved.",
      }),
    ),
    expiresAt: Type.Optional(
      timestamp({ description: 'Open until it is claimed or cancelled when absent.' }),
    ),
  },
  { $id: 'UmaInvitationCreateRequest' },
)
export type UmaInvitationCreateRequest = Static<typeof UmaInvitationCreateRequest>

export const UmaInvitationClaimRequest = Type.Object(
  { inviteeUma: umaAddress({ description: 'A customer of the platform that claims it.' }) },
  { $id: 'UmaInvitationClaimRequest' },
)

const invitationPath = Type.Object({ invitationCode: Type.String() })

export const createInvitation = operation({
  id: 'createInvitation',
  method: 'POST',
  path: '/invitations',
  tag,
  summary: 'Create an invitation',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: UmaInvitationCreateRequest,
  responses: { 201: UmaInvitation },
  errors: ['INVALID_UMA_ADDRESS', 'INVITATIONS_NOT_CONFIGURED', 'INVALID_AMOUNT', 'AMOUNT_OUT_OF_RANGE'],
  example: { inviterUma: '$alice@payments.example.com', firstName: 'Alice', amountToSend: 12_550 },
})

export const getInvitation = operation({
  id: 'getInvitation',
  method: 'GET',
  path: '/invitations/{invitationCode}',
  tag,
  summary: 'Read an invitation',
  description: 'For every platform that holds the code.',
  auth: 'basic',
  permissions: ['VIEW'],
  params: invitationPath,
  responses: { 200: UmaInvitation },
  errors: ['INVITATION_NOT_FOUND'],
})

export const claimInvitation = operation({
  id: 'claimInvitation',
  method: 'POST',
  path: '/invitations/{invitationCode}/claim',
  tag,
  summary: 'Claim an invitation for a customer',
  description: "The inviter's platform is told with INVITATION.CLAIMED and sends what was promised.",
  auth: 'basic',
  permissions: ['MANAGE'],
  params: invitationPath,
  body: UmaInvitationClaimRequest,
  responses: { 200: UmaInvitation },
  errors: [
    'INVITATION_NOT_FOUND',
    'INVITATION_ALREADY_CLAIMED',
    'INVITATION_CANCELLED',
    'INVALID_UMA_ADDRESS',
    'SELF_PAYMENT',
  ],
  events: ['INVITATION.CLAIMED'],
  example: { inviteeUma: '$bob@wallet.example.com' },
})

export const cancelInvitation = operation({
  id: 'cancelInvitation',
  method: 'POST',
  path: '/invitations/{invitationCode}/cancel',
  tag,
  summary: 'Cancel an invitation',
  description: 'By the platform that created it, while nobody has claimed it.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: invitationPath,
  responses: { 200: UmaInvitation },
  errors: ['INVITATION_NOT_FOUND', 'INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED'],
})
