import type { World } from '@corridor/kernel'
import type { Decision } from '../../vocabulary/decision.ts'

/** What a caller commits with the outcome of a job of his; asked again when that is decided again. */
export type AddToOutcome = (outcome: Decision) => Decision

/** Whoever runs his own jobs, as long as he waits for them. */
export interface WaitingCaller {
  /** The outcome with what the caller adds, once he no longer waits without it. */
  readonly add: AddToOutcome
  /** The outcome that was added to is committed, or is none. */
  told(): void
  /** Waits for the outcome of all, or until patience ends; where time does not pass, as long as it takes. */
  wait(world: Pick<World, 'sleep' | 'isFrozen'>, outcome: Promise<boolean>): Promise<boolean>
}

const patienceMs = 10_000

export function waitingCaller(add: AddToOutcome = (outcome) => outcome): WaitingCaller {
  let isWaiting = true
  let isAdding = false
  return {
    add(outcome) {
      // Whoever waits on because of what was added has it added again when the outcome is decided again.
      if (!isWaiting && !isAdding) return outcome
      isAdding = true
      return add(outcome)
    },
    told() {
      isAdding = false
    },
    async wait(world, outcome) {
      // How long it takes in real time is nothing that is said where time does not pass by itself.
      if (world.isFrozen) return outcome
      const over = new AbortController()
      const reached = await Promise.race([outcome, world.sleep(patienceMs, over.signal)])
      over.abort()
      isWaiting = false
      // What is being committed with what the caller added tells him of it: no other answer may come before.
      return reached ?? (isAdding ? outcome : false)
    },
  }
}
