import { isIP } from 'node:net'
import type { BodyPace, WebhookAnswer, WebhookSender } from '@corridor/engine/ports/adapters.ts'
import { type Exchange, type ExchangeTimes, GatheredBytes, gatherBody, type World } from '@corridor/kernel'
import { ProxyAgent } from 'undici'
import { type Dispatcher, guardedDispatcher, isPrivateAddress, isRefusedPort } from './address-guard.ts'

const keptResponseBytes = 64 * 1024
/** Of a body that is sent slowly; no attempt takes longer. */
const longestSendSeconds = 30

export interface WebhookSenderOptions {
  /** Whether addresses of the own network are allowed (webhooks 3.2). */
  readonly allowsPrivate: boolean
  /** Whether plain http is; default: where private addresses are. */
  readonly allowsHttp?: boolean
  /** A proxy that everything goes through. It resolves names itself, so guarding them is its business. */
  readonly proxy?: string | undefined
  /** How connections are made; default: refusing private addresses unless they are allowed. */
  readonly dispatcher?: Dispatcher
}

interface GuardedCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly pace?: BodyPace
  readonly onMeasured?: ((times: ExchangeTimes) => void) | undefined
  readonly signal?: AbortSignal | undefined
}

/** What of a World reaches others. */
export type Network = Pick<World, 'fetch' | 'exchange'> & Partial<Pick<World, 'sleep'>>

/** Posts webhooks. */
export function webhookSender(world: Network, options: WebhookSenderOptions): WebhookSender {
  const call = guardedCalls(world, options)
  return { send: (delivery) => call({ method: 'POST', ...delivery }) }
}

/**
 * Calls addresses that others have chosen. Unless private addresses are allowed, the address is checked when the connection is
 * made and not before, so that a name cannot point elsewhere in between (webhooks 3.2).
 */
export function guardedCalls(
  world: Network,
  { allowsPrivate, allowsHttp = allowsPrivate, proxy, dispatcher }: WebhookSenderOptions,
): (call: GuardedCall) => Promise<WebhookAnswer> {
  const guarded = allowsPrivate ? undefined : guardedDispatcher()
  const connections = dispatcher ?? (proxy === undefined ? guarded : new ProxyAgent(proxy))
  const exchange = world.exchange ?? exchangeOver(world)
  const exchangeAtPace = exchangeOver(world)
  return async ({ pace, ...call }) => {
    const refusal = refusalOf(call.url, { allowsPrivate, allowsHttp })
    if (refusal) return { ok: false, reason: refusal }
    try {
      const asked = { ...call, maxBytes: keptResponseBytes, connections }
      return { ok: true, ...(await (pace ? exchangeAtPace({ ...asked, pace }) : exchange(asked))) }
    } catch (error) {
      return { ok: false, reason: reasonOf(error) }
    }
  }
}

/** What the URL alone tells. An address in it is connected to without a look-up, so it is checked here. */
function refusalOf(
  url: string,
  { allowsPrivate, allowsHttp }: { allowsPrivate: boolean; allowsHttp: boolean },
): string | undefined {
  if (!URL.canParse(url)) return 'INVALID_URL'
  const { protocol, hostname, port, username, password } = new URL(url)
  // Refused when it is set; one that was set before must not come up in an error.
  if (username !== '' || password !== '') return 'URL_WITH_CREDENTIALS'
  if (protocol !== 'https:' && !(allowsHttp && protocol === 'http:')) return 'NOT_HTTPS'
  if (isRefusedPort(port)) return 'REFUSED_PORT'
  if (allowsPrivate) return undefined
  const literal = hostname.replace(/^\[|\]$/g, '')
  return isIP(literal) !== 0 && isPrivateAddress(literal) ? 'PRIVATE_ADDRESS' : undefined
}

/** The same exchange by `fetch`, for a World that has nothing else. */
export function exchangeOver(
  world: Network,
): (request: Parameters<Exchange>[0] & { readonly pace?: BodyPace }) => ReturnType<Exchange> {
  return async ({ method, url, headers, body, timeoutMs, maxBytes, connections, pace, signal }) => {
    const limit = AbortSignal.timeout(timeoutMs)
    const response = await world.fetch(url, {
      method,
      // A stream has no length that could be known, and many an endpoint reads nothing without one.
      headers: pace ? { ...headers, 'content-length': String(Buffer.byteLength(body ?? '')) } : headers,
      ...(body === undefined ? {} : pace ? { body: paced(world, body, pace), duplex: 'half' } : { body }),
      redirect: 'manual',
      signal: signal ? AbortSignal.any([limit, signal]) : limit,
      ...(connections ? { dispatcher: connections } : {}),
    } as object)
    return { status: response.status, body: await firstBytes(response, maxBytes) }
  }
}

/** Parts of a body a second apart, or its first half before it breaks off. */
async function* paced({ sleep }: Network, body: string, { bytesPerSecond, isCutShort }: BodyPace) {
  const bytes = Buffer.from(body)
  const sent = isCutShort ? bytes.subarray(0, bytes.length >> 1) : bytes
  const perSecond = bytesPerSecond ?? bytes.length
  const size = Math.max(perSecond, Math.ceil(sent.length / longestSendSeconds), 1)
  for (let at = 0; at < sent.length; at += size) {
    if (at > 0) await sleep?.(1_000)
    yield sent.subarray(at, at + size)
  }
  if (isCutShort) throw Object.assign(new Error('the body was cut short'), { code: 'CUT_SHORT' })
}

/**
 * Reads no more of an answer than is kept: an endpoint must not be able to fill our memory. The status has
 * arrived by then, so a body that breaks off or takes too long is kept as far as it came.
 */
async function firstBytes(response: Response, maxBytes: number): Promise<string> {
  const gathered = new GatheredBytes(maxBytes)
  // Where it breaks off, what has been read is all there is.
  await gatherBody(response, gathered).catch(() => {})
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(gathered.bytes())
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'failed'
  const cause = error.cause instanceof Error ? error.cause : error
  if (cause.name === 'TimeoutError' || cause.name === 'AbortError') return 'timeout'
  const code = (cause as { code?: unknown }).code
  // Never the words of an error: they may repeat the address with all that stands in it.
  return typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : 'failed'
}
