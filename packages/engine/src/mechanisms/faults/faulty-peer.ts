import { createHash } from 'node:crypto'
import type { Book, Scope } from '../../vocabulary/scope.ts'
import type { FaultKind, FaultSubject } from './fault.ts'
import type { Faults } from './faults.ts'

/** What becomes on purpose of a question to another institution. */
export type PeerFault =
  /** It is not reached. */
  | 'AWAY'
  /** It is asked and does as it is told, and nobody hears of it. */
  | 'LOST'
  /** It answers this status, and does nothing. */
  | number

/** Somebody at another institution who is asked for. Hashed: it is an address of a person. */
export function peerSubject(address: string, customerId: string | undefined): FaultSubject {
  const hash = createHash('sha256').update(address).digest('hex').slice(0, 16)
  return { id: `uma ${hash}`, customerIds: customerId === undefined ? [] : [customerId] }
}

/**
 * How the faults of a book have another institution of the UMA network answer; undefined: as it does. A question that
 * changes nothing there has no answer that could be lost.
 */
export async function peerFault(
  faults: Pick<Faults, 'hit' | 'inForce'>,
  book: Book & Pick<Scope, 'request'>,
  subject: FaultSubject,
  { isLookup }: { readonly isLookup: boolean },
): Promise<PeerFault | undefined> {
  if (!(await faults.inForce(book))) return undefined
  const hits = await faults.hit(book, 'UMA', subject, (kind) => !isLookup || kind !== 'LOST_ANSWER')
  const hitOf = (kind: FaultKind) => hits.find(({ fault }) => fault.kind === kind)
  if (hits.some(({ fault }) => awayKinds.has(fault.kind))) return 'AWAY'
  if (hitOf('RATE_LIMITED')) return 429
  const error = hitOf('ERROR')
  if (error) return error.fault.params.status ?? 500
  return hitOf('LOST_ANSWER') ? 'LOST' : undefined
}

const awayKinds: ReadonlySet<FaultKind> = new Set(['REFUSED', 'OUTAGE', 'PARTIAL_OUTAGE'])
