import { createHash } from 'node:crypto'
import type { Book } from '../../vocabulary/scope.ts'
import type { Keys } from '../keys/keys.ts'

/** Where the chain of a book ends, and what retention has removed from its beginning. */
export interface Head {
  readonly position: bigint
  readonly hash: string
  readonly forgottenPosition: bigint
  readonly forgottenHash: string
}

/** SHA-256 in hexadecimal, so that whoever has an export can compute it. */
export function hashOf(before: string, position: bigint, entry: string): string {
  return createHash('sha256').update(`${before}\n${position}\n${entry}`).digest('hex')
}

/** Vouches for a head with a key of the keyring: who writes to the database alone cannot make it. */
export function tagOf(
  keys: Pick<Keys, 'tag'>,
  { platformId, environment }: Book,
  { position, hash, forgottenPosition, forgottenHash }: Head,
): string {
  const parts = [platformId, environment, position, hash, forgottenPosition, forgottenHash]
  return keys.tag('audit log head', parts.join('\n'))
}
