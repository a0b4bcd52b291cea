import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  enumOf,
  idOf,
  listOf,
  Proposed,
  plainText,
  timestamp,
  unsignedMinor,
} from '../../vocabulary/shapes.ts'
import { Customer } from '../customers/contract.ts'
import { Document } from '../documents/contract.ts'
import { Verification } from '../verifications/contract.ts'

/** How the operator's people decide about customers who wait for a review (customers 1.1). */

const tag = 'Operator'

const reviewPath = Type.Object({ verificationId: Type.String() })

const book = {
  platformId: Type.String(),
  environment: enumOf(['SANDBOX', 'PRODUCTION']),
}

const terms = {
  dueAt: timestamp({ description: 'Deadline for the decision, on the clock of the environment.' }),
  secondsLeft: Type.Integer({
    description: 'Seconds until the deadline. Negative if the deadline has passed.',
  }),
  amount: Type.Optional(
    Type.Object(
      {
        currency: enumOf(['USD']),
        atLeast: unsignedMinor({ description: 'In cents.' }),
        atMost: Type.Optional(
          unsignedMinor({ description: 'Upper bound in cents. If absent, there is no upper bound.' }),
        ),
      },
      {
        description: 'Expected monthly volume that the customer stated. Absent if the customer stated none.',
      },
    ),
  ),
  needsSecondPerson: Type.Boolean({
    description: 'True if the amount may exceed the limit up to which one person can decide.',
  }),
}

export const ReviewSummary = Type.Object(
  {
    verificationId: idOf('Verification'),
    customerId: idOf('Customer'),
    ...book,
    customerType: enumOf(['INDIVIDUAL', 'BUSINESS']),
    name: Type.Optional(Type.String({ description: 'Full name or legal name.' })),
    submittedAt: timestamp(),
    submission: Type.Integer({ minimum: 1, description: 'Number of this submission of the customer.' }),
    ...terms,
  },
  { $id: 'ReviewSummary' },
)
export type ReviewSummary = Static<typeof ReviewSummary>

/** All that a reviewer needs, numbers included: this never leaves the operator. */
export const Review = Type.Object(
  {
    ...book,
    ...terms,
    verification: Verification,
    customer: Customer,
    identifier: Type.Optional(Type.String({ description: "Number of the individual's document in idType." })),
    note: Type.Optional(Type.String({ description: 'Note of the reviewer.' })),
    documents: Type.Array(Document, {
      description: 'Documents of the customer and of its owners, oldest first.',
    }),
  },
  { $id: 'Review' },
)

export const listReviews = operation({
  id: 'operatorListReviews',
  method: 'GET',
  path: '/operator/reviews',
  tag,
  summary: 'List customers in review, longest wait first',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  responses: { 200: listOf('ReviewList', ReviewSummary) },
  errors: [],
})

export const getReview = operation({
  id: 'operatorGetReview',
  method: 'GET',
  path: '/operator/reviews/{verificationId}',
  tag,
  summary: 'Read a review with the customer, its owners and documents',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  params: reviewPath,
  responses: { 200: Review },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const getReviewFile = operation({
  id: 'operatorGetReviewFile',
  method: 'GET',
  path: '/operator/reviews/{verificationId}/documents/{documentId}',
  tag,
  summary: 'Read the file of a document in a review',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  params: Type.Object({ verificationId: Type.String(), documentId: Type.String() }),
  responses: {
    200: Type.Object(
      {
        fileName: Type.String(),
        contentType: Type.String(),
        content: Type.String({ description: 'File content in base64.' }),
      },
      { $id: 'ReviewFile' },
    ),
  },
  errors: ['REFERENCE_NOT_FOUND'],
})

export const approveReview = operation({
  id: 'operatorApproveReview',
  method: 'POST',
  path: '/operator/reviews/{verificationId}/approve',
  tag,
  summary: 'Approve a customer',
  description: 'Above a limit of the installation, a second operator has to approve the decision.',
  auth: 'operator',
  role: 'REVIEWER',
  power: 'DECISION',
  permissions: [],
  params: reviewPath,
  body: Type.Object({ note: Type.Optional(plainText()) }, { $id: 'ReviewApproveRequest' }),
  bodyOptional: true,
  responses: { 200: Verification, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  events: ['VERIFICATION.APPROVED', 'CUSTOMER.KYC_APPROVED', 'CUSTOMER.KYB_APPROVED'],
})

export const rejectReview = operation({
  id: 'operatorRejectReview',
  method: 'POST',
  path: '/operator/reviews/{verificationId}/reject',
  tag,
  summary: 'Reject a customer',
  description:
    'Only operators can read the reason. Above a limit of the installation, a second operator has to approve the decision.',
  auth: 'operator',
  role: 'REVIEWER',
  power: 'DECISION',
  permissions: [],
  params: reviewPath,
  body: Type.Object({ reason: plainText({ minLength: 1, pattern: '\\S' }) }, { $id: 'ReviewRejectRequest' }),
  responses: { 200: Verification, 202: Proposed },
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
  events: ['VERIFICATION.REJECTED', 'CUSTOMER.KYC_REJECTED', 'CUSTOMER.KYB_REJECTED'],
})
