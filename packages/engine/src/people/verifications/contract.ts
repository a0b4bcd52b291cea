import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  enumOf,
  idempotencyHeaders,
  idOf,
  listOf,
  paging,
  repeatable,
  timestamp,
  url,
} from '../../vocabulary/shapes.ts'
import { DocumentType } from '../documents/contract.ts'

export type { DocumentType } from '../documents/contract.ts'

const tag = 'KYC/KYB Verifications'

/** IN_PROGRESS and READY_FOR_VERIFICATION are known to clients and never produced here (customers 10.1). */
export const VerificationStatus = enumOf(
  [
    'RESOLVE_ERRORS',
    'PENDING_MANUAL_REVIEW',
    'IN_PROGRESS',
    'APPROVED',
    'REJECTED',
    'READY_FOR_VERIFICATION',
  ],
  { $id: 'VerificationStatus' },
)
export type VerificationStatus = Static<typeof VerificationStatus>

const VerificationErrorType = enumOf(
  [
    'MISSING_FIELD',
    'INVALID_FIELD',
    'MISSING_LEGAL_PRESENCE_DOCUMENT',
    'MISSING_CONTROL_STRUCTURE_DOCUMENT',
    'MISSING_OWNERSHIP_STRUCTURE_DOCUMENT',
    'MISSING_PROOF_OF_ADDRESS_DOCUMENT',
    'MISSING_IDENTITY_DOCUMENT',
    'MISSING_GOOD_STANDING_DOCUMENT',
    'MISSING_BENEFICIAL_OWNER',
    'MISSING_CONTROL_PERSON',
    'INVALID_DOCUMENT',
    'EXPIRED_DOCUMENT',
    'POOR_QUALITY_DOCUMENT',
    'SUSPECTED_FRAUD_DOCUMENT',
    'WRONG_DOCUMENT_TYPE',
    'INCOMPLETE_DOCUMENT',
    'UNREADABLE_DOCUMENT',
    'DOCUMENT_VERIFICATION_FAILED',
    'APPLICANT_SANCTIONED',
    'APPLICANT_FRAUD',
    'APPLICANT_CRIMINAL_RECORD',
    'APPLICANT_REJECTED',
  ],
  { $id: 'VerificationErrorType' },
)

export const VerificationError = Type.Object(
  {
    resourceId: idOf('Customer', 'BeneficialOwner', 'Document'),
    type: VerificationErrorType,
    field: Type.Optional(
      Type.String({ description: 'Path of the field.', examples: ['customer.address.line1'] }),
    ),
    acceptedDocumentTypes: Type.Optional(Type.Array(DocumentType)),
    reason: Type.String({ description: 'Explanation for people.' }),
  },
  { $id: 'VerificationError' },
)
export type VerificationError = Static<typeof VerificationError>

export const Verification = Type.Object(
  {
    id: idOf('Verification'),
    customerId: idOf('Customer'),
    verificationStatus: VerificationStatus,
    errors: Type.Array(VerificationError, { description: 'All errors to resolve. Empty if there are none.' }),
    createdAt: timestamp(),
    updatedAt: timestamp(),
  },
  { $id: 'Verification' },
)
export type Verification = Static<typeof Verification>

export const VerificationList = listOf('VerificationListResponse', Verification)

export const KycLinkCreateRequest = Type.Object(
  {
    redirectUri: Type.Optional(
      url({ description: 'Page to which the person returns afterwards. The URL must use https.' }),
    ),
  },
  { $id: 'KycLinkCreateRequest' },
)

export const KycLinkResponse = Type.Object(
  {
    kycUrl: Type.String({
      description:
        'Link to the hosted form. The link stops working at `expiresAt` or after one completed submission, whichever comes first.',
    }),
    expiresAt: timestamp(),
    provider: enumOf(['SUMSUB'], { $id: 'KycProvider' }),
    token: Type.Optional(
      Type.String({ description: "Token with which you can embed the provider's form instead." }),
    ),
  },
  { $id: 'KycLinkResponse' },
)
export type KycLinkResponse = Static<typeof KycLinkResponse>

export const createCustomerKycLink = operation({
  id: 'createCustomerKycLink',
  method: 'POST',
  path: '/customers/{customerId}/kyc-link',
  tag,
  summary: 'Create a hosted verification link',
  description:
    'The link starts KYC for an individual or KYB for a business. Creating a link changes no status. When the person reaches redirectUri, the form is complete, but the customer may not be approved yet.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: Type.Object({ customerId: Type.String() }),
  headers: idempotencyHeaders,
  body: KycLinkCreateRequest,
  bodyOptional: true,
  responses: { 201: KycLinkResponse },
  errors: ['USER_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED'],
  events: [
    'VERIFICATION.APPROVED',
    'VERIFICATION.REJECTED',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.PENDING_MANUAL_REVIEW',
  ],
  example: { redirectUri: 'https://app.example.com/onboarding/completed' },
})

export const listVerifications = operation({
  id: 'listVerifications',
  method: 'GET',
  path: '/verifications',
  tag,
  summary: 'List verifications',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    customerId: Type.Optional(repeatable(idOf('Customer'))),
    verificationStatus: Type.Optional(repeatable(VerificationStatus)),
    ...paging,
  }),
  responses: { 200: VerificationList },
  errors: [],
})

export const createVerification = operation({
  id: 'createVerification',
  method: 'POST',
  path: '/verifications',
  tag,
  summary: 'Submit a customer for verification',
  description:
    'If information is missing, the response has the status RESOLVE_ERRORS and lists all missing information. You cannot submit an APPROVED or REJECTED customer again.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: Type.Object({ customerId: idOf('Customer') }, { $id: 'VerificationRequest' }),
  responses: { 200: Verification },
  errors: ['USER_NOT_FOUND'],
  events: [
    'VERIFICATION.APPROVED',
    'VERIFICATION.REJECTED',
    'VERIFICATION.RESOLVE_ERRORS',
    'VERIFICATION.PENDING_MANUAL_REVIEW',
    'CUSTOMER.KYC_PENDING',
    'CUSTOMER.KYC_APPROVED',
    'CUSTOMER.KYC_REJECTED',
    'CUSTOMER.KYB_APPROVED',
    'CUSTOMER.KYB_REJECTED',
  ],
  example: { customerId: 'Customer:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70' },
})

export const getVerification = operation({
  id: 'getVerification',
  method: 'GET',
  path: '/verifications/{verificationId}',
  tag,
  summary: 'Read a verification',
  auth: 'basic',
  permissions: ['VIEW'],
  params: Type.Object({ verificationId: Type.String() }),
  responses: { 200: Verification },
  errors: ['REFERENCE_NOT_FOUND'],
})
