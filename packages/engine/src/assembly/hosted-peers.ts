import { engineFromNow } from '../mechanisms/db/durability.ts'
import type { HostedPage } from '../mechanisms/feature/bound.ts'
import type { Engine } from '../mechanisms/feature/engine.ts'
import { umaPages } from '../money/uma-provider/index.ts'
import type { WebhookAnswer } from '../ports/adapters.ts'
import type { PeerTransport } from '../ports/uma.ts'
import type { Environment } from '../vocabulary/scope.ts'

/**
 * Speaks to the institutions of this installation as to those outside, but within the process (webhooks-uma 6.6): the pages
 * that answer peers are called with the host and the path of the address. Same signatures, nonces, approvals and events.
 */
export function hostedPeers(engine: () => Engine, environment: Environment): PeerTransport {
  const call = async (method: 'GET' | 'POST', url: string, body: string): Promise<WebhookAnswer> => {
    const { pathname, host, searchParams } = new URL(url)
    for (const page of umaPages) {
      const params = (page.method ?? 'GET') === method && paramsOf(page, pathname)
      if (!params) continue
      const request = {
        params,
        query: Object.fromEntries(searchParams),
        header: (name: string) => (name === 'host' ? host : undefined),
        body: body === '' ? {} : (JSON.parse(body) as Record<string, unknown>),
        environment,
      }
      const answer = await page.answer(engineFromNow(engine()), request)
      if (!answer.ok) return { ok: false, reason: answer.failure.code }
      return { ok: true, status: answer.value.status ?? 200, body: answer.value.body.toString() }
    }
    return { ok: false, reason: 'NO_SUCH_PAGE' }
  }
  return { get: (url) => call('GET', url, ''), post: (url, body) => call('POST', url, body) }
}

/** The parameters of the page's path, or undefined where the address is another's. */
function paramsOf({ path }: HostedPage, pathname: string): Record<string, string> | undefined {
  const [names, given] = [path.split('/'), pathname.split('/')]
  // A base address of the service may have a path of its own in front.
  given.splice(0, given.length - names.length)
  const params: Record<string, string> = {}
  for (const [index, name] of names.entries()) {
    const part = decodeURIComponent(given[index] ?? '')
    if (name.startsWith(':')) params[name.slice(1)] = part
    else if (name !== part) return undefined
  }
  return params
}
