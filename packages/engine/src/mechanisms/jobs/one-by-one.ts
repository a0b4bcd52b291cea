import type { World } from '@corridor/kernel'

/**
 * The same for each, side by side; one after the other in a World that repeats what it makes. There what several count
 * together, as a limit of the sandbox counts its uses, must not go by which of them is faster.
 */
export async function forAll<T, R>(
  world: Pick<World, 'within'>,
  all: readonly T[],
  work: (one: T) => Promise<R>,
): Promise<R[]> {
  const results: Promise<R>[] = []
  for (const one of all) {
    const result = work(one)
    results.push(result)
    if (world.within) await result
  }
  return Promise.all(results)
}
