import type { ErrorEntry } from './entry.ts'

/** 401 and 403: who is asking, and what they may not do. */
export const accessErrors = {
  UNAUTHORIZED: {
    status: 401,
    message: 'The credentials are missing or invalid.',
    advice: 'Send the client id and secret of an active token with HTTP Basic authentication.',
    details: ['reason'],
  },
  INVALID_SIGNATURE: {
    status: 401,
    message: 'The signature is not valid.',
    advice: 'Sign the exact bytes that you send.',
  },
  WALLET_SIGNATURE_MISSING: {
    status: 401,
    message: 'This action needs a wallet signature.',
    advice:
      'Sign payloadToSign with the session key and send the signature in the header Service-Wallet-Signature.',
    details: ['reason'],
  },
  WALLET_SIGNATURE_MALFORMED: {
    status: 401,
    message: 'Corridor cannot parse the wallet signature.',
    advice: 'Check the encoding of the Service-Wallet-Signature header.',
    details: ['reason'],
  },
  WALLET_SIGNATURE_BODY_MISMATCH: {
    status: 401,
    message: 'The body differs from the body of the first request.',
    advice: 'Send exactly the same body as in the first request.',
    details: ['reason'],
  },
  WALLET_SIGNATURE_INVALID: {
    status: 401,
    message: 'The wallet signature is not valid.',
    advice: 'Sign the exact payload with the key of an active session.',
    details: ['reason'],
  },
  REQUEST_ID_MISSING: {
    status: 401,
    message: 'The signed request has no Request-Id header.',
    advice: 'Send the requestId from the first response in the header Request-Id.',
    details: ['reason'],
  },
  // 403: not allowed
  FORBIDDEN: {
    status: 403,
    message: 'The credentials do not allow this operation.',
    advice: 'Use a token with the permission in details.requiredPermission.',
    details: ['requiredPermission', 'reason'],
  },
  USER_NOT_READY: {
    status: 403,
    message: 'The customer or account cannot currently move money.',
    advice: "Complete the customer's verification, or check the status of the account.",
    details: ['customerId', 'accountId', 'accountStatus', 'kycStatus', 'kybStatus'],
  },
  VELOCITY_LIMIT_EXCEEDED: {
    status: 403,
    message: 'The counterparty has exceeded its credit line or its payment rate.',
    advice: 'Try again later or with a smaller amount.',
    details: ['counterpartyDomain'],
  },
  COUNTERPARTY_NOT_ALLOWED: {
    status: 403,
    message: 'The counterparty is not allowed.',
    advice: 'Use a counterparty that is enabled for the platform.',
    details: ['counterpartyDomain'],
  },
  END_USER_TERMS_NOT_ACCEPTED: {
    status: 403,
    message: 'The customer has not accepted the terms.',
    advice: 'Record endUserTermsConsent on the customer.',
    details: ['customerId'],
  },
} as const satisfies Record<string, ErrorEntry>
