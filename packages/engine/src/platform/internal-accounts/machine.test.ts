import { checkedValues, walkMachine } from '@corridor/testkit/machines.ts'
import { describe, expect, it } from 'vitest'
import { internalAccountMachine } from './machine.ts'

describe('internal account', () => {
  it('stores the states of its machine and no other', async () => {
    const stored = await checkedValues('internal_accounts', 'status')
    expect(stored.sort()).toEqual(Object.keys(internalAccountMachine.states).sort())
  })

  it('moves as accounts 3.1 lists, and answers everything else with a conflict', () => {
    const walked = walkMachine(internalAccountMachine)
    const moves = walked.filter(({ outcome }) => outcome !== 'CONFLICT')
    expect(moves.map(({ pair, outcome }) => `${pair} ${outcome}`)).toEqual([
      'PENDING activate ACTIVE',
      'PENDING fail FAILED',
      'ACTIVE freeze FROZEN',
      'ACTIVE close CLOSED',
      'FROZEN release ACTIVE',
    ])
    expect(walked).toHaveLength(25)
  })
})
