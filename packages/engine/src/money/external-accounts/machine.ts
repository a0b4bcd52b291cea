import { defineMachine } from '@corridor/kernel'

const emits = 'EXTERNAL_ACCOUNT.STATUS_UPDATED'

/** The life of an external account as data (accounts 4.2). Deletion is not a status: a deleted account keeps its last. */
export const externalAccountMachine = defineMachine({
  name: 'external account',
  initial: ['ACTIVE', 'PENDING', 'PENDING_OWNERSHIP_VERIFICATION'],
  terminal: [],
  states: {
    PENDING: 'screening is not finished',
    ACTIVE: 'usable',
    PENDING_OWNERSHIP_VERIFICATION: 'usable below the regulatory threshold until the ownership is proven',
    UNVERIFIED: 'not usable, because the last ownership proof failed',
    UNDER_REVIEW: 'waiting for an analyst after a screening hit',
    INACTIVE: 'rejected by an analyst',
  },
  transitions: [
    { from: ['PENDING', 'UNDER_REVIEW', 'INACTIVE'], on: 'clear', to: 'ACTIVE', emits, why: 'nothing found' },
    { from: ['PENDING', 'ACTIVE'], on: 'hit', to: 'UNDER_REVIEW', emits, why: 'screening hit' },
    { from: ['PENDING', 'UNDER_REVIEW'], on: 'reject', to: 'INACTIVE', emits, why: 'an analyst rejects it' },
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
      why: 'wrong or late signature, or failed face check',
    },
    {
      from: ['UNVERIFIED'],
      on: 'challenge',
      to: 'PENDING_OWNERSHIP_VERIFICATION',
      emits,
      why: 'a new challenge',
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
    NOTHING_ASKED: 'no open request',
    TRUST_ASKED: 'waiting for the proof that trusts the beneficiary',
    UNTRUST_ASKED: 'waiting for the proof that removes the trust',
  },
  transitions: [
    {
      from: ['NOTHING_ASKED', 'TRUST_ASKED', 'UNTRUST_ASKED'],
      on: 'startTrust',
      to: 'TRUST_ASKED',
      why: 'replaces an earlier request',
    },
    {
      from: ['NOTHING_ASKED', 'TRUST_ASKED', 'UNTRUST_ASKED'],
      on: 'startUntrust',
      to: 'UNTRUST_ASKED',
      why: 'replaces an earlier request',
    },
    {
      from: ['TRUST_ASKED'],
      on: 'confirmTrust',
      to: 'NOTHING_ASKED',
      why: 'payments to it need no authorization',
    },
    {
      from: ['UNTRUST_ASKED'],
      on: 'confirmUntrust',
      to: 'NOTHING_ASKED',
      why: 'payments need an authorization again',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})

export type ExternalAccountEvent = (typeof externalAccountMachine)['transitions'][number]['on']
