/** A latch between those who make work and the loop that does it. A notice given early is not lost. */
export interface Signal {
  notify(): void
  /** Whether there was a notice since the last call; forgets it. */
  take(): boolean
  /** Whether there is a notice that was not taken yet. */
  readonly isSet: boolean
  /** Resolves with the next notice, at once if one was not taken yet; or when it is over, after which nothing is kept of it. */
  wait(over?: AbortSignal): Promise<void>
}

export function createSignal(): Signal {
  let isSet = false
  const waiting = new Set<() => void>()
  return {
    get isSet() {
      return isSet
    },
    notify() {
      isSet = true
      for (const resume of waiting) resume()
      waiting.clear()
    },
    take() {
      const wasSet = isSet
      isSet = false
      return wasSet
    },
    wait(over) {
      if (isSet || over?.aborted) return Promise.resolve()
      return new Promise((resolve) => {
        waiting.add(resolve)
        over?.addEventListener('abort', () => {
          waiting.delete(resolve)
          resolve()
        })
      })
    },
  }
}
