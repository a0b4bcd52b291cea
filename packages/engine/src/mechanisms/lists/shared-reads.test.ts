import { expect, it } from 'vitest'
import type { Database } from '../db/database.ts'
import { createSharedReads } from './shared-reads.ts'

const database = {} as Database

/** Reads that end when they are told to, in the order in which they were begun. */
function reads() {
  const begun: { end: (answer: string) => void; fail: (error: Error) => void }[] = []
  const read = () =>
    new Promise<string>((resolve, reject) => {
      begun.push({ end: resolve, fail: reject })
    })
  return { begun, read }
}
const settled = () => new Promise<void>((resolve) => setImmediate(resolve))

it('lets those who ask meanwhile share the read after the one on its way, and nobody the one that was begun before', async () => {
  const shared = createSharedReads<string>()
  const { begun, read } = reads()
  const ask = () => shared(database, ['book', 'page', [1n]], read)
  const first = ask()
  const others = [ask(), ask(), ask()]
  await settled()
  expect(begun).toHaveLength(1)
  begun[0]!.end('before')
  expect(await first).toBe('before')
  await settled()
  expect(begun).toHaveLength(2)
  const late = ask()
  begun[1]!.end('after')
  expect(await Promise.all(others)).toEqual(['after', 'after', 'after'])
  await settled()
  begun[2]!.end('last')
  expect(await late).toBe('last')
  // Nothing is on its way any more: whoever asks now is read for at once.
  void ask()
  await settled()
  expect(begun).toHaveLength(4)
})

it('shares nothing between what is asked in different ways, or of different databases', async () => {
  const shared = createSharedReads<string>()
  const { begun, read } = reads()
  void shared(database, ['a', 'page', [20]], read)
  void shared(database, ['b', 'page', [20]], read)
  void shared(database, ['a', 'page', [21]], read)
  void shared({} as Database, ['a', 'page', [20]], read)
  await settled()
  expect(begun).toHaveLength(4)
})

it('fails for those who shared it, and goes on for the next', async () => {
  const shared = createSharedReads<string>()
  const { begun, read } = reads()
  const ask = () => shared(database, ['book'], read)
  const [first, second] = [ask(), ask()]
  begun[0]!.fail(new Error('gone'))
  await expect(first).rejects.toThrow('gone')
  await settled()
  begun[1]!.end('there')
  expect(await second).toBe('there')
  const thrown = shared(database, ['other'], () => {
    throw new Error('at once')
  })
  await expect(thrown).rejects.toThrow('at once')
  const again = shared(database, ['other'], async () => 'fine')
  expect(await again).toBe('fine')
})
