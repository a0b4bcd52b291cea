import { defineMachine } from '@corridor/kernel'

/** The linked credentials of a provider (cards-stablecoins 2.1). */
export const providerAccountMachine = defineMachine({
  name: 'stablecoin provider account',
  states: {
    ACTIVE: 'the provider accepts the credentials',
    INVALID: 'the provider rejected the credentials when they were last used',
    REVOKED: 'the link is permanently revoked; you can link the provider account again',
  },
  initial: ['ACTIVE', 'INVALID'],
  terminal: ['REVOKED'],
  transitions: [
    { from: ['ACTIVE'], on: 'refuse', to: 'INVALID', why: 'the provider rejected the credentials' },
    { from: ['INVALID'], on: 'accept', to: 'ACTIVE', why: 'the provider accepted the credentials again' },
    {
      from: ['ACTIVE', 'INVALID'],
      on: 'revoke',
      to: 'REVOKED',
      why: 'the provider or the operator revoked the credentials',
    },
  ],
  refusals: { default: 'CONFLICT' },
})

/** What the provider has made of a token (cards-stablecoins 2.2). */
export const issuanceMachine = defineMachine({
  name: 'stablecoin issuance',
  states: {
    PENDING_REVIEW: 'the provider is reviewing the token',
    PROVISIONING: 'the provider accepted the token and is preparing it',
    PROVISIONED: 'the token can be minted and burned',
    REJECTED: 'the provider rejected the token',
    FAILED: 'the provider could not prepare the token',
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
    NOT_ENABLED: 'the coin is registered, but is not a currency of the service',
    PENDING_APPROVAL: 'the platform requested the coin as a currency; the operator has to approve',
    ENABLING: 'the operator approved, and the coin is being prepared',
    ENABLED: 'the coin can be used as a currency of the service',
    DISABLED: 'the coin accepts no new payments',
  },
  initial: ['NOT_ENABLED'],
  terminal: [],
  transitions: [
    {
      from: ['NOT_ENABLED'],
      on: 'request',
      to: 'PENDING_APPROVAL',
      why: 'the platform requested the coin as a currency',
    },
    { from: ['PENDING_APPROVAL'], on: 'approve', to: 'ENABLING', why: 'the operator approved the request' },
    {
      from: ['PENDING_APPROVAL'],
      on: 'decline',
      to: 'NOT_ENABLED',
      why: 'the operator declined the request',
    },
    { from: ['ENABLING'], on: 'finish', to: 'ENABLED', why: 'the preparation is complete' },
    { from: ['ENABLED'], on: 'disable', to: 'DISABLED', why: 'the operator disabled the coin' },
    { from: ['DISABLED'], on: 'reEnable', to: 'ENABLING', why: 'the operator enabled the coin again' },
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
    CREATED: 'the operation is recorded; Corridor is checking whether the provider accepted it',
    PENDING_FUNDING: 'the operation is waiting for dollars (mint) or tokens (burn)',
    PENDING_PROVIDER: 'the provider accepted the operation but has not started it',
    PROCESSING: 'the mint or burn is in progress',
    COMPLETED: 'the tokens were minted or burned',
    FAILED: 'the tokens were not minted or burned',
    EXPIRED: 'the funds did not arrive in time; late funds go to the operator',
  },
  initial: ['CREATED'],
  terminal: ['COMPLETED', 'FAILED', 'EXPIRED'],
  transitions: [
    { from: ['CREATED'], on: 'awaitFunds', to: 'PENDING_FUNDING', why: 'the provider is waiting for funds' },
    { from: ['CREATED'], on: 'take', to: 'PENDING_PROVIDER', why: 'the provider accepted the operation' },
    { from: ['CREATED'], on: 'refuse', to: 'FAILED', why: 'the provider rejected the operation' },
    { from: ['PENDING_FUNDING'], on: 'fund', to: 'PROCESSING', why: 'the provider received the funds' },
    { from: ['PENDING_FUNDING'], on: 'expire', to: 'EXPIRED', why: 'seven days passed without funds' },
    { from: ['PENDING_PROVIDER'], on: 'start', to: 'PROCESSING', why: 'the provider started the operation' },
    {
      from: ['PENDING_PROVIDER', 'PROCESSING'],
      on: 'fail',
      to: 'FAILED',
      why: 'the operation failed at the provider',
    },
    { from: ['PROCESSING'], on: 'settle', to: 'COMPLETED', why: 'the provider settled the operation' },
  ],
  refusals: { default: 'CONFLICT' },
})
