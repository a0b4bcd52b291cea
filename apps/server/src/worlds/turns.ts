export type CopyKind = 'COPIES' | 'REPLACES'

/**
 * One copy at a time. Copies wait for each other, as tests that run beside each other each make one. Nobody waits for what
 * replaces a world: it waits until nothing of that world waits.
 */
export interface Turns {
  isUnderWay(): boolean
  /** Waits for those who copy before it; false where it may not. Whoever has begun hands on. */
  begin(kind: CopyKind): Promise<boolean>
  /** At once, so that nothing else comes between. */
  handOn(): void
}

/** `most`: so many wait for their turn. */
export function createTurns(most: number): Turns {
  let underWay: CopyKind | undefined
  const waiting: (() => void)[] = []
  return {
    isUnderWay: () => underWay !== undefined,
    async begin(kind) {
      if (underWay) {
        if (underWay !== 'COPIES' || kind !== 'COPIES' || waiting.length >= most) return false
        await new Promise<void>((resolve) => waiting.push(resolve))
      }
      underWay = kind
      return true
    },
    handOn() {
      const next = waiting.shift()
      if (next) next()
      else underWay = undefined
    },
  }
}
