import {
  failed,
  type Instant,
  ok,
  type Result,
  stateAfter,
  statesBefore,
  toTimestamp,
} from '@corridor/kernel'
import type { RetryPayload } from '../../mechanisms/outbox/delivery-policy.ts'
import { deliveryMachine } from '../../mechanisms/outbox/machine.ts'
import type { Decision } from '../../vocabulary/decision.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
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

/**
 * One more attempt for an event that was given up (webhooks 3.2). An event that happened while there was
 * no endpoint stays unsent, and so does one of an erased customer. Fails with REFERENCE_NOT_FOUND and CONFLICT.
 */
export function decideResend(
  event: EventState | undefined,
  { id, realNow }: { id: string; realNow: Instant },
): Result<Decision<Reply>, Failure> {
  if (!event) return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Webhook', id }))
  if (event.status !== 'FAILED') return failed(fail('CONFLICT', { id, status: event.status }))
  if (!event.tells) return failed(fail('CONFLICT', { reason: 'ERASED', id }))
  return ok({
    updates: [
      {
        table: 'events',
        id,
        from: statesBefore(deliveryMachine, 'resend'),
        version: event.version,
        set: { status: stateAfter(deliveryMachine, 'resend'), due_at: toTimestamp(realNow) },
      },
    ],
    result: () => ({ status: 202, body: { id } }),
  })
}
