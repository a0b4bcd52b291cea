import { expect, it } from 'vitest'
import { forAll } from './one-by-one.ts'

/** How many were under way at most, and what they came to. */
async function mostAtOnce(world: Parameters<typeof forAll>[0]) {
  let underWay = 0
  let most = 0
  const results = await forAll(world, [1, 2, 3], async (one) => {
    most = Math.max(most, ++underWay)
    await new Promise((resolve) => setImmediate(resolve))
    underWay--
    return one * 10
  })
  return { most, results }
}

it('lets all run side by side', async () => {
  expect(await mostAtOnce({})).toEqual({ most: 3, results: [10, 20, 30] })
})

it('lets nobody begin before the one before has ended where a World repeats what it makes', async () => {
  const world = { within: <T>(_: string, work: () => T) => work() }
  expect(await mostAtOnce(world)).toEqual({ most: 1, results: [10, 20, 30] })
})
