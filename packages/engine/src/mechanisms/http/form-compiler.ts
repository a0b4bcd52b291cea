import type { World } from '@corridor/kernel'
import type { Operation } from '../../vocabulary/operation.ts'

/** The functions that compile the forms of each operation, and parts of them. Operations can share a function. */
export type Uncompiled = Map<Operation, readonly (() => void)[]>

/**
 * Compiles the forms of operations, one form or part per turn of the event loop. The largest takes 0.1 s, so the first requests of
 * several operations at once would otherwise stop all others for seconds.
 */
export interface FormCompiler {
  /** Undefined if the forms of the operation are compiled. */
  prepare(operation: Operation): Promise<void> | undefined
  /**
   * Prepares the remaining operations, half a minute after a start. Not earlier: all forms take as much CPU as the rest of a start, and
   * a process that soon ends needs few of them.
   */
  prepareWhenCalm(world: Pick<World, 'sleep'>, signal: AbortSignal): Promise<void>
}

const calmAfterMs = 30_000

export function createFormCompiler(uncompiled: Uncompiled): FormCompiler {
  const preparing = new Map<Operation, Promise<void>>()
  const done = new Set<() => void>()
  let lastTurn: Promise<void> = Promise.resolve()

  async function compile(operation: Operation): Promise<void> {
    for (const compileForm of uncompiled.get(operation)!) {
      if (done.has(compileForm)) continue
      done.add(compileForm)
      lastTurn = lastTurn.then(nextTurn)
      await lastTurn
      compileForm()
    }
    uncompiled.delete(operation)
    preparing.delete(operation)
  }

  function prepare(operation: Operation): Promise<void> | undefined {
    if (!uncompiled.has(operation)) return undefined
    let prepared = preparing.get(operation)
    if (!prepared) {
      prepared = compile(operation)
      preparing.set(operation, prepared)
    }
    return prepared
  }

  return {
    prepare,
    async prepareWhenCalm(world, signal) {
      await world.sleep(calmAfterMs, signal)
      for (const operation of [...uncompiled.keys()]) {
        if (signal.aborted) return
        await prepare(operation)
      }
    },
  }
}

function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
