import { defineMachine } from '@corridor/kernel'

/** The lives of what strong authentication is made of, as data (customers 13). */

/** A customer's way to a login session (customers 13.4). Sessions have no names: the longest one counts. */
export const loginMachine = defineMachine({
  name: 'login',
  initial: ['NONE'],
  terminal: [],
  states: {
    NONE: 'no session and no open challenge',
    STARTED: 'waiting for a proof',
    SESSION: 'the customer can authorize payments',
  },
  transitions: [
    { from: ['NONE', 'STARTED', 'SESSION'], on: 'start', to: 'STARTED', why: 'voids an earlier start' },
    {
      from: ['STARTED'],
      on: 'prove',
      to: 'SESSION',
      why: 'correct proof; resets the failed attempts',
    },
    { from: ['STARTED'], on: 'fail', to: 'STARTED', why: 'wrong proof; counts as a failed attempt' },
    {
      from: ['NONE', 'STARTED', 'SESSION'],
      on: 'revoke',
      to: 'NONE',
      why: 'after 180 days, or after a password reset, a factor reset, a change of the phone, or deletion',
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
    OPEN: 'proofs are checked',
    LOCKED: 'no proof is checked until a certain time',
    SUSPENDED: 'no proof is checked until a password reset',
  },
  transitions: [
    { from: ['OPEN'], on: 'fail', to: 'OPEN', why: 'failed attempts one to four' },
    { from: ['OPEN', 'LOCKED'], on: 'failTooOften', to: 'LOCKED', why: 'failed attempts five to eight' },
    { from: ['OPEN', 'LOCKED'], on: 'failForTheLastTime', to: 'SUSPENDED', why: 'failed attempt nine' },
    { from: ['LOCKED'], on: 'timeOut', to: 'OPEN', why: 'the lock has expired; the count stays' },
    { from: ['OPEN'], on: 'prove', to: 'OPEN', why: 'a login resets the failed attempts' },
    {
      from: ['OPEN', 'LOCKED', 'SUSPENDED'],
      on: 'resetPassword',
      to: 'OPEN',
      why: 'a password reset always unlocks',
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
    PENDING: 'waiting for the proof',
    ACCEPTED: 'the proof was correct',
    REPLACED: 'replaced by a newer challenge',
    EXPIRED: 'no proof in time',
  },
  transitions: [
    { from: ['PENDING'], on: 'accept', to: 'ACCEPTED', why: 'correct proof' },
    { from: ['PENDING'], on: 'refuse', to: 'PENDING', why: 'wrong proof; counts as a failed attempt' },
    { from: ['PENDING'], on: 'resend', to: 'PENDING', why: 'new code, same expiry' },
    { from: ['PENDING'], on: 'replace', to: 'REPLACED', why: 'a new login or trust request' },
    { from: ['PENDING'], on: 'expire', to: 'EXPIRED', why: 'the time limit passed' },
  ],
  refusals: { default: 'CONFLICT' },
})

/** The replacement of a lost factor (customers 13.6). */
export const resetMachine = defineMachine({
  name: 'factor reset',
  initial: ['INITIATED'],
  terminal: ['COMPLETED', 'REJECTED', 'EXPIRED'],
  states: {
    INITIATED: 'waiting for the face check',
    PENDING_REVIEW: 'waiting for a review by the operator',
    LIVENESS_PASSED: 'the identity is confirmed',
    COMPLETED: 'the factor is removed and all sessions have ended',
    REJECTED: 'the identity is not confirmed',
    EXPIRED: 'not completed in time',
  },
  transitions: [
    { from: ['INITIATED', 'PENDING_REVIEW'], on: 'pass', to: 'LIVENESS_PASSED', why: 'face check or review' },
    { from: ['INITIATED'], on: 'review', to: 'PENDING_REVIEW', why: 'the face check is not conclusive' },
    { from: ['INITIATED', 'PENDING_REVIEW'], on: 'reject', to: 'REJECTED', why: 'face check or review' },
    { from: ['LIVENESS_PASSED'], on: 'complete', to: 'COMPLETED', why: 'the platform completes it' },
    {
      from: ['INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED'],
      on: 'expire',
      to: 'EXPIRED',
      why: 'after 30 minutes',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})

export type ResetEvent = (typeof resetMachine)['transitions'][number]['on']
