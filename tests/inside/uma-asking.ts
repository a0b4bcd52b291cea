import { identityOf, signParts } from '@corridor/engine/money/uma-peers/index.ts'
import { expect } from 'vitest'
import type { twoInstallations } from '../e2e/uma-peers.ts'

export type Key = 'signing' | 'encryption'
export type Query = Record<string, string | undefined>
/** A pay request. */
export type Body = Record<string, unknown> & { payerData: Record<string, unknown> }

/** Asks the second of two installations as the first would, or as it should not. */
export function askingAs(two: () => Awaited<ReturnType<typeof twoInstallations>>) {
  /** Signs as the peer would; with its other key where that is said. */
  async function signed(parts: readonly string[], { ageMs = 0, key = 'signing' as Key } = {}) {
    const { engine, world } = two().a.server
    const identity = await identityOf(engine, two().a.platform, two().a.domain)
    const privateKey = key === 'signing' ? identity.signingKey : identity.encryptionKey
    return signParts(parts, privateKey, { world, now: world.now() - ageMs })
  }

  async function call(path: string, init: { body?: unknown; host?: string } = {}) {
    const { body, host = 'beta.internal' } = init
    const response = await two().b.server.fetch(`http://${host}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { host, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const answer = (await response.json()) as Record<string, unknown>
    if (response.status !== 200) expect(answer).toMatchObject({ status: 'ERROR', reason: expect.any(String) })
    return { status: response.status, answer }
  }

  async function lookup(
    change: (query: Query) => Query | Promise<Query> = (query) => query,
    user = '$beta-user',
  ) {
    const parts = await signed([`${user}@beta.internal`])
    const query = await change({
      signature: parts.signature,
      vaspDomain: 'alpha.internal',
      nonce: parts.signatureNonce,
      isSubjectToTravelRule: 'true',
      timestamp: String(parts.signatureTimestamp),
      umaVersion: '1.0',
    })
    const given = Object.entries(query).filter((entry): entry is [string, string] => entry[1] !== undefined)
    return call(`/.well-known/lnurlp/${user}?${new URLSearchParams(given)}`)
  }

  /** A lookup, and the pay request that follows it. */
  async function payRequest(
    change: (body: Body) => object = (body) => body,
    { major = 1, ...options }: Parameters<typeof signed>[1] & { major?: 0 | 1 } = {},
  ) {
    const { answer } = await lookup((query) => (major === 0 ? { ...query, umaVersion: '0.3' } : query))
    const { pathname } = new URL(answer.callback as string)
    const parts = await signed(['$alpha-user@alpha.internal'], options)
    const body = {
      convert: 'USD',
      amount: '1000.USD',
      payerData: {
        identifier: '$alpha-user@alpha.internal',
        name: 'Ana Lopez',
        compliance: { kycStatus: 'VERIFIED', utxos: [], utxoCallback: '', ...parts },
      },
      settlement: { layer: 'bilateral', assetIdentifier: 'BTC' },
    }
    return call(pathname, { body: change(body) })
  }

  return { signed, call, lookup, payRequest }
}
