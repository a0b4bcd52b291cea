import { X509Certificate } from 'node:crypto'
import { failed, type Instant, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Environment } from '../../vocabulary/scope.ts'
import { parseOutsideJson } from '../../vocabulary/storable.ts'
import { type Counterparty, transportTo } from './counterparties.ts'
import { isSigned, parsePublicKey, wellKnown } from './wire.ts'

/** What a peer publishes about itself (webhooks-uma 6.2). */
export interface PeerKeys {
  readonly signing: Uint8Array
  readonly encryption: Uint8Array
}

const fetchTimeoutMs = 5_000
const longestLifeMs = 5 * 60_000
/** Peers are those that the operator lists: few. */
const maxCached = 1_000
const longestChain = 5

interface Cached {
  readonly keys: PeerKeys
  readonly until: Instant
}
const caches = new WeakMap<object, Map<string, Cached>>()

/** The keys of a peer, from the cache or from the peer; not older than five minutes. */
export async function keysOfPeer(
  engine: Engine,
  environment: Environment,
  { domain, isHosted }: Counterparty,
  { isFresh = false } = {},
): Promise<Result<PeerKeys, Failure>> {
  let cache = caches.get(engine.database)
  if (!cache) {
    cache = new Map()
    caches.set(engine.database, cache)
  }
  const now = engine.world.now()
  const key = `${environment} ${isHosted ? 'hosted' : 'listed'} ${domain}`
  const known = cache.get(key)
  if (known && !isFresh && now < known.until) return ok(known.keys)
  const transport = transportTo(engine, environment, { isHosted })
  const answer = await transport.get(wellKnown(domain, 'lnurlpubkey'), fetchTimeoutMs)
  if (!answer.ok || answer.status !== 200) {
    return failed(fail('COUNTERPARTY_PUBKEY_FETCH_ERROR', { counterpartyDomain: domain }))
  }
  const parsed = parseKeys(answer.body, domain, now)
  if (!parsed.ok) return parsed
  const { keys, expiresAt } = parsed.value
  if (cache.size >= maxCached) cache.clear()
  cache.set(key, { keys, until: Math.min(expiresAt, now + longestLifeMs) })
  return ok(keys)
}

/**
 * Whether a peer signed the text; keys that were replaced meanwhile are fetched once more. Of a peer whose signing key is
 * known from before, nothing is fetched unless it signs with another.
 */
export async function isSignedByPeer(
  engine: Engine,
  environment: Environment,
  peer: Counterparty,
  { text, signature }: { readonly text: string; readonly signature: string },
  knownKey?: string | null,
): Promise<Result<Pick<PeerKeys, 'signing'>, Failure>> {
  const known = parsePublicKey(knownKey)
  if (known && isSigned(text, signature, known)) return ok({ signing: known })
  for (const isFresh of [false, true]) {
    const keys = await keysOfPeer(engine, environment, peer, { isFresh })
    if (!keys.ok) return keys
    if (isSigned(text, signature, keys.value.signing)) return keys
  }
  return failed(fail('INVALID_SIGNATURE'))
}

function parseKeys(
  body: string,
  counterpartyDomain: string,
  now: Instant,
): Result<{ keys: PeerKeys; expiresAt: Instant }, Failure> {
  const invalid = failed(fail('INVALID_PUBKEY_FORMAT', { counterpartyDomain }))
  let document: Record<string, unknown>
  try {
    document = parseOutsideJson(body) as Record<string, unknown>
  } catch {
    return invalid
  }
  if (typeof document !== 'object' || document === null) return invalid
  const signing = keyFrom(document.signingCertChain, document.signingPubKey, now)
  const encryption = keyFrom(document.encryptionCertChain, document.encryptionPubKey, now)
  for (const key of [signing, encryption]) {
    if (typeof key === 'string') return failed(fail(key, { counterpartyDomain }))
  }
  const { expirationTimestamp } = document
  const expiresAt = typeof expirationTimestamp === 'number' ? expirationTimestamp * 1000 : now + longestLifeMs
  return ok({ keys: { signing: signing as Uint8Array, encryption: encryption as Uint8Array }, expiresAt })
}

type KeyProblem = 'INVALID_PUBKEY_FORMAT' | 'CERT_CHAIN_INVALID' | 'CERT_CHAIN_EXPIRED'

/** The key of a chain's leaf, or the bare one where there is no chain. Listed peers may sign their leaf themselves. */
function keyFrom(chain: unknown, bare: unknown, now: Instant): Uint8Array | KeyProblem {
  if (chain === undefined || chain === null) return parsePublicKey(bare) ?? 'INVALID_PUBKEY_FORMAT'
  if (!Array.isArray(chain) || chain.length === 0 || chain.length > longestChain) return 'CERT_CHAIN_INVALID'
  try {
    const certificates = chain.map((hex) => new X509Certificate(Buffer.from(String(hex), 'hex')))
    const [leaf] = certificates
    if (!leaf) return 'CERT_CHAIN_INVALID'
    if (now < Date.parse(leaf.validFrom) || now > Date.parse(leaf.validTo)) return 'CERT_CHAIN_EXPIRED'
    const isLinked = certificates.every((certificate, index) => {
      const issuer = certificates[index + 1]
      return issuer === undefined || certificate.verify(issuer.publicKey)
    })
    if (!isLinked || leaf.publicKey.asymmetricKeyDetails?.namedCurve !== 'secp256k1')
      return 'CERT_CHAIN_INVALID'
    const { x = '', y = '' } = leaf.publicKey.export({ format: 'jwk' }) as { x?: string; y?: string }
    const point = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
    return parsePublicKey(point.toString('hex')) ?? 'INVALID_PUBKEY_FORMAT'
  } catch {
    return 'CERT_CHAIN_INVALID'
  }
}
