import { defineMachine } from '@corridor/kernel'

/** The linked credentials of a provider (cards-stablecoins 2.1). */
export const providerAccountMachine = defineMachine({
  name: 'stablecoin provider account',
  states: {
    ACTIVE: 'the provider accepts the credentials',
    INVALID: 'not usable, because the provider rejected the credentials at the last use',
    REVOKED: 'permanently revoked; the account can be linked again',
  },
  initial: ['ACTIVE', 'INVALID'],
  terminal: ['REVOKED'],
  transitions: [
    { from: ['ACTIVE'], on: 'refuse', to: 'INVALID', why: 'the provider rejects the credentials' },
    { from: ['INVALID'], on: 'accept', to: 'ACTIVE', why: 'a later check succeeds' },
    {
      from: ['ACTIVE', 'INVALID'],
      on: 'revoke',
      to: 'REVOKED',
      why: 'the provider or the operator revokes it',
    },
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
    REJECTED: 'rejected by the provider',
    FAILED: 'provisioning failed',
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
    NOT_ENABLED: 'registered, but not a currency of the service',
    PENDING_APPROVAL: 'requested; waiting for the operator',
    ENABLING: 'approved; in preparation',
    ENABLED: 'usable as a currency of the service',
    DISABLED: 'no new payments',
  },
  initial: ['NOT_ENABLED'],
  terminal: [],
  transitions: [
    { from: ['NOT_ENABLED'], on: 'request', to: 'PENDING_APPROVAL', why: 'the platform requests it' },
    { from: ['PENDING_APPROVAL'], on: 'approve', to: 'ENABLING', why: 'the operator approves' },
    { from: ['PENDING_APPROVAL'], on: 'decline', to: 'NOT_ENABLED', why: 'the operator declines' },
    { from: ['ENABLING'], on: 'finish', to: 'ENABLED', why: 'the preparation is complete' },
    { from: ['ENABLED'], on: 'disable', to: 'DISABLED', why: 'the operator disables it' },
    { from: ['DISABLED'], on: 'reEnable', to: 'ENABLING', why: 'the operator re-enables it' },
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
    CREATED: 'recorded; Corridor is checking whether the provider accepted it',
    PENDING_FUNDING: 'waiting for dollars (mint) or tokens (burn)',
    PENDING_PROVIDER: 'accepted by the provider, not started',
    PROCESSING: 'mint or burn in progress',
    COMPLETED: 'minted or burned',
    FAILED: 'not minted or burned',
    EXPIRED: 'the funds did not arrive; late funds go to the operator',
  },
  initial: ['CREATED'],
  terminal: ['COMPLETED', 'FAILED', 'EXPIRED'],
  transitions: [
    { from: ['CREATED'], on: 'awaitFunds', to: 'PENDING_FUNDING', why: 'the provider waits for funds' },
    { from: ['CREATED'], on: 'take', to: 'PENDING_PROVIDER', why: 'the provider accepted it' },
    { from: ['CREATED'], on: 'refuse', to: 'FAILED', why: 'the provider had rejected it' },
    { from: ['PENDING_FUNDING'], on: 'fund', to: 'PROCESSING', why: 'the provider received the funds' },
    { from: ['PENDING_FUNDING'], on: 'expire', to: 'EXPIRED', why: 'seven days without funds' },
    { from: ['PENDING_PROVIDER'], on: 'start', to: 'PROCESSING', why: 'the provider accepted' },
    { from: ['PENDING_PROVIDER', 'PROCESSING'], on: 'fail', to: 'FAILED', why: 'the provider failed' },
    { from: ['PROCESSING'], on: 'settle', to: 'COMPLETED', why: 'the provider settled' },
  ],
  refusals: { default: 'CONFLICT' },
})
