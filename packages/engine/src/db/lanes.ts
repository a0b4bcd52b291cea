/** Work that waits to be done together with other work of its book. */
export interface Waiting {
  /** Rows that it changes. Two that touch the same row are never in flight at the same moment. */
  readonly touches: readonly string[]
}

/**
 * Groups what arrives while earlier work is in flight; nothing ever waits for company. Up to `lanes`
 * batches run side by side, as long as they touch different rows: on a hot row work falls back to one
 * lane by itself, and no batch waits for a lock that its neighbour holds. What touches the same row keeps
 * the order in which it came.
 */
export function createLanes<W extends Waiting>(parts: {
  readonly lanes: number
  readonly maxBatch: number
  /** Never rejects: it answers to each member. */
  readonly run: (batch: W[]) => Promise<void>
  /** Nothing waits and nothing is in flight. */
  readonly onIdle: () => void
}): { add(work: W): void } {
  const { lanes, maxBatch, run, onIdle } = parts
  let queue: W[] = []
  let inFlight = 0
  const busy = new Set<string>()
  /** Rows of what is in the queue: whoever touches one of them comes after it. */
  let awaited = new Set<string>()

  function start(batch: W[]): void {
    inFlight++
    for (const work of batch) for (const row of work.touches) busy.add(row)
    void run(batch).finally(() => {
      inFlight--
      for (const work of batch) for (const row of work.touches) busy.delete(row)
      refill()
    })
  }

  function refill(): void {
    while (inFlight < lanes && queue.length > 0) {
      const batch = takeBatch()
      if (batch.length === 0) return
      start(batch)
    }
    if (inFlight === 0) onIdle()
  }

  function takeBatch(): W[] {
    const batch: W[] = []
    const left: W[] = []
    awaited = new Set()
    for (const work of queue) {
      if (batch.length < maxBatch && !work.touches.some((row) => busy.has(row) || awaited.has(row))) {
        batch.push(work)
      } else {
        left.push(work)
        for (const row of work.touches) awaited.add(row)
      }
    }
    queue = left
    return batch
  }

  return {
    add(work) {
      const isFree = !work.touches.some((row) => busy.has(row) || awaited.has(row))
      if (inFlight < lanes && isFree) return start([work])
      queue.push(work)
      for (const row of work.touches) awaited.add(row)
    },
  }
}
