import type { Instant, World } from '@corridor/kernel'
import type { Book } from '../../vocabulary/scope.ts'
import type { NewDataKey, SealWritten } from '../db/apply.ts'
import { type DataKey, loadSeveralKeys, sealedKeyOf } from '../keys/data-keys.ts'
import type { Keys } from '../keys/keys.ts'
import type { SealedColumn } from '../keys/sealing.ts'

/**
 * What events tell is sealed: with the key of the customer whom they tell of, or, where that is nobody, with that of the
 * installation for the book. Rows of earlier releases stand as they are.
 */
export const sealedBodies: SealedColumn = {
  table: 'events',
  column: 'body',
  row: 'id',
  owner: 'sealed_for',
  where: "body like '2.%'",
  isPacked: true,
}

/** How long the key of a customer seals without being asked for again: as long as an erasure in another process is not heard of. */
const knownForMs = 60_000
const maxKnown = 5_000

/** Seals what is written. The keys of those who were told of lately are at hand, so that a payment asks for none. */
export function createSealing(keys: Keys, world: Pick<World, 'now'>): SealWritten {
  const known = new Map<string, { readonly key: DataKey; readonly until: Instant }>()
  /** How often keys were forgotten: what was asked for before may be one of them. */
  let forgotten = 0
  const nameOf = ({ platformId, environment }: Book, ownerId: string) =>
    `${platformId} ${environment} ${ownerId}`

  const sealWritten = (
    ...[book, { events, words }, newKeys, ask]: Parameters<SealWritten>
  ): ReturnType<SealWritten> => {
    const { platformId, environment } = book
    const now = world.now()
    const usable = new Map<string, DataKey>()
    const open = ({ ownerId, sealedKey }: NewDataKey) => keys.dataKey(book, ownerId, sealedKey)
    for (const each of newKeys) usable.set(each.ownerId, open(each))
    const missing = new Set<string>()
    const need = (ownerId: string | null) => {
      if (ownerId === null || usable.has(ownerId)) return
      const found = known.get(nameOf(book, ownerId))
      if (found && found.until > now) usable.set(ownerId, found.key)
      else missing.add(ownerId)
    }
    for (const { subjectId } of events) need(subjectId)
    for (const { place } of words) need(place.ownerId)

    function seal(): void {
      for (const event of events) {
        const key = event.subjectId === null ? undefined : usable.get(event.subjectId)
        // Whoever has been erased has no key; what happens to the money afterwards is told all the same.
        event.sealedFor = key ? event.subjectId : null
        event.body = key
          ? key.seal(sealedBodies, event.id, event.body)
          : keys.seal(book, sealedBodies, event.id, event.body)
      }
      for (const each of words) {
        const { column, row, ownerId } = each.place
        const key = ownerId === null ? undefined : usable.get(ownerId)
        if (key) each.store(key.seal(column, row, each.text), ownerId)
        else if (ownerId === null) each.store(keys.seal(book, column, row, each.text), null)
        // Of whoever has been erased no word is written any more.
        else each.store(null, null)
      }
    }

    if (missing.size === 0) {
      seal()
      return undefined
    }
    const forgottenBefore = forgotten
    return ask<{ id: string; sealedKey: string }>(loadSeveralKeys, [
      platformId,
      environment,
      [...missing],
    ]).then((found) => {
      if (known.size > maxKnown) known.clear()
      for (const each of found) {
        const key = open({ ownerId: each.id, sealedKey: each.sealedKey })
        usable.set(each.id, key)
        if (forgotten === forgottenBefore) known.set(nameOf(book, each.id), { key, until: now + knownForMs })
      }
      seal()
    })
  }
  return Object.assign(sealWritten, {
    forget(book: Book, ownerIds: readonly string[]) {
      forgotten++
      for (const ownerId of ownerIds) known.delete(nameOf(book, ownerId))
    },
  })
}

/** The columns of a body, of a table of events by its name in the statement. */
export function bodyColumns(events: string): string {
  return `${events}.body, ${events}.sealed_for as "sealedFor", ${sealedKeyOf(events, 'sealed_for')} as "sealedKey"`
}

/** SQL: whether an event of a table of events still tells something. What its erased customer took along is not sent again. */
export function tellsOf(events: string): string {
  return `(${events}.sealed_for is null or ${sealedKeyOf(events, 'sealed_for')} is not null)`
}

/** The same of an event that was loaded. */
export function isErased({ sealedFor, sealedKey }: Pick<SealedBody, 'sealedFor' | 'sealedKey'>): boolean {
  return sealedFor !== null && sealedKey === null
}

/** What a stored body says of itself. */
export interface SealedBody {
  readonly id: string
  readonly type: string
  readonly body: string
  readonly sealedFor: string | null
  /** Null where nobody's key sealed it, and once its owner has been erased. */
  readonly sealedKey: string | null
}

/** The bytes that a platform is sent. What nobody can open any more tells nothing but that it happened. */
export function openBody(keys: Pick<Keys, 'open' | 'dataKey'>, book: Book, event: SealedBody): string {
  const { id, type, body, sealedFor, sealedKey } = event
  if (body.startsWith('{')) return body
  if (sealedFor === null) return keys.open(book, sealedBodies, id, body)
  if (sealedKey === null) return JSON.stringify({ id, type, data: {} })
  return keys.dataKey(book, sealedFor, sealedKey).open(sealedBodies, id, body)
}
