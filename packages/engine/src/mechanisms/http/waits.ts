import type { ServerResponse } from 'node:http'

/** Calls that wait for something to happen, so that none outlasts whoever asked or what it looks at. */
export interface Waits {
  /** Aborted once whoever waits for this answer has gone, or nobody is to wait any longer. */
  over(response: ServerResponse): AbortSignal
  /** Aborted once nobody is to wait any longer; whoever waits takes itself away again with what is returned. */
  add(over: AbortController): () => void
  /** Ends the waiting of all who wait now: they are answered with what there is. */
  endAll(): void
}

export function createWaits(): Waits {
  const open = new Set<AbortController>()
  return {
    over(response) {
      const over = new AbortController()
      if (response.destroyed) over.abort()
      else open.add(over)
      // Also once it was answered.
      response.once('close', () => {
        open.delete(over)
        over.abort()
      })
      return over.signal
    },
    add(over) {
      open.add(over)
      return () => void open.delete(over)
    },
    endAll() {
      for (const over of open) over.abort()
      open.clear()
    },
  }
}
