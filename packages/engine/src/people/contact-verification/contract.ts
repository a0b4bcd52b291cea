import Type from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import { Customer } from '../customers/contract.ts'

const tag = 'Contact Verification'

const customerPath = Type.Object({ customerId: Type.String() })

const ConfirmRequest = Type.Object(
  { code: Type.String({ minLength: 1, maxLength: 512, examples: ['123456'] }) },
  { $id: 'ContactVerificationConfirmRequest' },
)

export const sendCustomerEmailVerification = operation({
  id: 'sendCustomerEmailVerification',
  method: 'POST',
  path: '/customers/{customerId}/verify-email',
  tag,
  summary: 'Send a code to the e-mail address',
  description:
    'Only for customers in regions that require verified contact details. A new code replaces the previous code. Returns 501 if the installation has no provider for the message.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: customerPath,
  responses: { 204: null },
  errors: ['USER_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED', 'NOT_IMPLEMENTED'],
})

export const confirmCustomerEmailVerification = operation({
  id: 'confirmCustomerEmailVerification',
  method: 'POST',
  path: '/customers/{customerId}/verify-email/confirm',
  tag,
  summary: 'Confirm the e-mail address',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: customerPath,
  body: ConfirmRequest,
  responses: { 200: Customer },
  errors: ['USER_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED'],
  example: { code: '123456' },
})

export const sendCustomerPhoneVerification = operation({
  id: 'sendCustomerPhoneVerification',
  method: 'POST',
  path: '/customers/{customerId}/verify-phone',
  tag,
  summary: 'Send a code to the phone',
  description:
    'Only for customers in regions that require verified contact details. A new code replaces the previous code. Returns 501 if the installation has no provider for the message.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: customerPath,
  responses: { 204: null },
  errors: ['USER_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED', 'NOT_IMPLEMENTED'],
})

export const confirmCustomerPhoneVerification = operation({
  id: 'confirmCustomerPhoneVerification',
  method: 'POST',
  path: '/customers/{customerId}/verify-phone/confirm',
  tag,
  summary: 'Confirm the phone number',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: customerPath,
  body: ConfirmRequest,
  responses: { 200: Customer },
  errors: ['USER_NOT_FOUND', 'CONFLICT', 'CUSTOMER_DELETED'],
  example: { code: '123456' },
})
