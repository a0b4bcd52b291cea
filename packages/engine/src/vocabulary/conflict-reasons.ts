/** What each `details.reason` of a CONFLICT means, as the message of the answer says it to people. */
export const conflictReasons = {
  ACCOUNT_NOT_ACTIVE: 'The account is not active.',
  ALREADY_PAUSED: 'These payouts are already paused. The id of the pause is in `id`.',
  APPROVED: 'The proposal is already approved.',
  AGENT_CONNECTED:
    'The agent is already connected. Only agents that are not connected can have device codes.',
  ASKED_ONCE: 'Corridor sends an approval webhook only once.',
  AUDIT_UNDER_WAY: 'The first audit is still running. Try again later.',
  BALANCE_NOT_ZERO: 'The account still holds money.',
  CARD_NOT_READY: 'The card is not ready. It is being issued, or the issuer rejected it.',
  CODE_REVOKED:
    'The code was revoked because the phone number changed. Create a new quote to authorize the payment.',
  CONCURRENT_UPDATE: 'Another request changed the resource at the same moment. Send the request again.',
  CONTACTS_NOT_VERIFIED: "The customer's contacts must be verified first.",
  CONTACT_VERIFICATION_NOT_REQUIRED: 'The contacts of this customer do not need to be verified.',
  COPY_UNDER_WAY: 'The sandbox is being copied or restored. Send the request again in a moment.',
  CREDENTIAL_EXISTS: 'Another credential of the wallet already has this phone number.',
  CREDENTIAL_SET_CHANGED:
    'The credentials of the wallet have changed since the challenge. Start the change again.',
  CURRENCY: 'The currency of the account differs from the currency of the money.',
  CURRENCY_CODE_TAKEN: 'The symbol of this stablecoin is already the code of another currency.',
  CURRENCY_DISABLED: 'The platform has not enabled the currency of the account.',
  CURRENCY_NOT_SUPPORTED: 'The stablecoin cannot be a currency here.',
  CUSTOMER_ACTIVE: 'The customer is active. Delete the customer first.',
  DOCUMENT_SUBMITTED: 'The document was submitted for verification and can no longer be changed.',
  EMBEDDED_DATABASE: 'Production platforms need PostgreSQL; this installation runs on the embedded database.',
  ENDED: 'The account of this operator was ended.',
  ERASED: 'The customer of this event has been erased, so nothing is left to send.',
  EXPIRED: 'The resource has expired.',
  FACTOR_ENROLLED: 'The customer has already enrolled this factor.',
  FAILED_REFUND: 'The item is a failed refund. Resolve the refund of the transaction instead.',
  FORK_OF_ANOTHER_WORLD: 'The fork was created in another sandbox or fork. Remove it there.',
  HOLDER_MUST_SIGN:
    'Corridor cannot collect from an embedded wallet, because only its holder can sign. The receivable stays open.',
  IDEMPOTENCY_KEY_REUSED: 'This Idempotency-Key was used for a different request. Use a new key.',
  INTERRUPTED:
    'An earlier request with this Idempotency-Key took effect, but its response was not stored. Check the result of that request, then use a new key.',
  JOB_TAKEN_OVER: 'Another process has taken over this job.',
  KEY_EXISTS: 'The funding source of the card already has an active key.',
  KEY_OF_THE_ENVIRONMENT:
    'This is the key in CORRIDOR_OPERATOR_KEY. Change it in the environment of the server.',
  LIFTED: 'The pause is already lifted.',
  LISTENING_ELSEWHERE: 'Another session has taken over the listener with this name.',
  MAY_NOT_COPY:
    'Corridor cannot create databases on this server. Its database user needs CREATEDB and must own the database.',
  NOT_AWAITED: 'This payment is not waiting for the counterparty.',
  NOT_IN_REVIEW: 'The resource is not waiting for a review.',
  SIGNED_IN:
    'This browser is already signed in to another account. Send `replaces` to end the existing session.',
  NOT_JOINED: 'The account has no key yet. Create the first key with the join code.',
  NOT_PROVISIONED: 'The stablecoin is not provisioned.',
  NO_ACCOUNT: 'The customer has no account in this currency.',
  NO_CODE_TO_SEND: 'The payment is not waiting for a code.',
  NO_CONTACT_ON_FILE: 'The customer has no contact of this kind.',
  NO_FAILED_REFUND: 'The transaction has no failed refund.',
  NO_OUTSTANDING_CHALLENGE: 'The account has no open challenge. Request a new one.',
  NO_RECEIVER: 'No endpoint was set when the event happened, and no listener is connected now.',
  OTHERS_CONNECTED: 'Other programs are connected to the database. Disconnect them, then try again.',
  OWNERSHIP_PROOF_NOT_APPLICABLE: 'This account needs no proof of ownership.',
  PAYMENTS_UNDER_WAY: 'Payments are still in progress.',
  PAYOUTS_PAUSED:
    'Payouts to the institution are paused. Lift the pause with the id in `id` first, because asking about the payment could hand it over.',
  PENDING_WITH_SAME_KEY: 'A job with the same key is already waiting.',
  PLATFORM_CARD_ID_TAKEN: 'Another card already has this platformCardId.',
  PLATFORM_EXISTS: 'The platform already exists.',
  PLATFORM_OF_ANOTHER_KIND: 'The platform already exists with other permanent settings.',
  PRODUCTION_HERE: 'The installation has production platforms, so Corridor does not copy or restore it.',
  PROPOSER_MAY_NOT:
    'The operator who made the proposal has left or no longer has the required role. Create a new proposal.',
  PROVIDER_ACCOUNT_ALREADY_LINKED: 'The provider account is already linked.',
  PULL_UNDER_WAY: 'The money is still being collected.',
  QUOTE_HAS_ACTION: 'The agent already has an action for this quote.',
  RECORDED: 'The reference is already recorded with different content.',
  REFUSED: 'The proposal is already rejected.',
  REQUEST_IN_PROGRESS: 'A request with the same Idempotency-Key is still in progress. Send it again later.',
  RECEIVABLE_OPEN: 'The customer owes money. Collect the receivables, or ask the operator to write them off.',
  RESOLVED: 'The item is already resolved.',
  ROTATION_UNDER_WAY: 'The webhook key is already being replaced.',
  SANDBOX_RESTORED: 'The sandbox was restored to an earlier state. Open the listener again.',
  SEEDED:
    'Production platforms are not possible while CORRIDOR_SEED is set, because secrets are predictable.',
  SNAPSHOT_EXISTS: 'A snapshot with this name already exists.',
  SNAPSHOT_NOT_USABLE: 'The snapshot comes from a later release or another master key. Nothing was changed.',
  SNAPSHOT_OF_ANOTHER_WORLD: 'The snapshot belongs to another sandbox or fork. Restore or remove it there.',
  START_IS_KEPT: 'You cannot remove the snapshot `start`, because a reset needs it.',
  STABLECOIN_ALREADY_REGISTERED: 'The stablecoin is already registered.',
  STILL_UNDER_WAY: 'The payment is still in progress. Try again later.',
  STRONG_AUTHENTICATION_NOT_REQUIRED: 'Strong authentication does not apply to this customer.',
  TOO_FEW_CONNECTIONS:
    'The database server has too few free connections for another fork. Remove a fork or increase max_connections.',
  TOO_LITTLE_DISK:
    'The disk does not have enough space for another copy. Remove forks or snapshots, or free disk space.',
  TOO_MANY_COPIES:
    'The installation has the maximum number of forks and snapshots. Remove a fork or a snapshot.',
  TOO_MANY_LISTENERS:
    'The platform has the maximum of fifty listeners. Corridor removes a listener after seven days without a connection.',
  UNLOCKS_WALLET:
    "This contact unlocks the customer's wallet. Send the change with a signature of the wallet.",
  USE_QUOTES:
    'Payments from an embedded wallet need a quote, because the wallet has to sign them. Create a quote instead.',
  WORLDS_OFF: 'Forks and snapshots are disabled. The operator can enable them with CORRIDOR_WORLDS.',
  WORLD_EXISTS: 'A fork with this name already exists.',
  WORLD_IN_USE: 'You cannot remove the main sandbox, and you cannot remove a fork from within the fork.',
  WRONG_STATE: 'The current status does not allow this operation.',
  WRONG_STATUS: 'The current status does not allow this operation.',
  TOO_MANY_FAULTS: 'The sandbox has the maximum of 100 faults. Delete faults first.',
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
    return `${field} can no longer be changed, because the status is ${status}.`
  if (field !== undefined) return `The ${field} is already in use.`
  if (status !== undefined) return `The status ${status} does not allow this operation.`
  return externalAccountId === undefined ? undefined : 'The account is already registered.'
}
