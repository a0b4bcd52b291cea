import { checkedValues, walkMachine } from '@corridor/testkit/machines.ts'
import { describe, expect, it } from 'vitest'
import { quoteMachine } from './machine.ts'

describe('quote', () => {
  it('stores the states of its machine and no other; COMPLETED is only derived', async () => {
    expect((await checkedValues('quotes', 'status')).sort()).toEqual(Object.keys(quoteMachine.states).sort())
  })

  it('moves as accounts 7.4 lists, and answers everything else with a conflict', () => {
    const walked = walkMachine(quoteMachine)
    const moves = walked.filter(({ outcome }) => outcome in quoteMachine.states)
    expect(moves.map(({ pair, outcome }) => `${pair} ${outcome}`)).toEqual([
      'PENDING execute PROCESSING',
      'PENDING requireAuthorization PENDING_AUTHORIZATION',
      'PENDING refuseRate FAILED',
      'PENDING refuseFunding FAILED',
      'PENDING expire EXPIRED',
      'PENDING_AUTHORIZATION execute PROCESSING',
      // Realtime-funded: the instructions are released and the payment is awaited.
      'PENDING_AUTHORIZATION authorizeFunding PENDING',
      'PENDING_AUTHORIZATION expireChallenge FAILED',
      'PROCESSING complete COMPLETED',
      'PROCESSING fail FAILED',
      'COMPLETED fail FAILED',
    ])
    const refusals = new Set(
      walked.filter(({ outcome }) => !(outcome in quoteMachine.states)).map((row) => row.outcome),
    )
    expect([...refusals].sort()).toEqual(['CONFLICT', 'QUOTE_EXPIRED'])
    expect(walked).toContainEqual({ pair: 'EXPIRED execute', outcome: 'QUOTE_EXPIRED' })
  })
})
