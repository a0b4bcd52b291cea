import { describe, expect, it } from 'vitest'
import { createRowTurns } from './row-turns.ts'

const moment = () => new Promise<void>((resolve) => setImmediate(resolve))

describe('turns', () => {
  it('come one after the other for a key that is shared, in the order in which they were asked for', async () => {
    const turns = createRowTurns()
    const seen: string[] = []
    const run = (name: string, keys: string[]) =>
      turns.take(keys, async () => {
        seen.push(`${name} begins`)
        await moment()
        seen.push(`${name} ends`)
      })
    await Promise.all([run('a', ['x', 'y']), run('b', ['y', 'z']), run('c', ['z', 'x'])])
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('do not wait for each other without one', async () => {
    const turns = createRowTurns()
    let other!: () => void
    const first = turns.take(['x'], () => new Promise<void>((resolve) => (other = resolve)))
    await turns.take(['y'], async () => other())
    await turns.take([], async () => {})
    await first
  })

  it('pass on when the work fails, and are not waited for within a turn', async () => {
    const turns = createRowTurns()
    const failing = turns.take(['x'], () => Promise.reject(new Error('no')))
    const next = turns.take(['x'], () => turns.take(['x'], async () => 'done'))
    await expect(failing).rejects.toThrow('no')
    expect(await next).toBe('done')
  })
})
