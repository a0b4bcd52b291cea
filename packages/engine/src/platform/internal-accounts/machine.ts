import { defineMachine } from '@corridor/kernel'

const emits = 'INTERNAL_ACCOUNT.STATUS_UPDATED'

/** The life of an internal account as data (accounts 3.1). The deletion of its owner changes nothing here. */
export const internalAccountMachine = defineMachine({
  name: 'internal account',
  initial: ['PENDING', 'ACTIVE'],
  terminal: ['CLOSED', 'FAILED'],
  states: {
    PENDING: 'waiting for funding instructions; no payments in or out',
    ACTIVE: 'usable',
    FROZEN: 'no new debits and credits; payments in progress finish, and incoming money waits in suspense',
    CLOSED: 'empty and permanently closed',
    FAILED: 'the funding instructions could not be issued',
  },
  transitions: [
    { from: ['PENDING'], on: 'activate', to: 'ACTIVE', emits, why: 'provisioning succeeded' },
    { from: ['PENDING'], on: 'fail', to: 'FAILED', emits, why: 'provisioning failed' },
    { from: ['ACTIVE'], on: 'freeze', to: 'FROZEN', emits, why: 'the operator or compliance stops it' },
    {
      from: ['FROZEN'],
      on: 'release',
      to: 'ACTIVE',
      emits,
      why: 'the operator releases it; Corridor credits the money in suspense',
    },
    { from: ['ACTIVE'], on: 'close', to: 'CLOSED', emits, why: 'the account is empty and no longer needed' },
  ],
  refusals: { default: 'CONFLICT' },
})

export type InternalAccountEvent = (typeof internalAccountMachine)['transitions'][number]['on']
