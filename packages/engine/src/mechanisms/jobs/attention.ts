import type { World } from '@corridor/kernel'
import { createSignal } from './signal.ts'

/** Whether anybody asks anything of an engine. */
export interface Attention {
  /** Somebody asks. */
  pay(): void
  /** Whether somebody asked lately. */
  isPaid(): boolean
  /** Resolves when somebody asks next, or it is over. */
  wait(over: AbortSignal): Promise<void>
}

/** So long after he asked, whoever asked may look for what came of it. */
const lastsMs = 3_000

export function createAttention({ now }: Pick<World, 'now'>): Attention {
  let paidAt = now()
  const next = createSignal()
  return {
    pay() {
      paidAt = now()
      next.notify()
      next.take()
    },
    isPaid: () => now() - paidAt < lastsMs,
    wait: (over) => next.wait(over),
  }
}
