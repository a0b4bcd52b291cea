import type { ErrorEntry } from './entry.ts'

/** 409: the state of the resource. Clients repeat a 409 by themselves unless told otherwise. */
export const conflictErrors = {
  TRANSACTION_NOT_PENDING_PLATFORM_APPROVAL: {
    status: 409,
    message: 'The transaction is not waiting for approval.',
    advice: 'Read the transaction to see its status.',
    details: ['status'],
  },
  TRANSACTION_NOT_CANCELLABLE: {
    status: 409,
    message: 'The transaction can no longer be cancelled.',
    advice: 'Read the transaction to see its status.',
    details: ['status'],
  },
  UMA_ADDRESS_EXISTS: {
    status: 409,
    message: 'The UMA address is already in use.',
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
    advice: 'Start the change again with a new challenge.',
  },
  PASSKEY_ALREADY_ENROLLED: {
    status: 409,
    message: 'The customer already has a passkey.',
    advice: 'Delete the existing passkey first.',
  },
  SCA_SESSION_REQUIRED: {
    status: 409,
    message: 'The customer has no active login session.',
    advice: 'Log the customer in, then send the request again.',
  },
  BENEFICIARY_TRUSTED: {
    status: 409,
    message: 'A trusted beneficiary cannot be deleted.',
    advice: 'Remove the trust in the beneficiary first, then delete the beneficiary.',
    details: ['externalAccountId'],
  },
  INVALID_STATE_TRANSITION: {
    status: 409,
    message: 'The resource cannot change from its current state to the requested state.',
    advice: 'Read the resource to see its current state.',
    details: ['from', 'to'],
  },
  CARD_ALREADY_CLOSED: {
    status: 409,
    message: 'The card is closed.',
    advice: 'No action is needed.',
  },
  CARD_NOT_MUTABLE: {
    status: 409,
    message: 'A closed card cannot be changed.',
    advice: 'Issue a new card.',
  },
  CARD_LIMIT_REACHED: {
    status: 409,
    message: 'The customer or the platform has the maximum number of open cards.',
    advice: 'Close a card first.',
    details: ['scope', 'limit'],
  },
  STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE: {
    status: 409,
    message: 'Enablement cannot be requested in the current state of the stablecoin.',
    advice:
      'If the state is ENABLED, no action is needed. If it is ENABLING, wait. If it is DISABLED, contact the operator.',
    details: ['gridOperationsStatus'],
  },
  QUOTE_EXPIRED: {
    status: 409,
    message: 'The quote has expired, and no money was moved.',
    advice: 'Create a new quote.',
    details: ['quoteId', 'expiresAt'],
  },
  QUOTE_RATE_UNAVAILABLE: {
    status: 409,
    message: 'The rate of the quote is no longer available, and no money was moved.',
    advice: 'Create a new quote.',
    details: ['quoteId', 'expiresAt'],
  },
  CONFLICT: {
    status: 409,
    message: 'The request conflicts with the current state.',
    advice: 'See details for the conflict, and read the resource.',
    details: [
      'reason',
      'status',
      'providerAccountId',
      'customerId',
      'externalAccountId',
      'quoteId',
      'accountId',
      'field',
      'resourceType',
      'id',
      'platformName',
    ],
  },
} as const satisfies Record<string, ErrorEntry>
