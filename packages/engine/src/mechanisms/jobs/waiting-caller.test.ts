import { expect, it } from 'vitest'
import type { Decision } from '../../vocabulary/decision.ts'
import { waitingCaller } from './waiting-caller.ts'

const outcome = (name: string): Decision => ({ result: () => name })
const added = (decision: Decision): Decision => ({
  ...decision,
  deletes: [{ table: 'quotes', id: 'told' }] as never,
})

it('is told of the outcome that is committed, also when that is decided again after patience has ended', async () => {
  const caller = waitingCaller(added)
  expect(caller.add(outcome('first'))).toHaveProperty('deletes')
  let reach: (hasOutcome: boolean) => void = () => {}
  const reached = new Promise<boolean>((resolve) => {
    reach = resolve
  })
  const waiting = caller.wait({ sleep: async () => {} }, reached)
  await new Promise((resolve) => setImmediate(resolve))
  // What was decided first was stale: what the caller will be told is what comes now.
  expect(caller.add(outcome('again'))).toHaveProperty('deletes')
  caller.told()
  reach(true)
  expect(await waiting).toBe(true)
})

it('is not told any more once it has gone', async () => {
  const caller = waitingCaller(added)
  expect(await caller.wait({ sleep: async () => {} }, new Promise(() => {}))).toBe(false)
  expect(caller.add(outcome('late'))).not.toHaveProperty('deletes')
})

it('waits as long as it takes where time does not pass by itself', async () => {
  const caller = waitingCaller(added)
  let reach: (hasOutcome: boolean) => void = () => {}
  const reached = new Promise<boolean>((resolve) => {
    reach = resolve
  })
  const waiting = caller.wait({ sleep: async () => {}, isFrozen: true }, reached)
  await new Promise((resolve) => setImmediate(resolve))
  reach(true)
  expect(await waiting).toBe(true)
})
