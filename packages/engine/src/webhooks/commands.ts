import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../db/apply.ts'
import type { Engine } from '../engine.ts'
import { type Failure, fail } from '../http/errors.ts'
import type { Reply } from '../http/operation.ts'
import type { Book, Environment, Scope } from '../http/scope.ts'
import { sendWebhook } from '../outbox/attempt.ts'
import { decideResend } from './rules.ts'
import { loadEvent, loadWebhookEndpoint } from './store.ts'
import type { TestWebhookResponse } from './test-webhook-schemas.ts'

const timeoutMs = 10_000

/**
 * Sends a TEST event once, while the caller waits: to `url`, or to the configured endpoint. Any HTTP
 * answer is a success; only its absence is not (webhooks 3.5). The event is not kept. Fails with
 * WEBHOOK_ENDPOINT_NOT_SET and WEBHOOK_DELIVERY_ERROR.
 */
export async function sendTestWebhook(
  engine: Engine,
  scope: Scope,
  request: { readonly url?: string },
): Promise<Result<TestWebhookResponse, Failure>> {
  const url = request.url ?? (await loadWebhookEndpoint(engine.database, scope))
  if (url === undefined) return failed(fail('WEBHOOK_ENDPOINT_NOT_SET'))
  const id = engine.world.id('Webhook')
  const body = JSON.stringify({ id, type: 'TEST', timestamp: toTimestamp(scope.now), data: {} })
  const answer = await sendWebhook(engine, scope.environment, {
    eventId: id,
    body,
    url,
    attempt: 1,
    timeoutMs,
  })
  if (!answer.ok) return failed(fail('WEBHOOK_DELIVERY_ERROR', { reason: answer.reason }))
  return ok({
    url,
    response_status: answer.status,
    response_body: answer.body.replaceAll('\u0000', '\ufffd'),
  })
}

/** The operator's second chance for an event that was given up; the relay sends it next. */
export async function resendEvent(engine: Engine, book: Book, id: string): Promise<Result<Reply, Failure>> {
  const scope = await engine.clock.scope(book, { id: 'operator', permissions: [] })
  return commit(engine.applier, scope, async () =>
    decideResend(await loadEvent(engine.database, book, id), { id, realNow: engine.world.now() }),
  )
}

/** Another key for the webhooks of an environment (webhooks 3.1). Fails with CONFLICT while one is waiting. */
export async function rotateKey(engine: Engine, environment: Environment): Promise<Result<Reply, Failure>> {
  const next = await engine.keys.rotateWebhookKey(environment)
  if (!next) return failed(fail('CONFLICT', { reason: 'ROTATION_UNDER_WAY' }))
  return ok({ status: 201, body: { ...next, signsFrom: toTimestamp(next.signsFrom) } })
}
