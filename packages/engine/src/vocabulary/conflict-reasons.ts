/** What each `details.reason` of a CONFLICT means, as the message of the answer says it to people. */
export const conflictReasons = {
  ACCOUNT_NOT_ACTIVE: 'The account is not active.',
  ALREADY_PAUSED: 'Exactly these payouts are paused; `id` is the pause.',
  APPROVED: 'Somebody has approved it already.',
  AGENT_CONNECTED: 'The agent is connected already; a device code is for one that is not.',
  ASKED_ONCE: 'The event asks something, and is asked once.',
  AUDIT_UNDER_WAY: 'The first audit is running. Ask again in a while.',
  BALANCE_NOT_ZERO: 'The account still holds money.',
  CARD_NOT_READY: 'The card is not ready: it is being issued, or could not be.',
  CODE_REVOKED:
    'The code was revoked, because the phone number has changed. Ask for the payment to be authorized anew.',
  CONCURRENT_UPDATE: 'Somebody else changed the same thing at the same moment. Send the request again.',
  CONTACTS_NOT_VERIFIED: 'The customer has contacts to verify first.',
  CONTACT_VERIFICATION_NOT_REQUIRED: 'Contacts of this customer need no verification.',
  COPY_UNDER_WAY: 'The sandbox is being copied or restored at this moment. Send the request again.',
  CREDENTIAL_EXISTS: 'Another credential of the wallet has this phone number.',
  CREDENTIAL_SET_CHANGED: 'The credentials of the wallet changed meanwhile. Start the change again.',
  CURRENCY: 'The account has another currency than the money.',
  CURRENCY_CODE_TAKEN: 'Another currency has the symbol of this stablecoin as its code.',
  CURRENCY_DISABLED: 'The currency of the account is not enabled for the platform.',
  CURRENCY_NOT_SUPPORTED: 'The stablecoin cannot be a currency here.',
  CUSTOMER_ACTIVE: 'The customer is active. Delete the customer first.',
  DOCUMENT_SUBMITTED: 'The document was submitted for verification and can no longer be changed.',
  EMBEDDED_DATABASE: 'Production platforms need PostgreSQL; this installation runs on the embedded database.',
  ENDED: 'The operator has left.',
  ERASED: 'The customer whom it tells of has been erased; nothing of it is left to send.',
  EXPIRED: 'It has expired.',
  FACTOR_ENROLLED: 'The customer has enrolled this factor already.',
  FAILED_REFUND: 'The item is a refund that failed, which is decided at its transaction.',
  FORK_OF_ANOTHER_WORLD:
    'The fork was made in another world. In a fork those alone are removed that were made in it.',
  IDEMPOTENCY_KEY_REUSED:
    'The Idempotency-Key was used with another request. Use a new key for a new request.',
  JOB_TAKEN_OVER: 'Another process has taken over this work.',
  KEY_EXISTS: 'The funding source of the card has an active key already.',
  KEY_OF_THE_ENVIRONMENT: 'This is the key of CORRIDOR_OPERATOR_KEY, which is changed there and not here.',
  LIFTED: 'The pause was lifted already.',
  LISTENING_ELSEWHERE: 'Somebody else listens under this name now.',
  MAY_NOT_COPY:
    'The database server does not let this installation make databases: its login needs CREATEDB and has to own the database.',
  NOT_AWAITED: 'Nothing is awaited of the counterparty for this payment.',
  NOT_IN_REVIEW: 'It waits for no review.',
  SIGNED_IN: 'Somebody is signed in here to something else. Send `replaces` to end that session.',
  NOT_JOINED: 'The account has no key yet. Its join code makes the first one.',
  NOT_PROVISIONED: 'The stablecoin is not provisioned.',
  NO_ACCOUNT: 'The customer has no account for this money.',
  NO_CODE_TO_SEND: 'The payment waits for no code that could be sent.',
  NO_CONTACT_ON_FILE: 'The customer has no such contact.',
  NO_FAILED_REFUND: 'The transaction has no refund that failed.',
  NO_OUTSTANDING_CHALLENGE: 'The account has no challenge to answer, or it has expired. Ask for a new one.',
  NO_RECEIVER: 'There was no endpoint when it happened, and nobody listens now.',
  OTHERS_CONNECTED:
    'Other programs are connected to the database, which can be copied only while this server alone is. Stop them, or disconnect.',
  OWNERSHIP_PROOF_NOT_APPLICABLE: 'This account needs no proof of ownership.',
  PAYMENTS_UNDER_WAY: 'Payments are still under way.',
  PAYOUTS_PAUSED:
    'Payouts to the institution are paused; `id` is the pause. Asking it what became of the payment would hand it over.',
  PENDING_WITH_SAME_KEY: 'A job with the same key is waiting already.',
  PLATFORM_CARD_ID_TAKEN: 'Another card has this platformCardId.',
  PLATFORM_EXISTS: 'The platform exists already.',
  PLATFORM_OF_ANOTHER_KIND: 'The platform exists with other permanent settings.',
  PRODUCTION_HERE: 'The installation has production platforms, and is neither copied nor set back.',
  PROPOSER_MAY_NOT: 'Whoever proposed it has left, or has the role for it no more. Propose it anew.',
  PROVIDER_ACCOUNT_ALREADY_LINKED: 'The provider account is linked already.',
  PULL_UNDER_WAY: 'The money is still being collected.',
  QUOTE_HAS_ACTION: 'An action of the agent for this quote exists already.',
  RECORDED: 'It was recorded already, with other content.',
  REFUSED: 'Somebody has refused it already.',
  REQUEST_IN_PROGRESS: 'A request with the same Idempotency-Key is still under way. Send it again later.',
  RECEIVABLE_OPEN: 'Something is owed: collect the receivable first.',
  RESOLVED: 'It has been resolved.',
  ROTATION_UNDER_WAY: 'The webhook key is being replaced already.',
  SANDBOX_RESTORED:
    'The sandbox was made what it was at an earlier time: open the listener again, which goes on where it was then.',
  SEEDED:
    'This installation makes its secrets from a seed, and takes no production platforms: CORRIDOR_SEED is set.',
  SNAPSHOT_EXISTS: 'There is a snapshot of this name already.',
  SNAPSHOT_NOT_USABLE:
    'The snapshot cannot be used: a later release made it, or it was made with another master key. What was there is as it was.',
  SNAPSHOT_OF_ANOTHER_WORLD:
    'The snapshot was taken of another world. The main one is set back to its own alone, a fork removes its own alone, and the start is of the main one.',
  START_IS_KEPT: 'The snapshot of the start is what a reset goes back to, and is not removed.',
  STABLECOIN_ALREADY_REGISTERED: 'The stablecoin is registered already.',
  STILL_UNDER_WAY: 'The payment is still under way. Ask again later.',
  STRONG_AUTHENTICATION_NOT_REQUIRED: 'This customer needs no strong authentication.',
  TOO_FEW_CONNECTIONS:
    'The database server has too few connections left for another fork. Remove one, or raise max_connections.',
  TOO_LITTLE_DISK: 'The disk has no room for another copy. Remove forks or snapshots, or make room.',
  TOO_MANY_COPIES: 'There are as many forks and snapshots as this installation keeps. Remove one.',
  TOO_MANY_LISTENERS:
    'There are fifty listeners, as many as a platform may have. One that was away for seven days is forgotten.',
  UNLOCKS_WALLET:
    'This contact unlocks the wallet of the customer, and is changed with a signature of the wallet.',
  USE_QUOTES:
    'Money leaves an embedded wallet by a quote alone, signed by its device. Create a quote instead.',
  WORLDS_OFF: 'This installation is not set up to be copied: CORRIDOR_WORLDS is off.',
  WORLD_EXISTS: 'There is a world of this name already.',
  WORLD_IN_USE: 'This is the world that is asked, or the main one.',
  WRONG_STATE: 'Its current status does not allow this.',
  WRONG_STATUS: 'Its current status does not allow this.',
  TOO_MANY_FAULTS: 'The sandbox has as many faults as it may. Delete some first.',
} as const

export type ConflictReason = keyof typeof conflictReasons

/** What conflicts, as far as the details of a CONFLICT tell; undefined when they are empty. */
export function conflictMessage(details: Readonly<Record<string, unknown>>): string | undefined {
  const { reason, field, status, externalAccountId } = details
  const meaning =
    typeof reason === 'string' && Object.hasOwn(conflictReasons, reason)
      ? conflictReasons[reason as ConflictReason]
      : undefined
  if (meaning !== undefined) return status === undefined ? meaning : `${meaning} Its status is ${status}.`
  if (field !== undefined && status !== undefined)
    return `${field} can no longer be changed. The status is ${status}.`
  if (field !== undefined) return `Another one has this ${field}.`
  if (status !== undefined) return `The status is ${status}, which does not allow this.`
  return externalAccountId === undefined ? undefined : 'The same account is registered already.'
}
