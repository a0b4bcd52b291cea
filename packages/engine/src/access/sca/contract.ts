import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { idOf, Proposed } from '../../vocabulary/shapes.ts'
import * as schemas from './sca-schemas.ts'

export type * from './sca-schemas.ts'

export const scaTag = 'Strong Customer Authentication'

const query = Type.Object({ customerId: idOf('Customer') })
const resetPath = Type.Object({ resetId: Type.String() })
/** Of every operation that names a customer: it does not exist, or strong authentication is not for it. */
const customerErrors = ['USER_NOT_FOUND', 'CONFLICT'] as const

export const listScaFactors = operation({
  id: 'listScaFactors',
  method: 'GET',
  path: '/sca/factors',
  tag: scaTag,
  summary: "List a customer's factors",
  description: "Returns 409 if strong customer authentication does not apply in the customer's region.",
  auth: 'basic',
  permissions: ['VIEW'],
  query,
  responses: { 200: schemas.ScaFactorList },
  errors: customerErrors,
})

export const startScaFactorEnrollment = operation({
  id: 'startScaFactorEnrollment',
  method: 'POST',
  path: '/sca/factors',
  tag: scaTag,
  summary: 'Start the enrolment of a factor',
  description:
    'Discards an unconfirmed enrolment of the same type. Confirm the new enrolment within 10 minutes.',
  auth: 'basic',
  permissions: ['MANAGE'],
  query,
  body: schemas.ScaFactorEnrollRequest,
  responses: { 200: schemas.ScaFactorEnrollStart },
  errors: [...customerErrors, 'PASSKEY_ALREADY_ENROLLED'],
  secretFields: ['secret', 'secretBase32Encoded', 'totpUri'],
  example: { type: 'TOTP' },
})

export const confirmScaFactorEnrollment = operation({
  id: 'confirmScaFactorEnrollment',
  method: 'POST',
  path: '/sca/factors/confirm',
  tag: scaTag,
  summary: 'Confirm the enrolment of a factor',
  auth: 'basic',
  permissions: ['MANAGE'],
  query,
  body: schemas.ScaFactorConfirmRequest,
  responses: { 200: schemas.ScaFactorConfirmResponse },
  errors: [...customerErrors, 'PASSKEY_ALREADY_ENROLLED'],
  secretFields: ['recoveryCodes'],
  example: { type: 'TOTP', secret: '3132333435363738393031323334353637383930', code: '123456' },
})

export const deleteScaFactor = operation({
  id: 'deleteScaFactor',
  method: 'DELETE',
  path: '/sca/factors/{credentialId}',
  tag: scaTag,
  summary: "Delete a customer's passkey",
  auth: 'basic',
  permissions: ['MANAGE'],
  params: Type.Object({ credentialId: Type.String() }),
  query,
  responses: { 204: null },
  errors: [...customerErrors, 'REFERENCE_NOT_FOUND'],
})

export const startScaLogin = operation({
  id: 'startScaLogin',
  method: 'POST',
  path: '/sca/login/start',
  tag: scaTag,
  summary: "Start a customer's login",
  description:
    'Voids an earlier login that was not completed. A locked or suspended customer can start a login but cannot complete it, because Corridor rejects the login before it checks the proof.',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  query,
  body: schemas.ScaLoginStartRequest,
  responses: { 200: schemas.ScaLoginStart },
  errors: customerErrors,
  example: { factor: 'SMS_OTP' },
})

export const completeScaLogin = operation({
  id: 'completeScaLogin',
  method: 'POST',
  path: '/sca/login/complete',
  tag: scaTag,
  summary: "Complete a customer's login",
  description: 'Opens a session of 180 days. The customer needs a session to authorize payments.',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  query,
  body: schemas.ScaLoginCompleteRequest,
  responses: { 200: schemas.ScaLoginComplete },
  errors: [...customerErrors, 'ACCOUNT_LOCKED'],
  example: {
    factor: 'SMS_OTP',
    challengeId: 'ScaChallenge:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70',
    code: '123456',
    endUserIpAddress: '203.0.113.42',
  },
})

export const recordSecurityEvent = operation({
  id: 'recordSecurityEvent',
  method: 'POST',
  path: '/sca/record-event',
  tag: scaTag,
  summary: 'Report a login event from your own app',
  description:
    'A failed login counts as a wrong proof. The fifth wrong proof locks the customer, and the ninth suspends the customer. A password reset lifts the lock or suspension and ends all sessions.',
  auth: 'basic',
  permissions: ['TRANSACT', 'MANAGE'],
  query,
  body: schemas.RecordSecurityEventRequest,
  responses: { 200: schemas.RecordSecurityEventResponse },
  errors: [...customerErrors, 'ACCOUNT_LOCKED'],
  example: { eventType: 'FAILED_LOGIN_ATTEMPT' },
})

export const startTwoFactorReset = operation({
  id: 'startTwoFactorReset',
  method: 'POST',
  path: '/sca/factors/reset',
  tag: scaTag,
  summary: 'Start the reset of a lost factor',
  description:
    'You can start a reset at most five times a day. After the customer passes a face check, you can complete the reset.',
  auth: 'basic',
  permissions: ['MANAGE'],
  query,
  body: schemas.TwoFactorResetStartRequest,
  responses: { 201: schemas.TwoFactorResetStart },
  errors: customerErrors,
  secretFields: ['livenessAccessToken'],
  example: { factor: 'TOTP' },
})

export const getTwoFactorResetStatus = operation({
  id: 'getTwoFactorResetStatus',
  method: 'GET',
  path: '/sca/factors/reset/{resetId}',
  tag: scaTag,
  summary: 'Read the reset of a factor',
  auth: 'basic',
  permissions: ['VIEW'],
  params: resetPath,
  query,
  responses: { 200: schemas.TwoFactorResetStatus },
  errors: [...customerErrors, 'REFERENCE_NOT_FOUND'],
})

export const completeTwoFactorReset = operation({
  id: 'completeTwoFactorReset',
  method: 'POST',
  path: '/sca/factors/reset/{resetId}/complete',
  tag: scaTag,
  summary: 'Complete the reset of a factor',
  description: 'Removes the factor or replaces the phone number, and ends all sessions of the customer.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: resetPath,
  query,
  body: schemas.TwoFactorResetCompleteRequest,
  bodyOptional: true,
  responses: { 204: null },
  errors: [...customerErrors, 'REFERENCE_NOT_FOUND'],
  example: { mobile: { countryCode: '+49', number: '15112345678' } },
})

// The operator's part: where no liveness provider decides

const reviewed = {
  tag: 'Operator',
  auth: 'operator',
  role: 'REVIEWER',
  permissions: [],
  params: resetPath,
  errors: ['REFERENCE_NOT_FOUND', 'CONFLICT'],
} as const

export const approveFactorReset = operation({
  id: 'operatorApproveFactorReset',
  method: 'POST',
  path: '/operator/sca-resets/{resetId}/approve',
  summary: 'Confirm the identity of the customer who lost a factor',
  ...reviewed,
  power: 'ACCESS',
  responses: { 200: schemas.TwoFactorResetStatus, 202: Proposed },
})

export const rejectFactorReset = operation({
  id: 'operatorRejectFactorReset',
  method: 'POST',
  path: '/operator/sca-resets/{resetId}/reject',
  summary: 'Reject the reset of a factor',
  ...reviewed,
  power: 'STOP',
  responses: { 200: schemas.TwoFactorResetStatus },
})
