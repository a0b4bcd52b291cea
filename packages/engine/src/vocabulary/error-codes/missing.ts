import type { ErrorEntry } from './entry.ts'

/** 404 and its neighbours 405, 410, 412 and 413: nothing there. */
export const missingErrors = {
  TRANSACTION_NOT_FOUND: {
    status: 404,
    message: 'There is no such transaction.',
    advice: 'Check the id and the environment of the credentials.',
    details: ['resourceType', 'id'],
  },
  USER_NOT_FOUND: {
    status: 404,
    message: 'There is no such customer.',
    advice: 'Check the id and the environment of the credentials.',
    details: ['resourceType', 'id', 'field'],
  },
  QUOTE_NOT_FOUND: {
    status: 404,
    message: 'There is no such quote.',
    advice: 'Check the id and the environment of the credentials.',
    details: ['resourceType', 'id'],
  },
  LOOKUP_REQUEST_NOT_FOUND: {
    status: 404,
    message: 'There is no such lookup, or it has expired.',
    advice: 'Look the receiver up again.',
    details: ['resourceType', 'id'],
  },
  INVITATION_NOT_FOUND: {
    status: 404,
    message: 'There is no such invitation.',
    advice: 'Check the invitation code.',
    details: ['resourceType', 'id'],
  },
  TOKEN_NOT_FOUND: {
    status: 404,
    message: 'There is no such token.',
    advice: 'Check the id; deleted tokens are gone.',
    details: ['resourceType', 'id'],
  },
  BULK_UPLOAD_JOB_NOT_FOUND: {
    status: 404,
    message: 'There is no such import job.',
    advice: 'Check the id and the environment of the credentials.',
    details: ['resourceType', 'id'],
  },
  STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND: {
    status: 404,
    message: 'There is no such provider account.',
    advice: 'Check the id.',
    details: ['resourceType', 'id'],
  },
  UMA_NOT_FOUND: {
    status: 404,
    message: 'There is no receiver with this UMA address.',
    advice: 'Check the address with the receiver.',
    details: ['umaAddress'],
  },
  REFERENCE_NOT_FOUND: {
    status: 404,
    message: 'There is no such resource.',
    advice: 'Check the path, the id and the environment of the credentials.',
    details: ['resourceType', 'id'],
  },
  METHOD_NOT_ALLOWED: {
    status: 405,
    message: 'This path does not support the method.',
    advice: 'Use one of the methods in the Allow header.',
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
    message: 'The counterparty does not speak a supported UMA version.',
    advice: 'Contact the counterparty institution.',
    details: ['supportedVersions'],
  },
  PAYLOAD_TOO_LARGE: {
    status: 413,
    wireCode: 'INVALID_INPUT',
    message: 'The request is too large.',
    advice: 'Send at most details.maxBytes: of body, of headers or of URL.',
    details: ['maxBytes'],
  },
} as const satisfies Record<string, ErrorEntry>
