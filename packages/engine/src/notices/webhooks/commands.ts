import { failed, ok, type Result, toTimestamp } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { sendWebhook, signWebhook } from '../../mechanisms/outbox/attempt.ts'
import { isHeld } from '../../mechanisms/outbox/held-endpoints.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Book, Scope } from '../../vocabulary/scope.ts'
import type { WebhookPublicKey } from './contract.ts'
import { decideResend } from './rules.ts'
import { isPlatform, loadEvent, loadWebhookEndpoint } from './store.ts'
import type { TestWebhookResponse } from './test-webhook-schemas.ts'

const timeoutMs = 10_000

/**
 * Sends a TEST event once, while the caller waits: to `url`, or to the configured endpoint. Any HTTP
 * answer is a success; only its absence is not (webhooks 3.5). The event is not kept. Fails with
 * WEBHOOK_ENDPOINT_NOT_SET, also in a fork that has no endpoint of its own, and WEBHOOK_DELIVERY_ERROR.
 */
export async function sendTestWebhook(
  engine: Engine,
  scope: Scope,
  request: { readonly url?: string },
): Promise<Result<TestWebhookResponse, Failure>> {
  const url = request.url ?? (await ownEndpoint(engine, scope))
  if (url === undefined) return failed(fail('WEBHOOK_ENDPOINT_NOT_SET'))
  const id = engine.world.id('Webhook')
  const body = JSON.stringify({ id, type: 'TEST', timestamp: toTimestamp(scope.now), data: {} })
  const answer = await sendWebhook(engine, scope, {
    eventId: id,
    body,
    url,
    attempt: 1,
    timeoutMs,
    signed: await signWebhook(engine, scope, body),
  })
  if (!answer.ok) return failed(fail('WEBHOOK_DELIVERY_ERROR', { reason: answer.reason }))
  return ok({
    url,
    response_status: answer.status,
    ...(engine.adapters[scope.environment].rules.showsEndpointAnswers
      ? { response_body: answer.body.replaceAll('\u0000', '\ufffd') }
      : {}),
  })
}

/** The configured endpoint. One that a fork was copied with is told nothing of it: it takes this for the world it knows. */
async function ownEndpoint(engine: Endpoints, book: Book): Promise<string | undefined> {
  return (await isHeldBack(engine, book)) ? undefined : loadWebhookEndpoint(engine.database, book)
}

/** Whether the endpoint of a platform is one that this fork was copied with: nothing is sent until it has one of its own. */
export async function isHeldBack({ database, heldEndpoints }: Endpoints, book: Book): Promise<boolean> {
  if (heldEndpoints.length === 0) return false
  return isHeld(heldEndpoints, (await loadWebhookEndpoint(database, book)) ?? null)
}

type Endpoints = Pick<Engine, 'database' | 'heldEndpoints'>

/** The keys that verify the webhooks of a platform: the one that signs first (webhooks 3.1). */
export async function readPublicKeys(engine: Engine, book: Book): Promise<WebhookPublicKey> {
  const [publicKeys, signer] = await Promise.all([
    engine.keys.webhookPublicKeys(book),
    engine.keys.webhookSigner(book),
  ])
  return { keyId: signer.keyId, publicKey: publicKeys.join('') }
}

/** The operator's second chance for an event that was given up; the relay sends it next. */
export async function resendEvent(
  engine: Engine,
  actor: Actor,
  book: Book,
  id: string,
): Promise<Result<Reply, Failure>> {
  const scope = await engine.clock.scope(book, actor)
  return commit(engine.applier, scope, async () =>
    decideResend(await loadEvent(engine.database, book, id), { id, realNow: engine.world.now() }),
  )
}

/**
 * Another key for the webhooks of a platform (webhooks 3.1). Fails with REFERENCE_NOT_FOUND, and with CONFLICT
 * while one is waiting.
 */
export async function rotateKey(engine: Engine, actor: Actor, book: Book): Promise<Result<Reply, Failure>> {
  if (!(await isPlatform(engine.database, book))) {
    return failed(fail('REFERENCE_NOT_FOUND', { resourceType: 'Platform', id: book.platformId }))
  }
  const next = await engine.keys.rotateWebhookKey(book, actor)
  if (!next) return failed(fail('CONFLICT', { reason: 'ROTATION_UNDER_WAY' }))
  return ok({ status: 201, body: { ...next, signsFrom: toTimestamp(next.signsFrom) } })
}
