/** Whole numbers below a limit, the same for the same seed. */
export type Random = (limit: number) => number

export function generator(seed: number): Random {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return (limit) => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return (state >>> 4) % limit
  }
}

export const pick = <T>(random: Random, list: readonly T[]): T => list[random(list.length)]!
