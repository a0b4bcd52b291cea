import { defineMachine } from '@corridor/kernel'

const emits = 'EXTERNAL_ACCOUNT.STATUS_UPDATED'

/** The life of an external account as data (accounts 4.2). Deletion is not a status: a deleted account keeps its last. */
export const externalAccountMachine = defineMachine({
  name: 'external account',
  initial: ['ACTIVE', 'PENDING', 'PENDING_OWNERSHIP_VERIFICATION'],
  terminal: [],
  states: {
    PENDING: 'screening is in progress',
    ACTIVE: 'the account can be used',
    PENDING_OWNERSHIP_VERIFICATION:
      'the wallet can be used below the regulatory threshold until its ownership is proven',
    UNVERIFIED: 'the wallet cannot be used, because the last ownership proof failed',
    UNDER_REVIEW: 'an analyst is reviewing a screening hit',
    INACTIVE: 'an analyst rejected the account',
  },
  transitions: [
    {
      from: ['PENDING', 'UNDER_REVIEW', 'INACTIVE'],
      on: 'clear',
      to: 'ACTIVE',
      emits,
      why: 'screening or an analyst cleared the account',
    },
    { from: ['PENDING', 'ACTIVE'], on: 'hit', to: 'UNDER_REVIEW', emits, why: 'screening found a hit' },
    {
      from: ['PENDING', 'UNDER_REVIEW'],
      on: 'reject',
      to: 'INACTIVE',
      emits,
      why: 'an analyst rejected the account',
    },
    {
      from: ['PENDING_OWNERSHIP_VERIFICATION'],
      on: 'proveOwnership',
      to: 'ACTIVE',
      emits,
      why: 'a signature or a face check proved the ownership',
    },
    {
      from: ['PENDING_OWNERSHIP_VERIFICATION'],
      on: 'failOwnership',
      to: 'UNVERIFIED',
      emits,
      why: 'the signature was wrong or late, or the face check failed',
    },
    {
      from: ['UNVERIFIED'],
      on: 'challenge',
      to: 'PENDING_OWNERSHIP_VERIFICATION',
      emits,
      why: 'the platform requested a new challenge',
    },
    {
      from: ['PENDING_OWNERSHIP_VERIFICATION'],
      on: 'challenge',
      to: 'PENDING_OWNERSHIP_VERIFICATION',
      why: 'a new challenge voids the previous one',
    },
  ],
  refusals: { default: 'CONFLICT' },
})

/**
 * What a customer is asked about trusting the beneficiary (customers 13.8). Trust itself is a flag beside it: a
 * question may be asked whatever the flag says, and confirming what is so already changes nothing.
 */
export const trustMachine = defineMachine({
  name: 'beneficiary trust',
  initial: ['NOTHING_ASKED'],
  terminal: [],
  states: {
    NOTHING_ASKED: 'no request is open',
    TRUST_ASKED: 'the request to trust the beneficiary is waiting for a proof',
    UNTRUST_ASKED: 'the request to remove the trust is waiting for a proof',
  },
  transitions: [
    {
      from: ['NOTHING_ASKED', 'TRUST_ASKED', 'UNTRUST_ASKED'],
      on: 'startTrust',
      to: 'TRUST_ASKED',
      why: 'the customer requested trust, which replaces an earlier request',
    },
    {
      from: ['NOTHING_ASKED', 'TRUST_ASKED', 'UNTRUST_ASKED'],
      on: 'startUntrust',
      to: 'UNTRUST_ASKED',
      why: 'the customer requested the removal of trust, which replaces an earlier request',
    },
    {
      from: ['TRUST_ASKED'],
      on: 'confirmTrust',
      to: 'NOTHING_ASKED',
      why: 'the customer confirmed; payments to the beneficiary need no authorization',
    },
    {
      from: ['UNTRUST_ASKED'],
      on: 'confirmUntrust',
      to: 'NOTHING_ASKED',
      why: 'the customer confirmed; payments to the beneficiary need an authorization again',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})

export type ExternalAccountEvent = (typeof externalAccountMachine)['transitions'][number]['on']
