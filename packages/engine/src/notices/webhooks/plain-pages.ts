import { failed, isUuid, ok } from '@corridor/kernel'
import type { PlainPage } from '../../mechanisms/feature/bound.ts'
import { failFields } from '../../vocabulary/errors.ts'
import { environments } from '../../vocabulary/scope.ts'
import { readPublicKeys } from './commands.ts'
import { findBookOfToken, isPlatform } from './store.ts'

const longestClientId = 255

/**
 * The keys that verify the webhooks of a platform, for anybody (webhooks 3.1): PEM, the current one first. The
 * platform is named by the clientId of one of its tokens, which tells the environment too, or by its id.
 */
const publicKeyPage: PlainPage = {
  path: '/.well-known/webhook-public-key',
  async answer(engine, query) {
    const refuse = (field: string, message: string) => failed(failFields([{ field, message }]))
    const { platform = '' } = query
    if (platform === '' || platform.length > longestClientId) {
      return refuse('platform', 'must be the clientId of a token of the platform, or the id of the platform')
    }
    const wanted = query.environment ?? environments[0]
    const environment = environments.find((name) => name === wanted.toUpperCase())
    if (!environment) {
      const names = environments.map((name) => name.toLowerCase())
      return refuse('environment', `must be one of ${names.join(', ')}`)
    }
    const id = platform.replace(/^PlatformConfig:/, '').toLowerCase()
    const book = isUuid(id)
      ? { platformId: id, environment }
      : await findBookOfToken(engine.database, platform)
    if (!book || !(await isPlatform(engine.database, book))) return refuse('platform', 'is not known')
    const { keyId, publicKey } = await readPublicKeys(engine, book)
    return ok({
      contentType: 'text/plain',
      body: publicKey,
      headers: { 'cache-control': 'public, max-age=300', 'x-webhook-key-id': keyId },
    })
  },
}

export const webhookPlainPages = [publicKeyPage]
