import { defineMachine } from '@corridor/kernel'

/** The linked credentials of a provider (cards-stablecoins 2.1). */
export const providerAccountMachine = defineMachine({
  name: 'stablecoin provider account',
  states: {
    ACTIVE: 'the provider accepts the credentials',
    INVALID: 'the provider refused them when they were last used; nothing can be done with them',
    REVOKED: 'withdrawn for good; the account may be linked anew',
  },
  initial: ['ACTIVE', 'INVALID'],
  terminal: ['REVOKED'],
  transitions: [
    { from: ['ACTIVE'], on: 'refuse', to: 'INVALID', why: 'the provider refuses the credentials' },
    { from: ['INVALID'], on: 'accept', to: 'ACTIVE', why: 'a later check succeeds' },
    { from: ['ACTIVE', 'INVALID'], on: 'revoke', to: 'REVOKED', why: 'the provider or the operator says so' },
  ],
  refusals: { default: 'CONFLICT' },
})

/** What the provider has made of a token (cards-stablecoins 2.2). */
export const issuanceMachine = defineMachine({
  name: 'stablecoin issuance',
  states: {
    PENDING_REVIEW: 'the provider reviews the token',
    PROVISIONING: 'accepted, not ready yet',
    PROVISIONED: 'can be minted and burned',
    REJECTED: 'refused by the provider',
    FAILED: 'could not be provisioned',
  },
  initial: ['PENDING_REVIEW', 'PROVISIONING', 'PROVISIONED', 'REJECTED', 'FAILED'],
  terminal: ['PROVISIONED', 'REJECTED', 'FAILED'],
  transitions: [
    { from: ['PENDING_REVIEW'], on: 'accept', to: 'PROVISIONING', why: 'the review passed' },
    { from: ['PENDING_REVIEW'], on: 'reject', to: 'REJECTED', why: 'the review failed' },
    { from: ['PROVISIONING'], on: 'finish', to: 'PROVISIONED', why: 'the token is ready' },
    { from: ['PROVISIONING'], on: 'fail', to: 'FAILED', why: 'the provider gave up' },
  ],
  refusals: { default: 'CONFLICT' },
})

/** Whether a coin is a currency of the service (cards-stablecoins 2.3). */
export const enablementMachine = defineMachine({
  name: 'stablecoin enablement',
  states: {
    NOT_ENABLED: 'known, and no currency of the service',
    PENDING_APPROVAL: 'requested; the operator decides',
    ENABLING: 'approved, being prepared',
    ENABLED: 'a currency of the service',
    DISABLED: 'no new movements',
  },
  initial: ['NOT_ENABLED'],
  terminal: [],
  transitions: [
    { from: ['NOT_ENABLED'], on: 'request', to: 'PENDING_APPROVAL', why: 'the platform asks' },
    { from: ['PENDING_APPROVAL'], on: 'approve', to: 'ENABLING', why: 'the operator agrees' },
    { from: ['PENDING_APPROVAL'], on: 'decline', to: 'NOT_ENABLED', why: 'the operator refuses' },
    { from: ['ENABLING'], on: 'finish', to: 'ENABLED', why: 'everything is prepared' },
    { from: ['ENABLED'], on: 'disable', to: 'DISABLED', why: 'the operator stops it' },
    { from: ['DISABLED'], on: 'reEnable', to: 'ENABLING', why: 'the operator lets it go on' },
  ],
  refusals: {
    ENABLING: 'STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE',
    ENABLED: 'STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE',
    DISABLED: 'STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE',
    default: 'CONFLICT',
  },
})

/** A mint or burn (cards-stablecoins 2.4). */
export const operationMachine = defineMachine({
  name: 'stablecoin operation',
  states: {
    CREATED: 'on record; whether the provider took it on is being found out',
    PENDING_FUNDING: 'waits for dollars (mint) or tokens (burn)',
    PENDING_PROVIDER: 'with the provider, not started',
    PROCESSING: 'being minted or burned',
    COMPLETED: 'minted or burned',
    FAILED: 'not done',
    EXPIRED: 'the funds never came; late ones are for the operator',
  },
  initial: ['CREATED'],
  terminal: ['COMPLETED', 'FAILED', 'EXPIRED'],
  transitions: [
    { from: ['CREATED'], on: 'awaitFunds', to: 'PENDING_FUNDING', why: 'the provider waits for funds' },
    { from: ['CREATED'], on: 'take', to: 'PENDING_PROVIDER', why: 'the provider took it on' },
    { from: ['CREATED'], on: 'refuse', to: 'FAILED', why: 'found out later: the provider refused it' },
    { from: ['PENDING_FUNDING'], on: 'fund', to: 'PROCESSING', why: 'the provider saw the funds' },
    { from: ['PENDING_FUNDING'], on: 'expire', to: 'EXPIRED', why: 'seven days without funds' },
    { from: ['PENDING_PROVIDER'], on: 'start', to: 'PROCESSING', why: 'the provider accepted' },
    { from: ['PENDING_PROVIDER', 'PROCESSING'], on: 'fail', to: 'FAILED', why: 'the provider failed' },
    { from: ['PROCESSING'], on: 'settle', to: 'COMPLETED', why: 'the provider settled' },
  ],
  refusals: { default: 'CONFLICT' },
})
