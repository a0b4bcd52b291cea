import type { ErrorEntry } from './entry.ts'

/** 423, 424, 429 and 5xx: locked, out of reach, too much, or our own trouble. */
export const troubleErrors = {
  ACCOUNT_LOCKED: {
    status: 423,
    message: 'The customer is locked because of failed attempts.',
    advice: 'Wait until details.lockedUntil, or reset the factor.',
    details: ['suspended', 'lockedUntil', 'failedAttempts'],
  },
  LNURLP_REQUEST_FAILED: {
    status: 424,
    message: 'Corridor could not reach the counterparty for the lookup.',
    advice: 'Try again later.',
    retryable: true,
    details: ['counterpartyDomain'],
  },
  PAYREQ_REQUEST_FAILED: {
    status: 424,
    message: 'Corridor could not reach the counterparty for the pay request.',
    advice: 'Try again later.',
    retryable: true,
    details: ['counterpartyDomain'],
  },
  COUNTERPARTY_PUBKEY_FETCH_ERROR: {
    status: 424,
    message: 'Corridor could not fetch the public key of the counterparty.',
    advice: 'Try again later.',
    retryable: true,
    details: ['counterpartyDomain'],
  },
  NO_COMPATIBLE_UMA_VERSION: {
    status: 424,
    message: 'The counterparty and this service have no UMA version in common.',
    advice: 'Contact the counterparty institution.',
    details: ['supportedVersions'],
  },
  EMAIL_OTP_CREDENTIAL_SYNC_FAILED: {
    status: 424,
    message: 'Corridor could not update the credentials, and the customer is unchanged.',
    advice: 'Try again later.',
    retryable: true,
  },
  RATE_LIMITED: {
    status: 429,
    message: 'You have sent too many requests.',
    advice: 'Wait for the number of seconds in Retry-After, then try again.',
    retryable: true,
    details: ['scope'],
  },
  DAILY_VOLUME_LIMIT_EXCEEDED: {
    status: 429,
    message: 'The daily volume limit for this corridor is reached.',
    advice: 'Try again after details.resetsAt.',
    details: ['limit', 'used', 'currency', 'resetsAt'],
  },
  // 5xx: us
  SERVICE_SWITCH_ERROR: {
    status: 500,
    message: 'The payment switch failed.',
    advice: 'Retry with the same idempotency key.',
    retryable: true,
    details: ['requestId'],
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'An unexpected error occurred.',
    advice:
      'Retry with the same idempotency key. If the error persists, send details.requestId to the operator.',
    retryable: true,
    details: ['requestId'],
  },
  NOT_IMPLEMENTED: {
    status: 501,
    message: 'This installation does not support the operation or option.',
    advice: 'Ask the operator to configure the required provider, or use another option.',
    details: ['reason', 'field', 'rail', 'requestId'],
  },
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: {
    status: 501,
    message: 'The receiver requires information that this service does not support.',
    advice: 'Use another destination.',
    details: ['missingFields', 'requestId'],
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service or a provider is temporarily unavailable.',
    advice: 'Wait for the number of seconds in Retry-After, then retry with the same idempotency key.',
    retryable: true,
    details: ['reason', 'requestId'],
  },
} as const satisfies Record<string, ErrorEntry>
