import type { OpenIdIssuers } from '@corridor/engine/ports/open-id.ts'
import { GatheredBytes, gatherBody, type World } from '@corridor/kernel'
import { createLocalJWKSet, errors, type JSONWebKeySet, jwtVerify } from 'jose'

/** Under which name an issuer signs, and where it says what its keys are (wallets 5.3). */
const knownIssuers = ['https://accounts.google.com', 'accounts.google.com', 'https://appleid.apple.com']

export function supportsIssuer(others: readonly string[]): OpenIdIssuers['supports'] {
  const supported = new Set([...knownIssuers, ...others])
  return (issuer) => supported.has(issuer)
}

const keptMs = 10 * 60_000
/** At most this often are keys asked for anew because a token names one that is not known. */
const askAgainMs = 30_000
const timeoutMs = 5_000
const largestAnswer = 256 * 1024

interface Known {
  readonly keys: ReturnType<typeof createLocalJWKSet>
  readonly readAt: number
}

/**
 * Checks tokens with the keys that their issuers publish: OpenID discovery, then the key set, both kept for ten
 * minutes. A token that names an unknown key has them read again, because issuers change keys.
 */
export function openIdIssuers(
  world: Pick<World, 'fetch' | 'now' | 'log'>,
  { others = [] }: { readonly others?: readonly string[] } = {},
): OpenIdIssuers {
  const supports = supportsIssuer(others)
  const known = new Map<string, Known>()
  const reading = new Map<string, Promise<Known>>()

  async function read(issuer: string): Promise<Known> {
    const base = issuer.startsWith('https://') ? issuer : `https://${issuer}`
    const discovery = await getJson(world, `${base.replace(/\/$/, '')}/.well-known/openid-configuration`)
    const { jwks_uri: address } = discovery
    if (typeof address !== 'string' || !address.startsWith('https://')) {
      throw new Error('the issuer names no keys')
    }
    const keys = createLocalJWKSet((await getJson(world, address)) as unknown as JSONWebKeySet)
    const made = { keys, readAt: world.now() }
    known.set(issuer, made)
    return made
  }

  /** Requests for one issuer that come at the same time read it once. */
  function readOnce(issuer: string): Promise<Known> {
    let under = reading.get(issuer)
    if (!under) {
      under = read(issuer).finally(() => reading.delete(issuer))
      reading.set(issuer, under)
    }
    return under
  }

  async function keysOf(issuer: string, maxAgeMs: number): Promise<Known> {
    const have = known.get(issuer)
    return have && world.now() - have.readAt < maxAgeMs ? have : readOnce(issuer)
  }

  return {
    supports,
    async verifySignature(token, issuer) {
      if (!supports(issuer)) return 'INVALID'
      try {
        const first = await isSigned(token, (await keysOf(issuer, keptMs)).keys, world.now())
        if (first !== 'UNKNOWN_KEY') return first ? 'VALID' : 'INVALID'
        const second = await isSigned(token, (await keysOf(issuer, askAgainMs)).keys, world.now())
        return second === true ? 'VALID' : 'INVALID'
      } catch (error) {
        world.log.warn({ issuer, reason: String(error) }, 'could not fetch the keys of an OpenID issuer')
        return 'UNREACHABLE'
      }
    },
  }
}

/** The signature alone: times are judged by the clock of the platform, which is not ours to know here. */
async function isSigned(token: string, keys: Known['keys'], now: number): Promise<boolean | 'UNKNOWN_KEY'> {
  try {
    const years = 100 * 365 * 24 * 60 * 60
    await jwtVerify(token, keys, {
      algorithms: ['RS256', 'ES256'],
      clockTolerance: years,
      currentDate: new Date(now),
    })
    return true
  } catch (error) {
    if (error instanceof errors.JWKSNoMatchingKey) return 'UNKNOWN_KEY'
    if (error instanceof errors.JOSEError) return false
    throw error
  }
}

async function getJson(
  world: Pick<World, 'fetch'>,
  address: string,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await world.fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  })
  if (!response.ok) throw new Error(`answered ${response.status}`)
  const answer = await gatherBody(response, new GatheredBytes(largestAnswer))
  if (answer.isCut) throw new Error('answered too much')
  const parsed: unknown = JSON.parse(new TextDecoder().decode(answer.bytes()))
  if (typeof parsed !== 'object' || parsed === null) throw new Error('answered no object')
  return parsed as Record<string, unknown>
}
