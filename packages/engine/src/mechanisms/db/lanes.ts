/** Work that waits to be done together with other work of its book. */
export interface Waiting {
  /** Rows whose state decides about it. Two that touch the same row are never in flight at the same moment. */
  readonly touches: readonly string[]
  /**
   * Rows that it only adds to, or only needs to stay as they are: the order among those who do makes no
   * difference, so they may overlap.
   */
  readonly adds: readonly string[]
}

/**
 * Groups what arrives while earlier work is in flight; while nothing is, nobody waits. Up to `lanes`
 * batches run side by side, once enough wait for another to be worth it and as long as no row that one touches is touched or added to by another: on a
 * hot row work falls back to one lane by itself. What touches the same row keeps the order in which it came.
 */
export function createLanes<W extends Waiting>(parts: {
  readonly lanes: number
  readonly maxBatch: number
  /** So many must wait before another lane opens: fewer are better off as one batch, which costs less than two. */
  readonly worthALane: number
  /** Never rejects. Resolves with what tells the members, once the next batch is on its way. */
  readonly run: (batch: W[]) => Promise<() => void>
  /** Nothing waits and nothing is in flight. */
  readonly onIdle: () => void
}): { add(work: W): void; waiting(): number } {
  const { lanes, maxBatch, worthALane, run, onIdle } = parts
  let queue: W[] = []
  let inFlight = 0
  const busy = createRows()
  /** Rows of what is in the queue: whoever meets one of them comes after it. */
  const awaited = createRows()

  function start(batch: W[]): void {
    inFlight++
    for (const work of batch) busy.enter(work)
    void run(batch).then((tell) => {
      inFlight--
      for (const work of batch) busy.leave(work)
      refill()
      tell()
    })
  }

  function refill(): void {
    while (inFlight < lanes && queue.length > 0 && (inFlight === 0 || queue.length >= worthALane)) {
      const batch = takeBatch()
      if (batch.length === 0) return
      start(batch)
    }
    if (inFlight === 0) onIdle()
  }

  function takeBatch(): W[] {
    const batch: W[] = []
    const left: W[] = []
    awaited.clear()
    for (const work of queue) {
      if (batch.length < maxBatch && !busy.meets(work) && !awaited.meets(work)) {
        batch.push(work)
      } else {
        left.push(work)
        awaited.enter(work)
      }
    }
    queue = left
    return batch
  }

  return {
    waiting: () => queue.length,
    add(work) {
      if (inFlight === 0) return start([work])
      queue.push(work)
      awaited.enter(work)
      if (queue.length % worthALane === 0) refill()
    },
  }
}

/** Rows that a set of works touches or adds to, with how many of them do. */
function createRows() {
  const touched = new Map<string, number>()
  const added = new Map<string, number>()
  return {
    enter({ touches, adds }: Waiting): void {
      for (const row of touches) count(touched, row)
      for (const row of adds) count(added, row)
    },
    leave({ touches, adds }: Waiting): void {
      for (const row of touches) discount(touched, row)
      for (const row of adds) discount(added, row)
    },
    clear(): void {
      touched.clear()
      added.clear()
    },
    meets({ touches, adds }: Waiting): boolean {
      if (touched.size === 0 && added.size === 0) return false
      return touches.some((row) => touched.has(row) || added.has(row)) || adds.some((row) => touched.has(row))
    },
  }
}

function count(rows: Map<string, number>, row: string): void {
  rows.set(row, (rows.get(row) ?? 0) + 1)
}

function discount(rows: Map<string, number>, row: string): void {
  const left = rows.get(row)! - 1
  if (left === 0) rows.delete(row)
  else rows.set(row, left)
}
