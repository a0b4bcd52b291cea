import { defineMachine } from '@corridor/kernel'

/** The lives of what strong authentication is made of, as data (customers 13). */

/** A customer's way to a login session (customers 13.4). Sessions have no names: the longest one counts. */
export const loginMachine = defineMachine({
  name: 'login',
  initial: ['NONE'],
  terminal: [],
  states: {
    NONE: 'no session, and nothing asked',
    STARTED: 'a proof is awaited',
    SESSION: 'payments can be authorized',
  },
  transitions: [
    { from: ['NONE', 'STARTED', 'SESSION'], on: 'start', to: 'STARTED', why: 'an earlier start is void' },
    {
      from: ['STARTED'],
      on: 'prove',
      to: 'SESSION',
      why: 'the proof is right; failed attempts are forgotten',
    },
    { from: ['STARTED'], on: 'fail', to: 'STARTED', why: 'the proof is wrong, which counts' },
    {
      from: ['NONE', 'STARTED', 'SESSION'],
      on: 'revoke',
      to: 'NONE',
      why: '180 days, a new password, a reset factor, another phone, deletion',
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
    OPEN: 'proofs are looked at',
    LOCKED: 'no proof is looked at until a time',
    SUSPENDED: 'no proof is looked at until the password is reset',
  },
  transitions: [
    { from: ['OPEN'], on: 'fail', to: 'OPEN', why: 'the first four' },
    { from: ['OPEN', 'LOCKED'], on: 'failTooOften', to: 'LOCKED', why: 'the fifth to the eighth' },
    { from: ['OPEN', 'LOCKED'], on: 'failForTheLastTime', to: 'SUSPENDED', why: 'the ninth' },
    { from: ['LOCKED'], on: 'timeOut', to: 'OPEN', why: 'the time of the lock is over; the count stays' },
    { from: ['OPEN'], on: 'prove', to: 'OPEN', why: 'a login forgets the failed attempts' },
    { from: ['OPEN', 'LOCKED', 'SUSPENDED'], on: 'resetPassword', to: 'OPEN', why: 'always taken' },
  ],
  refusals: { default: 'ACCOUNT_LOCKED' },
})

/** A question to a customer; each is answered once (customers 13.7). */
export const challengeMachine = defineMachine({
  name: 'challenge',
  initial: ['PENDING'],
  terminal: ['ACCEPTED', 'REPLACED', 'EXPIRED'],
  states: {
    PENDING: 'the proof is awaited',
    ACCEPTED: 'the proof was right, and has done what it is for',
    REPLACED: 'a newer question is asked instead',
    EXPIRED: 'nobody answered in time',
  },
  transitions: [
    { from: ['PENDING'], on: 'accept', to: 'ACCEPTED', why: 'the proof is right' },
    { from: ['PENDING'], on: 'refuse', to: 'PENDING', why: 'the proof is wrong, which counts' },
    { from: ['PENDING'], on: 'resend', to: 'PENDING', why: 'another code, the same time' },
    { from: ['PENDING'], on: 'replace', to: 'REPLACED', why: 'login or trust is started anew' },
    { from: ['PENDING'], on: 'expire', to: 'EXPIRED', why: 'time ran out' },
  ],
  refusals: { default: 'CONFLICT' },
})

/** The replacement of a lost factor (customers 13.6). */
export const resetMachine = defineMachine({
  name: 'factor reset',
  initial: ['INITIATED'],
  terminal: ['COMPLETED', 'REJECTED', 'EXPIRED'],
  states: {
    INITIATED: 'the person has to show its face',
    PENDING_REVIEW: 'the operator decides who it was',
    LIVENESS_PASSED: 'it is the customer',
    COMPLETED: 'the factor is cleared, and sessions are gone',
    REJECTED: 'it is not the customer',
    EXPIRED: 'not completed in time',
  },
  transitions: [
    { from: ['INITIATED', 'PENDING_REVIEW'], on: 'pass', to: 'LIVENESS_PASSED', why: 'liveness or review' },
    { from: ['INITIATED'], on: 'review', to: 'PENDING_REVIEW', why: 'liveness alone does not tell' },
    { from: ['INITIATED', 'PENDING_REVIEW'], on: 'reject', to: 'REJECTED', why: 'liveness or review' },
    { from: ['LIVENESS_PASSED'], on: 'complete', to: 'COMPLETED', why: 'the platform asks for it' },
    {
      from: ['INITIATED', 'PENDING_REVIEW', 'LIVENESS_PASSED'],
      on: 'expire',
      to: 'EXPIRED',
      why: 'half an hour is over',
    },
  ],
  refusals: { default: 'INVALID_INPUT' },
})

export type ResetEvent = (typeof resetMachine)['transitions'][number]['on']
