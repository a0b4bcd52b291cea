import { describe, expect, it } from 'vitest'
import { fail } from './errors.ts'
import { firstRefusal, type Gate, gates } from './gates.ts'

const refusal = (gate: Gate) => fail('CONFLICT', { field: gate })

describe('the gates', () => {
  const inOrder = Object.keys(gates) as Gate[]

  it('refuse in their own order, whatever the order of asking', () => {
    const all = Object.fromEntries([...inOrder].reverse().map((gate) => [gate, refusal(gate)]))
    for (const gate of inOrder) {
      expect(firstRefusal(all)).toEqual(refusal(gate))
      delete all[gate]
    }
    expect(firstRefusal(all)).toBeUndefined()
  })

  it('that are open or not there say nothing', () => {
    expect(firstRefusal({ SIGNATURE: undefined, ACCOUNT: refusal('ACCOUNT') })).toEqual(refusal('ACCOUNT'))
    expect(firstRefusal({ SIGNATURE: undefined })).toBeUndefined()
  })
})
