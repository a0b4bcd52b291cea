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
    code: Type.String({
      description: 'Anyone with this code can claim the invitation.',
      examples: ['019542f5'],
    }),
    createdAt: timestamp(),
    claimedAt: Type.Optional(timestamp()),
    url: url({
      description: 'Link that the inviter sends to the invited person.',
      examples: ['https://pay.example.com/i/019542f5'],
    }),
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
    inviterUma: umaAddress({ description: 'UMA address of a customer of the platform.' }),
    firstName: Type.Optional(nameText({ examples: ['Alice'] })),
    amountToSend: Type.Optional(
      amountMinor({
        description:
          "Amount that the inviter intends to send after the claim, in the smallest unit of the inviter's primary currency. Corridor reserves and moves nothing.",
      }),
    ),
    expiresAt: Type.Optional(
      timestamp({
        description:
          'Expiry of the invitation. If absent, the invitation stays open until it is claimed or cancelled.',
      }),
    ),
  },
  { $id: 'UmaInvitationCreateRequest' },
)
export type UmaInvitationCreateRequest = Static<typeof UmaInvitationCreateRequest>

export const UmaInvitationClaimRequest = Type.Object(
  { inviteeUma: umaAddress({ description: 'Customer of the platform who claims the invitation.' }) },
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
  description: 'Any platform that knows the code can read the invitation.',
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
  description: "Sends INVITATION.CLAIMED to the inviter's platform, which then sends the promised amount.",
  auth: 'basic',
  permissions: ['MANAGE'],
  params: invitationPath,
  body: UmaInvitationClaimRequest,
  responses: { 200: UmaInvitation },
  answersApart: 'the claim is kept in the book of the platform that invites',
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
  description:
    'Only the platform that created the invitation can cancel it, and only before a customer claims it.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: invitationPath,
  responses: { 200: UmaInvitation },
  errors: ['INVITATION_NOT_FOUND', 'INVITATION_ALREADY_CLAIMED', 'INVITATION_CANCELLED'],
})
