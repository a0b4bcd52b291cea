import { defineMachine } from '@corridor/kernel'

const emits = 'INTERNAL_ACCOUNT.STATUS_UPDATED'

/** The life of an internal account as data (accounts 3.1). The deletion of its owner changes nothing here. */
export const internalAccountMachine = defineMachine({
  name: 'internal account',
  initial: ['PENDING', 'ACTIVE'],
  terminal: ['CLOSED', 'FAILED'],
  states: {
    PENDING: 'awaiting its coordinates; nothing can be paid in or out',
    ACTIVE: 'usable',
    FROZEN: 'no new debits and credits; payments on their way finish, and what arrives waits in suspense',
    CLOSED: 'empty, and closed for good',
    FAILED: 'its coordinates cannot be had',
  },
  transitions: [
    { from: ['PENDING'], on: 'activate', to: 'ACTIVE', emits, why: 'provisioning is done' },
    { from: ['PENDING'], on: 'fail', to: 'FAILED', emits, why: 'provisioning is impossible' },
    { from: ['ACTIVE'], on: 'freeze', to: 'FROZEN', emits, why: 'the operator or compliance stops it' },
    { from: ['FROZEN'], on: 'release', to: 'ACTIVE', emits, why: 'the reason is gone; suspense is replayed' },
    { from: ['ACTIVE'], on: 'close', to: 'CLOSED', emits, why: 'it is empty and no longer wanted' },
  ],
  refusals: { default: 'CONFLICT' },
})

export type InternalAccountEvent = (typeof internalAccountMachine)['transitions'][number]['on']
