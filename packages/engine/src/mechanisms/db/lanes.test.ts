import { describe, expect, it } from 'vitest'
import { createLanes } from './lanes.ts'

interface Work {
  readonly name: string
  readonly touches: readonly string[]
  readonly adds: readonly string[]
}

function setUp(options: { lanes: number; maxBatch?: number; worthALane?: number }) {
  const started: string[] = []
  const finish: (() => void)[] = []
  const told: number[] = []
  let idle = 0
  const lanes = createLanes<Work>({
    maxBatch: 512,
    worthALane: 1,
    ...options,
    run: (batch) => {
      started.push(batch.map(({ name }) => name).join(''))
      return new Promise((resolve) => finish.push(() => resolve(() => told.push(batch.length))))
    },
    onIdle: () => idle++,
  })
  return {
    started,
    told,
    idle: () => idle,
    add: (...works: string[]) => {
      // The name, the rows that it touches as digits, and those that it adds to as capitals.
      for (const work of works) {
        const rows = [...work.slice(1)]
        lanes.add({
          name: work[0]!,
          touches: rows.filter((row) => row < 'A'),
          adds: rows.filter((row) => row >= 'A').map((row) => String(row.charCodeAt(0) - 64)),
        })
      }
    },
    async finishOldest() {
      finish.shift()!()
      await new Promise((resolve) => setImmediate(resolve))
    },
  }
}

describe('lanes', () => {
  it('start at once, and group what comes while a batch is in flight', async () => {
    const test = setUp({ lanes: 1 })
    test.add('a1', 'b2', 'c1', 'd3')
    expect(test.started).toEqual(['a'])
    await test.finishOldest()
    expect(test.started).toEqual(['a', 'bcd'])
    await test.finishOldest()
    expect(test.idle()).toBe(1)
  })

  it('run side by side only what touches different rows', async () => {
    const test = setUp({ lanes: 2 })
    test.add('a1', 'b1', 'c2', 'd3')
    expect(test.started).toEqual(['a', 'c'])
    await test.finishOldest()
    expect(test.started).toEqual(['a', 'c', 'bd'])
  })

  it('open another lane only for as many as are worth one', async () => {
    const test = setUp({ lanes: 2, worthALane: 3 })
    test.add('a1', 'b2', 'c3')
    expect(test.started).toEqual(['a'])
    test.add('d4', 'e5')
    expect(test.started).toEqual(['a', 'bcd'])
    await test.finishOldest()
    // Two lanes are never empty together while somebody waits.
    expect(test.started).toEqual(['a', 'bcd'])
    await test.finishOldest()
    expect(test.started).toEqual(['a', 'bcd', 'e'])
  })

  it('keep the order of what touches the same row, through a third row too', async () => {
    const test = setUp({ lanes: 2 })
    // b waits for a; c waits for b although nobody in flight touches row 2; d is free.
    test.add('a1', 'b12', 'c2', 'd3')
    expect(test.started).toEqual(['a', 'd'])
    await test.finishOldest()
    expect(test.started).toEqual(['a', 'd', 'bc'])
  })

  it('run side by side what only adds to a row, and neither beside what touches it', async () => {
    const test = setUp({ lanes: 2 })
    test.add('a7A', 'b8A', 'c1', 'd9A')
    expect(test.started).toEqual(['a', 'b'])
    await test.finishOldest()
    // b still adds to row 1, which c touches, and d came after c.
    expect(test.started).toEqual(['a', 'b'])
    await test.finishOldest()
    expect(test.started).toEqual(['a', 'b', 'cd'])
  })

  it('send the next batch before the members of the last one are told', async () => {
    const test = setUp({ lanes: 1 })
    test.add('a1', 'b1')
    test.finishOldest()
    await new Promise((resolve) => setImmediate(resolve))
    expect(test.started).toEqual(['a', 'b'])
    expect(test.told).toEqual([1])
  })

  it('leave the rest of a full batch for the next', async () => {
    const test = setUp({ lanes: 1, maxBatch: 2 })
    test.add('a1', 'b1', 'c1', 'd1', 'e1')
    await test.finishOldest()
    await test.finishOldest()
    expect(test.started).toEqual(['a', 'bc', 'de'])
  })
})
