import { defineMachine } from '@corridor/kernel'

const emits = 'EXTERNAL_ACCOUNT.STATUS_UPDATED'

/** The life of an external account as data (accounts 4.2). Deletion is not a status: a deleted account keeps its last. */
export const externalAccountMachine = defineMachine({
  name: 'external account',
  initial: ['ACTIVE', 'PENDING', 'PENDING_OWNERSHIP_VERIFICATION'],
  terminal: [],
  states: {
    PENDING: 'screening has not answered yet',
    ACTIVE: 'usable',
    PENDING_OWNERSHIP_VERIFICATION: 'usable below the regulatory threshold until its owner is proved',
    UNVERIFIED: 'the last proof of ownership failed; not usable',
    UNDER_REVIEW: 'screening found something; an analyst decides',
    INACTIVE: 'refused by an analyst',
  },
  transitions: [
    { from: ['PENDING', 'UNDER_REVIEW', 'INACTIVE'], on: 'clear', to: 'ACTIVE', emits, why: 'nothing found' },
    { from: ['PENDING', 'ACTIVE'], on: 'hit', to: 'UNDER_REVIEW', emits, why: 'screening found something' },
    { from: ['PENDING', 'UNDER_REVIEW'], on: 'reject', to: 'INACTIVE', emits, why: 'an analyst refuses it' },
    {
      from: ['PENDING_OWNERSHIP_VERIFICATION'],
      on: 'proveOwnership',
      to: 'ACTIVE',
      emits,
      why: 'a signature or a liveness session proved the owner',
    },
    {
      from: ['PENDING_OWNERSHIP_VERIFICATION'],
      on: 'failOwnership',
      to: 'UNVERIFIED',
      emits,
      why: 'a bad or late signature, or a failed liveness session',
    },
    {
      from: ['UNVERIFIED'],
      on: 'challenge',
      to: 'PENDING_OWNERSHIP_VERIFICATION',
      emits,
      why: 'a new challenge is a new chance',
    },
    {
      from: ['PENDING_OWNERSHIP_VERIFICATION'],
      on: 'challenge',
      to: 'PENDING_OWNERSHIP_VERIFICATION',
      why: 'the new challenge voids the one before; nothing else changes',
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
    NOTHING_ASKED: 'no question is open',
    TRUST_ASKED: 'a proof makes the beneficiary trusted',
    UNTRUST_ASKED: 'a proof ends the trust',
  },
  transitions: [
    {
      from: ['NOTHING_ASKED', 'TRUST_ASKED', 'UNTRUST_ASKED'],
      on: 'startTrust',
      to: 'TRUST_ASKED',
      why: 'replaces what was asked before',
    },
    {
      from: ['NOTHING_ASKED', 'TRUST_ASKED', 'UNTRUST_ASKED'],
      on: 'startUntrust',
      to: 'UNTRUST_ASKED',
      why: 'replaces what was asked before',
    },
    { from: ['TRUST_ASKED'], on: 'confirmTrust', to: 'NOTHING_ASKED', why: 'payments to it need no proof' },
    {
      from: ['UNTRUST_ASKED'],
      on: 'confirmUntrust',
      to: 'NOTHING_ASKED',
      why: 'payments need a proof again',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})

export type ExternalAccountEvent = (typeof externalAccountMachine)['transitions'][number]['on']
