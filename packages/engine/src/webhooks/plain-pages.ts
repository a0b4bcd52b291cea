import { failed, ok } from '@corridor/kernel'
import { failFields } from '../http/errors.ts'
import type { PlainPage } from '../http/plain-page.ts'
import { environments } from '../http/scope.ts'

/** The keys that verify webhooks, for anybody (webhooks 3.1): PEM, the current one first. */
const publicKeyPage: PlainPage = {
  path: '/.well-known/webhook-public-key',
  async answer(engine, query) {
    const wanted = query.environment ?? environments[0]
    const environment = environments.find((name) => name === wanted.toUpperCase())
    if (!environment) {
      const message = `is one of ${environments.map((name) => name.toLowerCase()).join(', ')}`
      return failed(failFields([{ field: 'environment', message }]))
    }
    return ok({
      contentType: 'text/plain',
      body: engine.keys.webhookPublicKeys(environment).join(''),
      headers: {
        'cache-control': 'public, max-age=300',
        'x-webhook-key-id': engine.keys.webhookSigner(environment).keyId,
      },
    })
  },
}

export const webhookPlainPages = [publicKeyPage]
