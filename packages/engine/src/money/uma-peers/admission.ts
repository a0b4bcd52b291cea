import { type Instant, toTimestamp } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { silently } from '../../vocabulary/scope.ts'
import type { Counterparty } from './counterparties.ts'
import { isSignedByPeer, type PeerKeys } from './peer-keys.ts'
import { isDomain } from './wire.ts'

const oldestMs = 10 * 60_000
const newestMs = 60_000
/** Longer than a message may be old and in the future together. */
const nonceLifeMs = 30 * 60_000
const longestNonce = 128

/** A signed message as it came. */
export interface SignedMessage {
  readonly peer: Counterparty
  /** What is signed before nonce and timestamp. */
  readonly parts: readonly string[]
  readonly signature: unknown
  readonly nonce: unknown
  /** Unix seconds. */
  readonly timestamp: unknown
  /** The key that signed what was agreed before, in hexadecimal: it is asked of the peer only where that one does not fit. */
  readonly knownKey?: string | null
  /** Of others who vouch for it, as they came. */
  readonly backingSignatures?: unknown
}

const maxBackers = 5

const forgetNonces = statement(
  'uma.forgetNonces',
  'delete from uma_nonces where platform_id = $1 and environment = $2 and seen_at < $3',
)

/**
 * Admits a message once (webhooks-uma 6.4): its time is about now, its signature is the peer's, and its nonce is new. The
 * nonce is spent only by a message that is truly signed, in one statement, for all processes. Real time: a sandbox clock
 * says nothing about a peer's.
 */
export async function admit(
  engine: Engine,
  book: Book,
  message: SignedMessage,
): Promise<{ readonly refusal: Failure } | { readonly keys: Pick<PeerKeys, 'signing'> }> {
  const { peer, parts, signature, nonce, timestamp } = message
  const now = engine.world.now()
  if (!isTimely(timestamp, now)) return { refusal: fail('INVALID_TIMESTAMP') }
  if (typeof nonce !== 'string' || nonce === '' || nonce.length > longestNonce || nonce.includes('|')) {
    return { refusal: fail('INVALID_NONCE') }
  }
  if (typeof signature !== 'string') return { refusal: fail('INVALID_SIGNATURE') }
  const text = [...parts, nonce, String(timestamp)].join('|')
  // Of a stranger nothing is fetched before whoever vouches for it has signed.
  const isStranger = peer.backedBy !== undefined
  const backed = isStranger ? await backingRefusal(engine, book, message, text) : undefined
  if (backed) return { refusal: backed }
  const signed = await isSignedByPeer(engine, book.environment, peer, { text, signature }, message.knownKey)
  if (!signed.ok) return { refusal: signed.failure }
  const refusal = isStranger ? undefined : await backingRefusal(engine, book, message, text)
  if (refusal) return { refusal }
  const scope = silently(await engine.clock.scope(book, { id: 'system', permissions: [] }))
  const spent = await engine.applier.apply(scope, {
    inserts: [{ table: 'uma_nonces', row: { id: `${peer.domain} ${nonce}`, seen_at: toTimestamp(now) } }],
    statements: [
      {
        statement: forgetNonces,
        parameters: [book.platformId, book.environment, toTimestamp(now - nonceLifeMs)],
      },
    ],
    unique: { uma_nonces_pkey: fail('INVALID_NONCE') },
    result: () => null,
  })
  return spent.ok ? { keys: signed.value } : { refusal: fail('INVALID_NONCE') }
}

/** Whoever vouches for a message signs the same text. One of them who did not makes all of it worth nothing (6.4). */
async function backingRefusal(
  engine: Engine,
  { environment }: Book,
  { peer: { isHosted, backedBy }, backingSignatures }: SignedMessage,
  text: string,
): Promise<Failure | undefined> {
  if (backingSignatures === undefined || backingSignatures === null) return undefined
  const invalid = fail('INVALID_SIGNATURE')
  if (!Array.isArray(backingSignatures) || backingSignatures.length > maxBackers) return invalid
  const entries = (backingSignatures as readonly unknown[]).map(
    (entry) => (entry ?? {}) as { readonly domain?: unknown; readonly signature?: unknown },
  )
  const known = entries.filter(({ domain }) => domain === backedBy)
  for (const { domain, signature } of [...known, ...entries.filter((entry) => !known.includes(entry))]) {
    if (!isDomain(domain) || typeof signature !== 'string') return invalid
    const signed = await isSignedByPeer(engine, environment, { domain, isHosted }, { text, signature })
    if (!signed.ok) return signed.failure
  }
  return undefined
}

function isTimely(timestamp: unknown, now: Instant): boolean {
  if (typeof timestamp !== 'number' || !Number.isSafeInteger(timestamp)) return false
  const ageMs = now - timestamp * 1000
  return ageMs <= oldestMs && ageMs >= -newestMs
}
