import { TestRunner } from 'vitest'

let hasListener = false

/**
 * Vitest's own, but that what tidies a worker up stands there once: with `isolate: false` each file adds a listener that goes
 * through the fixtures of all of them, which at the end of a whole run took half a minute and gigabytes.
 */
export default class extends TestRunner {
  override onCleanupWorkerContext(listener: () => unknown): void {
    if (hasListener) return
    hasListener = true
    super.onCleanupWorkerContext(listener)
  }
}
