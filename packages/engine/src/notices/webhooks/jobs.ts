import { ok } from '@corridor/kernel'
import { jobHandler } from '../../mechanisms/feature/bound.ts'
import {
  leastDelayAfterMs,
  type RetryPayload,
  retryJobKind,
} from '../../mechanisms/outbox/delivery-policy.ts'
import { decideRetry } from './rules.ts'
import { loadEvent } from './store.ts'

/**
 * The timer of a retry, on the book's clock. The relay makes the attempt itself, so that a slow endpoint
 * holds up neither the jobs of payments nor another platform (webhooks 3.2).
 */
const retryDelivery = jobHandler<RetryPayload>({
  kind: retryJobKind,
  async run(engine, scope, payload) {
    const event = await loadEvent(engine.database, scope, payload.eventId)
    return ok(decideRetry(event, payload, engine.world.now()))
  },
  together: {
    leastDelayMs: leastDelayAfterMs,
    run: (engine, book, timers) => engine.relay.retryInOrder(engine, book, timers),
  },
})

export const webhookJobs = [retryDelivery]
