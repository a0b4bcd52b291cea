import type { ErrorEntry } from './entry.ts'

/** 404 and its neighbours 405, 410, 412 and 413: nothing there. */
export const missingErrors = {
  TRANSACTION_NOT_FOUND: {
    status: 404,
    message: 'The transaction was not found.',
    advice: 'Check the id and the environment of your credentials.',
    details: ['resourceType', 'id'],
  },
  USER_NOT_FOUND: {
    status: 404,
    message: 'The customer was not found.',
    advice: 'Check the id and the environment of your credentials.',
    details: ['resourceType', 'id', 'field'],
  },
  QUOTE_NOT_FOUND: {
    status: 404,
    message: 'The quote was not found.',
    advice: 'Check the id and the environment of your credentials.',
    details: ['resourceType', 'id'],
  },
  LOOKUP_REQUEST_NOT_FOUND: {
    status: 404,
    message: 'The lookup was not found or has expired.',
    advice: 'Look up the receiver again.',
    details: ['resourceType', 'id'],
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    message: 'The invitation was not found.',
    advice: 'Check the invitation code.',
    details: ['resourceType', 'id'],
  },
  TOKEN_NOT_FOUND: {
    status: 404,
    message: 'The token was not found.',
    advice: 'Check the id. Corridor does not keep deleted tokens.',
    details: ['resourceType', 'id'],
  },
  BULK_UPLOAD_JOB_NOT_FOUND: {
    status: 404,
    message: 'The import job was not found.',
    advice: 'Check the id and the environment of your credentials.',
    details: ['resourceType', 'id'],
  },
  STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND: {
    status: 404,
    message: 'The provider account was not found.',
    advice: 'Check the id.',
    details: ['resourceType', 'id'],
  },
  UMA_NOT_FOUND: {
    status: 404,
    message: 'No receiver has this UMA address.',
    advice: 'Check the address with the receiver.',
    details: ['umaAddress'],
  },
  REFERENCE_NOT_FOUND: {
    status: 404,
    message: 'The resource was not found.',
    advice: 'Check the path, the id and the environment of your credentials.',
    details: ['resourceType', 'id'],
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support the method.',
    advice: 'Use a method from the Allow header.',
    details: ['allowed'],
  },
  CUSTOMER_DELETED: {
    status: 410,
    message: 'The customer has been deleted.',
    advice: 'Create a new customer.',
    details: ['customerId'],
  },
  UNSUPPORTED_UMA_VERSION: {
    status: 412,
    message: 'The counterparty does not support any UMA version of this service.',
    advice: 'Contact the counterparty institution.',
    details: ['supportedVersions'],
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    wireCode: 'INVALID_INPUT',
    message: 'The request is too large.',
    advice: 'Send at most details.maxBytes bytes in the body, the headers or the URL.',
    details: ['maxBytes'],
  },
} as const satisfies Record<string, ErrorEntry>
