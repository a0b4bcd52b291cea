/** A latch between those who make work and the loop that does it. A notice given early is not lost. */
export interface Signal {
  notify(): void
  /** Whether there was a notice since the last call; forgets it. */
  take(): boolean
  /** Whether there is a notice that was not taken yet. */
  readonly isSet: boolean
  /** Resolves with the next notice, at once if one was not taken yet. */
  wait(): Promise<void>
}

export function createSignal(): Signal {
  let isSet = false
  let waiting: { promise: Promise<void>; resolve: () => void } | undefined
  return {
    get isSet() {
      return isSet
    },
    notify() {
      isSet = true
      waiting?.resolve()
      waiting = undefined
    },
    take() {
      const wasSet = isSet
      isSet = false
      return wasSet
    },
    wait() {
      if (isSet) return Promise.resolve()
      if (!waiting) {
        let resolve = () => {}
        const promise = new Promise<void>((done) => {
          resolve = done
        })
        waiting = { promise, resolve }
      }
      return waiting.promise
    },
  }
}
