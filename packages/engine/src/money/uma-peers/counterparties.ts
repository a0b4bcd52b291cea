import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Configuration, loadDomainHolder } from '../../platform/platforms/index.ts'
import type { PeerTransport } from '../../ports/uma.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'

/** An institution that a platform deals with: one that the operator lists, or another platform of this installation. */
export interface Counterparty {
  readonly domain: string
  /** Of this installation: spoken to within the process, and owing nothing (webhooks-uma 6.6). */
  readonly isHosted: boolean
  /** How much it may owe us; absent where it does not settle bilaterally. */
  readonly creditLineMsats?: number | undefined
  /** It is not listed: somebody who is vouches for each of its messages. */
  readonly backedBy?: string
}

/**
 * Who stands behind a domain, unless it is blocked or nobody's. What the operator lists comes first: no platform takes
 * the place of an institution outside by claiming its name.
 */
export async function findCounterparty(
  { database }: Pick<Engine, 'database'>,
  book: Book,
  { settings }: Configuration,
  domain: string,
): Promise<Counterparty | undefined> {
  const listed = settings.umaPeers?.find((peer) => peer.domain === domain)
  if (listed) {
    const { isBlocked, creditLineMsats } = listed
    return isBlocked === true ? undefined : { domain, isHosted: false, creditLineMsats }
  }
  const holder = await loadDomainHolder(database, book, domain)
  return holder === undefined ? undefined : { domain, isHosted: true }
}

/**
 * One that is not listed and named by nobody here, for whose message somebody who is listed vouches (webhooks-uma 6.4). It
 * has no credit line.
 */
export function findBacked(
  { settings }: Configuration,
  domain: string,
  backingSignatures: unknown,
): Counterparty | undefined {
  const { umaPeers = [] } = settings
  if (umaPeers.some((peer) => peer.domain === domain) || !Array.isArray(backingSignatures)) return undefined
  const backers = new Set(backingSignatures.map((entry: { domain?: unknown } | null) => entry?.domain))
  const backer = umaPeers.find((peer) => peer.isBlocked !== true && backers.has(peer.domain))
  return backer && { domain, isHosted: false, backedBy: backer.domain }
}

/**
 * Whether a message of it came as it should: of an institution of this installation within the process, of any other over
 * the network. Where one of two lists the other's domain and the other does not, each would book the other as something
 * else; so they do not deal with each other.
 */
export function cameAsExpected(
  { isHosted }: Counterparty,
  { environment }: { readonly environment?: Environment },
): boolean {
  return isHosted === (environment !== undefined)
}

/** Whether payments with it need no Lightning: institutions of one installation owe each other nothing. */
export function settlesBilaterally({ isHosted, creditLineMsats }: Counterparty): boolean {
  return isHosted || creditLineMsats !== undefined
}

/** How an institution is spoken to. */
export function transportTo(
  { adapters, hostedPeers }: Engine,
  environment: Environment,
  { isHosted }: Pick<Counterparty, 'isHosted'>,
): PeerTransport {
  return isHosted ? hostedPeers[environment] : adapters[environment].peers
}
