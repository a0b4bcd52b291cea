/** Lets so many work at a time; the others wait in the order they came. */
export function createTurns(count: number) {
  let free = count
  const waiting: (() => void)[] = []
  return {
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (free > 0) free--
      else await new Promise<void>((resolve) => waiting.push(resolve))
      try {
        return await work()
      } finally {
        const next = waiting.shift()
        if (next) next()
        else free++
      }
    },
  }
}
