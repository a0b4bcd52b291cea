import { checkedValues, walkMachine } from '@corridor/testkit/machines.ts'
import { describe, expect, it } from 'vitest'
import { incomingMachine, outgoingMachine } from './machine.ts'

describe.each([outgoingMachine, incomingMachine])('$name', (machine) => {
  it('has states that the table of transactions allows', async () => {
    const allowed = await checkedValues('transactions', 'status')
    expect(Object.keys(machine.states).filter((state) => !allowed.includes(state))).toEqual([])
  })

  it('never leaves a terminal state', () => {
    for (const { from } of machine.transitions) {
      expect(from.filter((state) => (machine.terminal as readonly string[]).includes(state))).toEqual([])
    }
  })
})

describe('outgoing transaction', () => {
  it('moves as accounts 10.1 lists, and refuses every other event', () => {
    const moves = walkMachine(outgoingMachine).filter(({ outcome }) => outcome in outgoingMachine.states)
    expect(moves.map(({ pair, outcome }) => `${pair} ${outcome}`)).toEqual([
      'PENDING requireAuthorization PENDING_AUTHORIZATION',
      'PENDING process PROCESSING',
      'PENDING fail FAILED',
      'PENDING expire EXPIRED',
      'PENDING_AUTHORIZATION authorize PENDING',
      'PENDING_AUTHORIZATION process PROCESSING',
      'PENDING_AUTHORIZATION fail FAILED',
      'PROCESSING complete COMPLETED',
      'PROCESSING fail FAILED',
      'COMPLETED return FAILED',
    ])
  })
})

describe('incoming transaction', () => {
  it('moves as accounts 10.1 lists, and refuses every other event', () => {
    const moves = walkMachine(incomingMachine).filter(({ outcome }) => outcome in incomingMachine.states)
    expect(moves.map(({ pair, outcome }) => `${pair} ${outcome}`)).toEqual([
      'CREATED request PENDING',
      'PENDING process PROCESSING',
      'PENDING complete COMPLETED',
      'PENDING reject REJECTED',
      'PENDING fail FAILED',
      'PROCESSING complete COMPLETED',
      'PROCESSING fail FAILED',
      // A pull that its bank takes back (accounts 13, row 5).
      'COMPLETED return FAILED',
    ])
  })
})
