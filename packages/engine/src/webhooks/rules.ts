import { type Instant, toTimestamp } from '@corridor/kernel'
import type { Decision } from '../db/decision.ts'
import type { RetryPayload } from '../outbox/delivery-policy.ts'
import type { EventState } from './store.ts'

/**
 * Makes an event due for the relay again. `realNow` is the relay's time, which no sandbox clock moves. A
 * timer that is late, because the attempt it leads to has been made, changes nothing.
 */
export function decideRetry(
  event: EventState | undefined,
  { attempt }: RetryPayload,
  realNow: Instant,
): Decision<null> {
  if (event?.status !== 'RETRYING' || event.attempts + 1 !== attempt) return { result: () => null }
  return {
    updates: [
      {
        table: 'events',
        id: event.id,
        from: ['RETRYING'],
        version: event.version,
        set: { due_at: toTimestamp(realNow) },
      },
    ],
    result: () => null,
  }
}
