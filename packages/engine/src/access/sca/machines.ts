import { defineMachine } from '@corridor/kernel'

/** The lives of what strong authentication is made of, as data (customers 13). */

/** A customer's way to a login session (customers 13.4). Sessions have no names: the longest one counts. */
export const loginMachine = defineMachine({
  name: 'login',
  initial: ['NONE'],
  terminal: [],
  states: {
    NONE: 'the customer has no session and no open challenge',
    STARTED: 'the login is waiting for a proof',
    SESSION: 'the customer can authorize payments',
  },
  transitions: [
    {
      from: ['NONE', 'STARTED', 'SESSION'],
      on: 'start',
      to: 'STARTED',
      why: 'a new login voids the previous one',
    },
    {
      from: ['STARTED'],
      on: 'prove',
      to: 'SESSION',
      why: 'the proof is correct and resets the failed attempts',
    },
    {
      from: ['STARTED'],
      on: 'fail',
      to: 'STARTED',
      why: 'the proof is wrong and counts as a failed attempt',
    },
    {
      from: ['NONE', 'STARTED', 'SESSION'],
      on: 'revoke',
      to: 'NONE',
      why: 'the session ended after 180 days, a password reset, a factor reset, a new phone number, or the deletion of the customer',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})

/** What wrong proofs lead to (customers 13.5). The number of them is attempts.ts. */
export const lockMachine = defineMachine({
  name: 'customer lock',
  initial: ['OPEN'],
  terminal: [],
  states: {
    OPEN: 'Corridor checks proofs',
    LOCKED: 'Corridor checks no proof until the lock expires',
    SUSPENDED: 'Corridor checks no proof until a password reset',
  },
  transitions: [
    { from: ['OPEN'], on: 'fail', to: 'OPEN', why: 'the customer has one to four failed attempts' },
    {
      from: ['OPEN', 'LOCKED'],
      on: 'failTooOften',
      to: 'LOCKED',
      why: 'the customer has five to eight failed attempts',
    },
    {
      from: ['OPEN', 'LOCKED'],
      on: 'failForTheLastTime',
      to: 'SUSPENDED',
      why: 'the customer has nine failed attempts',
    },
    {
      from: ['LOCKED'],
      on: 'timeOut',
      to: 'OPEN',
      why: 'the lock expired; the number of failed attempts stays',
    },
    { from: ['OPEN'], on: 'prove', to: 'OPEN', why: 'a login resets the number of failed attempts' },
    {
      from: ['OPEN', 'LOCKED', 'SUSPENDED'],
      on: 'resetPassword',
      to: 'OPEN',
      why: 'a password reset always unlocks the customer',
    },
  ],
  refusals: { default: 'ACCOUNT_LOCKED' },
})

/** A question to a customer; each is answered once (customers 13.7). */
export const challengeMachine = defineMachine({
  name: 'challenge',
  initial: ['PENDING'],
  terminal: ['ACCEPTED', 'REPLACED', 'EXPIRED'],
  states: {
    PENDING: 'the challenge is waiting for a proof',
    ACCEPTED: 'the proof was correct',
    REPLACED: 'a newer challenge has replaced this challenge',
    EXPIRED: 'no proof arrived in time',
  },
  transitions: [
    { from: ['PENDING'], on: 'accept', to: 'ACCEPTED', why: 'the proof is correct' },
    {
      from: ['PENDING'],
      on: 'refuse',
      to: 'PENDING',
      why: 'the proof is wrong and counts as a failed attempt',
    },
    { from: ['PENDING'], on: 'resend', to: 'PENDING', why: 'Corridor sent a new code with the same expiry' },
    {
      from: ['PENDING'],
      on: 'replace',
      to: 'REPLACED',
      why: 'the customer started a new login or trust request',
    },
    { from: ['PENDING'], on: 'expire', to: 'EXPIRED', why: 'the challenge expired' },
  ],
  refusals: { default: 'CONFLICT' },
})

/** The replacement of a lost factor (customers 13.6). */
export const resetMachine = defineMachine({
  name: 'factor reset',
  initial: ['INITIATED'],
  terminal: ['COMPLETED', 'REJECTED', 'EXPIRED'],
  states: {
    INITIATED: 'the reset is waiting for the face check',
    PENDING_REVIEW: 'the reset is waiting for a review by the operator',
    LIVENESS_PASSED: 'the identity of the customer is confirmed',
    COMPLETED: 'the factor is removed and all sessions have ended',
    REJECTED: 'the identity of the customer could not be confirmed',
    EXPIRED: 'the reset was not completed in time',
  },
  transitions: [
    {
      from: ['INITIATED', 'PENDING_REVIEW'],
      on: 'pass',
      to: 'LIVENESS_PASSED',
      why: 'the face check or the review confirmed the identity',
    },
    { from: ['INITIATED'], on: 'review', to: 'PENDING_REVIEW', why: 'the face check was not conclusive' },
    {
      from: ['INITIATED', 'PENDING_REVIEW'],
      on: 'reject',
      to: 'REJECTED',
      why: 'the face check or the review failed',
    },
    { from: ['LIVENESS_PASSED'], on: 'complete', to: 'COMPLETED', why: 'the platform completed the reset' },
    {
      from: ['INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED'],
      on: 'expire',
      to: 'EXPIRED',
      why: '30 minutes passed',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})

export type ResetEvent = (typeof resetMachine)['transitions'][number]['on']
