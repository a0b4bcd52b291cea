import type { FieldError } from '@corridor/kernel'

/** One row of the registry: everything the platform says about one error code. */
export interface ErrorEntry {
  /** HTTP status, repeated in the body. */
  readonly status: number
  /** The code in the body where it differs from the key: 413 answers INVALID_INPUT (conventions 10). */
  readonly wireCode?: string
  /** For people, in English; never parsed and never holding input (conventions 12). */
  readonly message: string
  /** What the caller should do; printed in the error reference. */
  readonly advice: string
  /** Whether repeating the same request later can succeed (`x-should-retry`, conventions 6). */
  readonly retryable?: true
  /** The keys `details` may carry: a contract that callers may read. */
  readonly details?: readonly string[]
}

/**
 * Every error code of the API. Rules return a code with `fail`; only `dispatch` turns it into a
 * response. Source: conventions 12 and the error sections of each area.
 */
export const errorRegistry = {
  // 400: the request
  INVALID_INPUT: {
    status: 400,
    message: 'One or more fields are missing or invalid.',
    advice: 'Correct every field listed in details.errors and send the request again.',
    details: ['errors', 'field', 'reason', 'contactVerification'],
  },
  INVALID_REQUEST_FORMAT: {
    status: 400,
    message: 'The request body could not be read.',
    advice: 'Send one JSON object with Content-Type application/json, in UTF-8, without duplicate keys.',
    details: ['reason'],
  },
  END_USER_TERMS_VERSION_NOT_FOUND: {
    status: 400,
    message: 'The submitted terms version is not known.',
    advice: 'Send a version that GET /customers/end-user-terms has shown to the person.',
    details: ['termsVersion', 'currentVersion'],
  },
  MISSING_MANDATORY_USER_INFO: {
    status: 400,
    message: 'Information about the customer that this operation needs is missing.',
    advice: 'Supply the fields named in details and try again.',
    details: ['errors', 'field', 'missingFields'],
  },
  INVITATION_ALREADY_CLAIMED: {
    status: 400,
    message: 'The invitation has been claimed.',
    advice: 'Create a new invitation.',
    details: ['status', 'inviteeUma'],
  },
  INVITATION_CANCELLED: {
    status: 400,
    message: 'The invitation has been cancelled.',
    advice: 'Create a new invitation.',
    details: ['status'],
  },
  INVITATIONS_NOT_CONFIGURED: {
    status: 400,
    message: 'Invitations are not configured for this platform.',
    advice: 'Ask the operator to configure invitations.',
  },
  INVALID_UMA_ADDRESS: {
    status: 400,
    message: 'The UMA address is not valid.',
    advice: 'Use $name@domain with a domain that the platform may use.',
    details: ['umaAddress', 'errors', 'field'],
  },
  QUOTE_REQUEST_FAILED: {
    status: 400,
    message: 'The quote could not be priced.',
    advice: 'Try again in a moment.',
    retryable: true,
    details: ['reason'],
  },
  INVALID_PAYREQ_RESPONSE: {
    status: 400,
    message: 'The counterparty answered the pay request with invalid content.',
    advice: 'Contact the counterparty institution.',
    details: ['counterpartyDomain'],
  },
  PARSE_PAYREQ_RESPONSE_ERROR: {
    status: 400,
    message: 'The answer of the counterparty to the pay request could not be parsed.',
    advice: 'Contact the counterparty institution.',
    details: ['counterpartyDomain'],
  },
  INVALID_RECEIVER: {
    status: 400,
    message: 'The destination cannot receive this payment.',
    advice: 'Check the status and owner of the destination account.',
    details: ['accountId', 'status', 'reason'],
  },
  CERT_CHAIN_INVALID: {
    status: 400,
    message: 'The certificate chain of the counterparty is invalid.',
    advice: 'Contact the counterparty institution.',
    details: ['counterpartyDomain'],
  },
  CERT_CHAIN_EXPIRED: {
    status: 400,
    message: 'The certificate chain of the counterparty has expired.',
    advice: 'Contact the counterparty institution.',
    details: ['counterpartyDomain'],
  },
  INVALID_PUBKEY_FORMAT: {
    status: 400,
    message: 'The public key of the counterparty is malformed.',
    advice: 'Contact the counterparty institution.',
    details: ['counterpartyDomain'],
  },
  MISSING_REQUIRED_UMA_PARAMETERS: {
    status: 400,
    message: 'Required UMA parameters are missing.',
    advice: 'Send every parameter that the UMA protocol requires.',
    details: ['missingFields'],
  },
  SENDER_NOT_ACCEPTED: {
    status: 400,
    message: 'The counterparty does not accept this sender.',
    advice: 'Use another destination.',
    details: ['counterpartyDomain'],
  },
  AMOUNT_OUT_OF_RANGE: {
    status: 400,
    message: 'The amount is outside the allowed range.',
    advice: 'Choose an amount between details.min and details.max that is larger than the fees.',
    details: ['min', 'max', 'currency', 'reason'],
  },
  INVALID_CURRENCY: {
    status: 400,
    message: 'The currency is unknown, disabled or does not match.',
    advice: 'Use one of details.supported, or enable the currency in the configuration.',
    details: ['supported', 'currency', 'errors', 'field'],
  },
  INVALID_TIMESTAMP: {
    status: 400,
    message: 'The timestamp of the signed message is not acceptable.',
    advice: 'Check the clock of the sender.',
  },
  INVALID_NONCE: {
    status: 400,
    message: 'The nonce of the signed message has been used.',
    advice: 'Use a fresh nonce for every message.',
  },
  INVALID_BANK_ACCOUNT: {
    status: 400,
    message: 'The bank account details are not valid.',
    advice: 'Check the account details with their owner.',
    details: ['field', 'errors', 'status', 'accountId'],
  },
  SELF_PAYMENT: {
    status: 400,
    message: 'Source and destination are the same.',
    advice: 'Choose another destination.',
  },
  LOOKUP_REQUEST_FAILED: {
    status: 400,
    message: 'The receiver could not be looked up.',
    advice: 'Try again, or contact the counterparty institution.',
    details: ['counterpartyCode'],
  },
  PARSE_LNURLP_RESPONSE_ERROR: {
    status: 400,
    message: 'The lookup answer of the counterparty could not be parsed.',
    advice: 'Contact the counterparty institution.',
    details: ['counterpartyCode'],
  },
  INVALID_AMOUNT: {
    status: 400,
    message: 'Amounts are positive integers in the smallest unit of their currency.',
    advice: 'Send a positive integer, for example 12550 for 125.50 USD.',
    details: ['errors', 'field'],
  },
  WEBHOOK_ENDPOINT_NOT_SET: {
    status: 400,
    message: 'No webhook endpoint is configured.',
    advice: 'Set webhookEndpoint with PATCH /config, or pass a url.',
  },
  WEBHOOK_DELIVERY_ERROR: {
    status: 400,
    message: 'The webhook endpoint gave no HTTP answer.',
    advice: 'Check that the endpoint is reachable from this server.',
    details: ['reason'],
  },
  LOW_QUALITY: {
    status: 400,
    message: 'The document is not legible enough.',
    advice: 'Upload a sharper image.',
    details: ['documentType'],
  },
  DATA_MISMATCH: {
    status: 400,
    message: 'The document differs from the information given.',
    advice: 'Correct the information or upload the matching document.',
    details: ['documentType'],
  },
  EXPIRED: {
    status: 400,
    message: 'The document has expired.',
    advice: 'Upload a valid document.',
    details: ['documentType'],
  },
  SUSPECTED_FRAUD: {
    status: 400,
    message: 'The document was refused.',
    advice: 'Contact support.',
    details: ['documentType'],
  },
  UNSUITABLE_DOCUMENT: {
    status: 400,
    message: 'The file cannot be used as a document.',
    advice: 'Upload a PDF, JPEG or PNG file of at most 10 MB.',
    details: ['documentType', 'reason', 'maxBytes'],
  },
  INCOMPLETE: {
    status: 400,
    message: 'The document lacks pages or sides.',
    advice: 'Upload every page and both sides.',
    details: ['documentType'],
  },
  EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS: {
    status: 400,
    message: 'The wallet has an e-mail credential.',
    advice: 'Use the existing credential, or delete it first.',
    details: ['credentialId'],
  },
  SMS_OTP_CREDENTIAL_ALREADY_EXISTS: {
    status: 400,
    message: 'The wallet has an SMS credential.',
    advice: 'Use the existing credential, or delete it first.',
    details: ['credentialId'],
  },
  PASSKEY_CREDENTIAL_ALREADY_EXISTS: {
    status: 400,
    message: 'This passkey is registered.',
    advice: 'Use the existing credential.',
    details: ['credentialId'],
  },
  STABLECOIN_PROVIDER_ACCOUNT_INVALID: {
    status: 400,
    message: 'The provider account is not valid.',
    advice: 'Link the provider account again.',
  },
  STABLECOIN_PROVIDER_ACCOUNT_REVOKED: {
    status: 400,
    message: 'The provider account has been revoked.',
    advice: 'Link the provider account again.',
  },
  STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED: {
    status: 400,
    message: 'Several provider accounts are linked.',
    advice: 'Pass stablecoinProviderAccountId.',
  },
  CARDHOLDER_KYC_NOT_APPROVED: {
    status: 400,
    message: 'The cardholder has not been approved.',
    advice: 'Complete the verification of the cardholder.',
    details: ['kycStatus'],
  },
  FUNDING_SOURCE_INELIGIBLE: {
    status: 400,
    message: 'The account cannot fund a card.',
    advice: 'Use another account.',
    details: ['accountId', 'reason'],
  },
  TRANSACTION_SIZE_LIMIT_EXCEEDED: {
    status: 400,
    message: 'The amount is above the maximum for a single transaction.',
    advice: 'Send at most details.max at a time.',
    details: ['max', 'currency'],
  },
  EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED: {
    status: 400,
    message: 'The ownership of the destination wallet has not been verified.',
    advice: 'Complete the ownership challenge of the external account.',
    details: ['externalAccountId'],
  },
  INSUFFICIENT_BALANCE: {
    status: 400,
    message: 'The source account does not hold enough money.',
    advice: 'Fund the account, then send the request with a new idempotency key.',
    details: ['accountId', 'available', 'required', 'shortfall', 'currency'],
  },
  // 401: who is asking
  UNAUTHORIZED: {
    status: 401,
    message: 'The credentials are missing or not valid.',
    advice: 'Send the client id and secret of an active token with HTTP Basic authentication.',
    details: ['reason'],
  },
  INVALID_SIGNATURE: {
    status: 401,
    message: 'The signature is not valid.',
    advice: 'Sign the exact bytes that are sent.',
  },
  WALLET_SIGNATURE_MISSING: {
    status: 401,
    message: 'This action needs a wallet signature.',
    advice: 'Sign payloadToSign with the session key and send it as Service-Wallet-Signature.',
    details: ['reason'],
  },
  WALLET_SIGNATURE_MALFORMED: {
    status: 401,
    message: 'The wallet signature cannot be parsed.',
    advice: 'Check the encoding of the Service-Wallet-Signature header.',
    details: ['reason'],
  },
  WALLET_SIGNATURE_BODY_MISMATCH: {
    status: 401,
    message: 'The body differs from the one that was challenged.',
    advice: 'Repeat the exact body of the first request.',
    details: ['reason'],
  },
  WALLET_SIGNATURE_INVALID: {
    status: 401,
    message: 'The wallet signature does not verify.',
    advice: 'Sign the exact payload with the key of an active session.',
    details: ['reason'],
  },
  REQUEST_ID_MISSING: {
    status: 401,
    message: 'The signed retry lacks its Request-Id header.',
    advice: 'Send the requestId of the first answer as Request-Id.',
    details: ['reason'],
  },
  // 403: not allowed
  FORBIDDEN: {
    status: 403,
    message: 'The credentials do not allow this operation.',
    advice: 'Use a token with the permission named in details.requiredPermission.',
    details: ['requiredPermission', 'reason'],
  },
  USER_NOT_READY: {
    status: 403,
    message: 'The customer or account may not move money now.',
    advice: 'Complete the verification of the customer, or check the status of the account.',
    details: ['customerId', 'accountId', 'accountStatus', 'kycStatus', 'kybStatus'],
  },
  COUNTERPARTY_NOT_ALLOWED: {
    status: 403,
    message: 'The counterparty is not allowed.',
    advice: 'Use a counterparty that is enabled for the platform.',
    details: ['counterpartyDomain'],
  },
  VELOCITY_LIMIT_EXCEEDED: {
    status: 403,
    message: 'The velocity limit of the counterparty has been reached.',
    advice: 'Wait before sending again.',
  },
  END_USER_TERMS_NOT_ACCEPTED: {
    status: 403,
    message: 'The customer has not accepted the terms.',
    advice: 'Record endUserTermsConsent on the customer.',
    details: ['customerId'],
  },
  // 404 and neighbours: nothing there
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
  // 409: the state of the resource
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: {
    status: 409,
    message: 'The transaction awaits no approval.',
    advice: 'Read the transaction; somebody or something has decided.',
    details: ['status'],
  },
  TRANSACTION_NOT_CANCELLABLE: {
    status: 409,
    message: 'The transaction can no longer be cancelled.',
    advice: 'Read the transaction for its final state.',
    details: ['status'],
  },
  UMA_ADDRESS_EXISTS: {
    status: 409,
    message: 'The UMA address is taken.',
    advice: 'Choose another address.',
    details: ['umaAddress'],
  },
  EMAIL_OTP_EMAIL_ALREADY_EXISTS: {
    status: 409,
    message: 'The e-mail address belongs to another credential.',
    advice: 'Use another address.',
  },
  EMAIL_OTP_CREDENTIAL_SET_CHANGED: {
    status: 409,
    message: 'The credentials changed after the challenge.',
    advice: 'Start the update again.',
  },
  PASSKEY_ALREADY_ENROLLED: {
    status: 409,
    message: 'The customer has a passkey.',
    advice: 'Delete the enrolled passkey first.',
  },
  SCA_SESSION_REQUIRED: {
    status: 409,
    message: 'The customer has no active login session.',
    advice: 'Log the customer in, then send the request again.',
  },
  BENEFICIARY_TRUSTED: {
    status: 409,
    message: 'A trusted beneficiary cannot be deleted.',
    advice: 'Untrust the beneficiary and confirm, then delete it.',
    details: ['externalAccountId'],
  },
  INVALID_STATE_TRANSITION: {
    status: 409,
    message: 'The requested state does not follow from the current one.',
    advice: 'Read the resource for its current state.',
    details: ['from', 'to'],
  },
  CARD_ALREADY_CLOSED: {
    status: 409,
    message: 'The card is closed.',
    advice: 'Nothing is left to do.',
  },
  CARD_NOT_MUTABLE: {
    status: 409,
    message: 'A closed card cannot be changed.',
    advice: 'Issue a new card.',
  },
  CARD_LIMIT_REACHED: {
    status: 409,
    message: 'The maximum number of live cards is reached.',
    advice: 'Close a card first.',
  },
  STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE: {
    status: 409,
    message: 'Enablement cannot be requested in this state.',
    advice: 'Wait for the operator.',
  },
  QUOTE_EXPIRED: {
    status: 409,
    message: 'The quote has expired; nothing was exchanged.',
    advice: 'Create a new quote.',
    details: ['quoteId', 'expiresAt'],
  },
  QUOTE_RATE_UNAVAILABLE: {
    status: 409,
    message: 'The rate of the quote is no longer available; nothing was exchanged.',
    advice: 'Create a new quote.',
    details: ['quoteId', 'expiresAt'],
  },
  CONFLICT: {
    status: 409,
    message: 'The request conflicts with the current state.',
    advice: 'Read the resource; details says what it conflicts with.',
    details: [
      'reason',
      'status',
      'customerId',
      'externalAccountId',
      'quoteId',
      'accountId',
      'field',
      'resourceType',
      'id',
    ],
  },
  // 423, 424, 429
  ACCOUNT_LOCKED: {
    status: 423,
    message: 'The customer is locked after failed attempts.',
    advice: 'Wait until details.lockedUntil, or reset the factor.',
    details: ['suspended', 'lockedUntil', 'failedAttempts'],
  },
  LNURLP_REQUEST_FAILED: {
    status: 424,
    message: 'The counterparty could not be reached for the lookup.',
    advice: 'Try again later.',
    retryable: true,
    details: ['counterpartyDomain'],
  },
  PAYREQ_REQUEST_FAILED: {
    status: 424,
    message: 'The counterparty could not be reached for the pay request.',
    advice: 'Try again later.',
    retryable: true,
    details: ['counterpartyDomain'],
  },
  COUNTERPARTY_PUBKEY_FETCH_ERROR: {
    status: 424,
    message: 'The public key of the counterparty could not be fetched.',
    advice: 'Try again later.',
    retryable: true,
    details: ['counterpartyDomain'],
  },
  NO_COMPATIBLE_UMA_VERSION: {
    status: 424,
    message: 'No common UMA version was found.',
    advice: 'Contact the counterparty institution.',
    details: ['supportedVersions'],
  },
  EMAIL_OTP_CREDENTIAL_SYNC_FAILED: {
    status: 424,
    message: 'The credentials could not be updated; the customer is unchanged.',
    advice: 'Try again later.',
    retryable: true,
  },
  RATE_LIMITED: {
    status: 429,
    message: 'Too many requests.',
    advice: 'Wait for the number of seconds in Retry-After.',
    retryable: true,
    details: ['scope'],
  },
  DAILY_VOLUME_LIMIT_EXCEEDED: {
    status: 429,
    message: 'The daily volume of this corridor is used up.',
    advice: 'Try again after details.resetsAt.',
    details: ['limit', 'used', 'currency', 'resetsAt'],
  },
  // 5xx: us
  SERVICE_SWITCH_ERROR: {
    status: 500,
    message: 'The payment switch failed.',
    advice: 'Repeat with the same idempotency key.',
    retryable: true,
    details: ['requestId'],
  },
  INTERNAL_ERROR: {
    status: 500,
    message: 'An unexpected error happened.',
    advice: 'Repeat with the same idempotency key; report details.requestId if it stays.',
    retryable: true,
    details: ['requestId'],
  },
  NOT_IMPLEMENTED: {
    status: 501,
    message: 'This is not supported by this installation.',
    advice: 'Configure the provider that it needs, or use another option.',
    details: ['reason', 'field', 'rail', 'requestId'],
  },
  UNRECOGNIZED_MANDATORY_PAYEE_DATA_KEY: {
    status: 501,
    message: 'The receiver demands information this service does not know.',
    advice: 'Use another destination.',
    details: ['missingFields', 'requestId'],
  },
  SERVICE_UNAVAILABLE: {
    status: 503,
    message: 'The service or a provider is temporarily unavailable.',
    advice: 'Repeat with the same idempotency key after Retry-After seconds.',
    retryable: true,
    details: ['reason', 'requestId'],
  },
} as const satisfies Record<string, ErrorEntry>

