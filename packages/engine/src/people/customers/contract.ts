import Type, { type Static } from 'typebox'
import { operation } from '../../vocabulary/operation.ts'
import {
  currencyCode,
  listOf,
  paging,
  plainText,
  repeatable,
  SignedRequestChallenge,
  signedRetryHeaders,
  timeFilters,
  umaAddress,
} from '../../vocabulary/shapes.ts'
import { KycStatus } from '../person/person-schemas.ts'
import { KybStatus } from './business-schemas.ts'
import { Customer, CustomerCreateRequest, CustomerType, CustomerUpdateRequest } from './customer-schemas.ts'

export { BusinessInfo } from './business-schemas.ts'
export {
  BusinessCustomer,
  BusinessCustomerCreateRequest,
  Customer,
  CustomerCreateRequest,
  CustomerType,
  CustomerUpdateRequest,
  EndUserTermsConsent,
  IndividualCustomer,
  IndividualCustomerCreateRequest,
} from './customer-schemas.ts'

const tag = 'Customers'

export const CustomerList = listOf('CustomerListResponse', Customer)

export const EndUserTerms = Type.Object(
  { version: Type.String({ examples: ['V1'] }), url: Type.String({ format: 'uri' }) },
  { $id: 'EndUserTerms' },
)
export type EndUserTerms = Static<typeof EndUserTerms>

const customerPath = Type.Object({ customerId: Type.String() })

export const listCustomers = operation({
  id: 'listCustomers',
  method: 'GET',
  path: '/customers',
  tag,
  summary: 'List customers',
  auth: 'basic',
  permissions: ['VIEW'],
  query: Type.Object({
    platformCustomerId: Type.Optional(repeatable(plainText({ description: 'The match is exact.' }))),
    customerType: Type.Optional(repeatable(CustomerType)),
    ...timeFilters,
    region: Type.Optional(repeatable(plainText({ description: 'The match ignores case.' }))),
    currency: Type.Optional(
      repeatable(currencyCode({ description: 'Matches customers with this currency.' })),
    ),
    umaAddress: Type.Optional(repeatable(umaAddress({ description: 'You can omit the leading $.' }))),
    kycStatus: Type.Optional(repeatable(KycStatus)),
    kybStatus: Type.Optional(repeatable(KybStatus)),
    email: Type.Optional(repeatable(plainText({ description: 'The full address. The match ignores case.' }))),
    isIncludingDeleted: Type.Optional(Type.Boolean({ default: false })),
    ...paging,
  }),
  responses: { 200: CustomerList },
  errors: ['METHOD_NOT_ALLOWED'],
})

export const createCustomer = operation({
  id: 'createCustomer',
  method: 'POST',
  path: '/customers',
  tag,
  summary: 'Create a customer',
  description:
    'The customer gets a UMA address and one internal account per currency. If fields are invalid, details.errors lists all invalid fields.',
  auth: 'basic',
  permissions: ['MANAGE'],
  body: CustomerCreateRequest,
  responses: { 201: Customer },
  errors: [
    'MISSING_MANDATORY_USER_INFO',
    'INVALID_UMA_ADDRESS',
    'INVALID_CURRENCY',
    'END_USER_TERMS_VERSION_NOT_FOUND',
    'METHOD_NOT_ALLOWED',
    'UMA_ADDRESS_EXISTS',
    'CONFLICT',
    'NOT_IMPLEMENTED',
  ],
  events: ['CUSTOMER.KYC_PENDING', 'CUSTOMER.KYC_APPROVED', 'CUSTOMER.KYC_REJECTED'],
  example: {
    customerType: 'INDIVIDUAL',
    platformCustomerId: 'user-4711',
    region: 'US',
    currencies: ['USD', 'EUR'],
    fullName: 'Ana Lopez',
    birthDate: '1990-04-23',
    nationality: 'US',
    address: {
      line1: '123 Main Street',
      city: 'San Francisco',
      state: 'CA',
      postalCode: '94105',
      country: 'US',
    },
  },
})

export const getCustomerById = operation({
  id: 'getCustomerById',
  method: 'GET',
  path: '/customers/{customerId}',
  tag,
  summary: 'Read a customer',
  description: 'You can still read a deleted customer. The field isDeleted is then true.',
  auth: 'basic',
  permissions: ['VIEW'],
  params: customerPath,
  responses: { 200: Customer },
  errors: ['USER_NOT_FOUND'],
})

export const updateCustomerById = operation({
  id: 'updateCustomerById',
  method: 'PATCH',
  path: '/customers/{customerId}',
  tag,
  summary: 'Change a customer',
  description:
    'Fields that you omit do not change, null clears an optional field, and businessInfo is merged. If the e-mail address or phone number unlocks an embedded wallet, a change needs a signature. The first response is then 202. Nothing changes until you sign payloadToSign and repeat the request with the headers `Service-Wallet-Signature` and `Request-Id`.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: customerPath,
  headers: signedRetryHeaders,
  body: CustomerUpdateRequest,
  responses: { 200: Customer, 202: SignedRequestChallenge },
  errors: [
    'MISSING_MANDATORY_USER_INFO',
    'INVALID_UMA_ADDRESS',
    'INVALID_CURRENCY',
    'END_USER_TERMS_VERSION_NOT_FOUND',
    'REQUEST_ID_MISSING',
    'WALLET_SIGNATURE_MISSING',
    'WALLET_SIGNATURE_MALFORMED',
    'WALLET_SIGNATURE_BODY_MISMATCH',
    'WALLET_SIGNATURE_INVALID',
    'USER_NOT_FOUND',
    'UMA_ADDRESS_EXISTS',
    'EMAIL_OTP_EMAIL_ALREADY_EXISTS',
    'EMAIL_OTP_CREDENTIAL_SET_CHANGED',
    'CONFLICT',
    'CUSTOMER_DELETED',
    'EMAIL_OTP_CREDENTIAL_SYNC_FAILED',
  ],
  example: { customerType: 'INDIVIDUAL', phoneNumber: '+14155551234' },
})

export const deleteCustomerById = operation({
  id: 'deleteCustomerById',
  method: 'DELETE',
  path: '/customers/{customerId}',
  tag,
  summary: 'Delete a customer',
  description:
    'The platformCustomerId and the UMA address become available again. Payments in progress continue. You can still read the internal accounts, but they accept no new payments. If the customer owes money, the response is 409. Collect the receivables first.',
  auth: 'basic',
  permissions: ['MANAGE'],
  params: customerPath,
  responses: { 200: Customer },
  errors: ['USER_NOT_FOUND', 'CUSTOMER_DELETED', 'CONFLICT'],
})

export const getEndUserTerms = operation({
  id: 'getEndUserTerms',
  method: 'GET',
  path: '/customers/end-user-terms',
  tag,
  summary: 'Read the current terms for end users',
  description:
    'Show these terms to the person, then record the acceptance and the version of the terms in endUserTermsConsent.',
  auth: 'basic',
  permissions: ['VIEW'],
  responses: { 200: EndUserTerms },
  errors: [],
})
