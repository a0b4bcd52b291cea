import { readFileSync } from 'node:fs'
import { step } from '@corridor/kernel'
import { describe, expect, it } from 'vitest'
import { ExternalAccountStatus } from './contract.ts'
import { type ExternalAccountEvent, externalAccountMachine } from './machine.ts'

const states = Object.keys(externalAccountMachine.states) as (keyof typeof externalAccountMachine.states)[]
const moves: Record<string, Partial<Record<ExternalAccountEvent, string>>> = {
  PENDING: { clear: 'ACTIVE', hit: 'UNDER_REVIEW', reject: 'INACTIVE' },
  ACTIVE: { hit: 'UNDER_REVIEW' },
  UNDER_REVIEW: { clear: 'ACTIVE', reject: 'INACTIVE' },
  INACTIVE: { clear: 'ACTIVE' },
  PENDING_OWNERSHIP_VERIFICATION: {
    challenge: 'PENDING_OWNERSHIP_VERIFICATION',
    proveOwnership: 'ACTIVE',
    failOwnership: 'UNVERIFIED',
  },
  UNVERIFIED: { challenge: 'PENDING_OWNERSHIP_VERIFICATION' },
}
const events = ['clear', 'hit', 'reject', 'challenge', 'proveOwnership', 'failOwnership'] as const

describe('the states of an external account', () => {
  it.each(states.flatMap((state) => events.map((event) => [state, event] as const)))(
    '%s on %s moves as listed or is refused',
    (state, event) => {
      const to = moves[state]?.[event]
      const expected = to === undefined ? { ok: false, refusal: 'CONFLICT' } : { ok: true, to }
      expect(step(externalAccountMachine, state, event)).toEqual(expected)
    },
  )

  it('are those of the contract and of the table', () => {
    expect([...states].sort()).toEqual(
      [...(ExternalAccountStatus as unknown as { enum: string[] }).enum].sort(),
    )
    const migration = new URL('../../../migrations/0002_accounts_and_payments.sql', import.meta.url)
    const table = /create table external_accounts \((.*?)\n\);/s.exec(readFileSync(migration, 'utf8'))![1]!
    const listed = /status in\s*\(([^)]*)\)/.exec(table)![1]!.match(/[A-Z_]+/g)!
    expect(listed.sort()).toEqual([...states].sort())
  })

  it('tell of every change, and of nothing else', () => {
    for (const { from, to, emits } of externalAccountMachine.transitions) {
      const isChange = from.some((state) => state !== to)
      expect(emits).toBe(isChange ? 'EXTERNAL_ACCOUNT.STATUS_UPDATED' : undefined)
    }
  })
})
