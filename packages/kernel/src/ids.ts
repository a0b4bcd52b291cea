import type { World } from './world.ts'

/**
 * Every resource type that has an id of the form `<Type>:<uuid>` (conventions 3). A feature adds its own
 * in its `feature.ts`; events are the outbox's, which is no feature.
 */
export interface IdKinds {
  Webhook: true
}
export type IdKind = keyof IdKinds

/** An id such as `Quote:0198…`. The kind is part of the type, so ids of two kinds do not mix. */
export type Id<K extends IdKind = IdKind> = `${K}:${string}`

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function isUuid(text: string): boolean {
  return uuidPattern.test(text)
}

/** Whether `text` is a well-formed id of this kind. Any uuid version is accepted, lower case only. */
export function isId<K extends IdKind>(kind: K, text: string): text is Id<K> {
  return text.startsWith(`${kind}:`) && uuidPattern.test(text.slice(kind.length + 1))
}

/**
 * A source of UUIDv7: 48 bits of time, 12 bits that count up within a millisecond, 62 random bits. New
 * rows land at the end of an index, and ids made one after the other sort in that order. Time and
 * randomness are the World's, so a simulated World makes the same ids from the same seed.
 */
export function uuidSource(world: Pick<World, 'now' | 'randomBytes'>): () => string {
  let lastMs = 0
  let sequence = 0
  return () => {
    const now = world.now()
    const random = world.randomBytes(10)
    if (now > lastMs) {
      lastMs = now
      // Starts low, so that a millisecond has room for thousands before it borrows from the next one.
      sequence = random[0]! & 0x3f
    } else if (++sequence > 0xfff) {
      lastMs++
      sequence = 0
    }
    return uuidV7(lastMs, sequence, random)
  }
}

/** The bits of one UUIDv7. `sequence` is 12 bits, `random` at least 10 bytes. */
export function uuidV7(ms: number, sequence: number, random: Uint8Array): string {
  const time = ms.toString(16).padStart(12, '0')
  const count = (0x7000 | sequence).toString(16)
  const hex = (index: number) => hexOf[random[index]!]!
  const variant = hexOf[(random[2]! & 0x3f) | 0x80]!
  const end = hex(4) + hex(5) + hex(6) + hex(7) + hex(8) + hex(9)
  return `${time.slice(0, 8)}-${time.slice(8)}-${count}-${variant}${hex(3)}-${end}`
}

const hexOf = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/**
 * The digits at the end of a minted id never read as a sandbox suffix: `002`…`007` and the 1xx
 * range mean an outcome when they end an identifier (conventions 3, last rule).
 */
export function newId<K extends IdKind>(uuid: () => string, kind: K): Id<K> {
  const made = uuid()
  return `${kind}:${/(00[1-7]|1\d\d)$/.test(made) ? `${made.slice(0, -1)}a` : made}`
}
