import { defineMachine } from '@corridor/kernel'

const emits = 'INTERNAL_ACCOUNT.STATUS_UPDATED'

/** The life of an internal account as data (accounts 3.1). The deletion of its owner changes nothing here. */
export const internalAccountMachine = defineMachine({
  name: 'internal account',
  initial: ['PENDING', 'ACTIVE'],
  terminal: ['CLOSED', 'FAILED'],
  states: {
    PENDING: 'the account is waiting for funding instructions and accepts no payments',
    ACTIVE: 'the account can be used',
    FROZEN:
      'the account accepts no new debits and credits; payments in progress finish, and incoming money waits in suspense',
    CLOSED: 'the account is empty and permanently closed',
    FAILED: 'the funding instructions could not be issued',
  },
  transitions: [
    { from: ['PENDING'], on: 'activate', to: 'ACTIVE', emits, why: 'provisioning succeeded' },
    { from: ['PENDING'], on: 'fail', to: 'FAILED', emits, why: 'provisioning failed' },
    { from: ['ACTIVE'], on: 'freeze', to: 'FROZEN', emits, why: 'the operator froze the account' },
    {
      from: ['FROZEN'],
      on: 'release',
      to: 'ACTIVE',
      emits,
      why: 'the operator released the account; Corridor credits the money in suspense',
    },
    { from: ['ACTIVE'], on: 'close', to: 'CLOSED', emits, why: 'the operator closed the empty account' },
  ],
  refusals: { default: 'CONFLICT' },
})

export type InternalAccountEvent = (typeof internalAccountMachine)['transitions'][number]['on']