export type ErrorCode = keyof typeof errorRegistry

type DetailKey<C extends ErrorCode> = (typeof errorRegistry)[C] extends { details: readonly (infer K)[] }
  ? K & string
  : never

export type FailureDetails<C extends ErrorCode = ErrorCode> = { readonly [K in DetailKey<C>]?: unknown }

/** A refusal on its way to the caller. Rules return it; nothing throws it. */
export interface Failure {
  readonly code: ErrorCode
  readonly details: Readonly<Record<string, unknown>>
  /** Seconds for the Retry-After header, where the code has one. */
  readonly retryAfterSeconds?: number
}

/** A failure with this code. Unknown codes and detail keys outside its registry row do not compile. */
export function fail<C extends ErrorCode>(code: C, details?: FailureDetails<C>): Failure {
  return { code, details: details ?? {} }
}

/** The failure for wrong fields: all of them at once, and `field` as well when it is just one. */
export function failFields(errors: readonly FieldError[], code: FieldErrorCode = 'INVALID_INPUT'): Failure {
  const [only] = errors
  return { code, details: errors.length === 1 && only ? { errors, field: only.field } : { errors } }
}

/**
 * A wrong field whose kind has a code of its own. The answer has that code when every wrong field shares
 * it, and INVALID_INPUT when it is one kind among others (customers 4.2). `details` go with the code.
 */
export interface FieldProblem extends FieldError {
  readonly code?: FieldErrorCode
  readonly details?: Readonly<Record<string, unknown>>
}

export type FieldErrorCode =
  | 'INVALID_INPUT'
  | 'INVALID_AMOUNT'
  | 'INVALID_CURRENCY'
  | 'INVALID_BANK_ACCOUNT'
  | 'INVALID_UMA_ADDRESS'
  | 'MISSING_MANDATORY_USER_INFO'

export function entryOf(code: ErrorCode): ErrorEntry {
  return errorRegistry[code]
}
