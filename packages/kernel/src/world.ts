import { type Id, type IdKind, newId, uuidSource } from './ids.ts'

/** Milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number

/** Structured logging. Implementations redact secrets; callers still never pass any. */
export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/**
 * The only source of time, ids, randomness and network. Passed in, never imported, so that a test
 * decides all four: same seed, same ids, same bytes.
 */
export interface World {
  now(): Instant
  id<K extends IdKind>(kind: K): Id<K>
  uuid(): string
  randomBytes(count: number): Uint8Array
  fetch: typeof fetch
  /** One exchange without the frills of `fetch`, where there is something cheaper for it. */
  exchange?: Exchange
  log: Log
  /**
   * Resolves after this many real milliseconds, early when the signal aborts. Loops that pace background work
   * use it, and waits that have a bound; what happens at a given time is a job, not a sleep.
   */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Where a World repeats what it makes: randomness and ids of `work` are those of its purpose, whatever else runs. */
  within?<T>(purpose: string, work: () => T): T
  /** There: runs work that is done with that of others as if it were done here, where this is called. */
  asHere?(): <T>(work: () => T) => T
  /** Where time does not pass by itself. */
  readonly isFrozen?: boolean
}

/**
 * Sends a request as it is given and reads an answer as it comes: no redirect is followed, nothing is decoded, and no more
 * than `maxBytes` of the body is kept. Rejects where no status came within the time; a body that breaks off does not.
 */
export type Exchange = (request: {
  readonly method: 'GET' | 'POST'
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Whatever makes the connections of this World. */
  readonly connections?: unknown
  /** Told before the end, also where no answer came, by a network that measures. */
  readonly onMeasured?: ((times: ExchangeTimes) => void) | undefined
  /** Breaks it off: nothing more is sent, and nobody waits. */
  readonly signal?: AbortSignal | undefined
}) => Promise<ExchangedAnswer>

/** How long the parts of an exchange took, in whole milliseconds; null of what there was none of, or is not known. */
export interface ExchangeTimes {
  /** Until the name had been looked up. */
  readonly dns: number | null
  readonly connect: number | null
  readonly tls: number | null
  /** From when the request was sent until its answer began, or until nobody waited any longer. */
  readonly wait: number | null
  /** Whether it went over a connection of an exchange before, so that none was made. */
  readonly isReused: boolean
}

export interface ExchangedAnswer {
  readonly status: number
  readonly body: string
}

export const silentLog: Log = {
  debug() {},
  info() {},
  warn() {},
  error() {},
}

/** Builds the derived members of a World from its primitive ones. */
export function makeWorld(
  parts: Pick<World, 'now' | 'randomBytes' | 'fetch' | 'exchange' | 'log' | 'sleep'> &
    Partial<Pick<World, 'uuid'>>,
): World {
  const uuid = parts.uuid ?? uuidSource(parts)
  return { ...parts, uuid, id: (kind) => newId(uuid, kind) }
}

/** An instant as the API writes it: RFC 3339 UTC, always three fraction digits (conventions 5). */
export function toTimestamp(instant: Instant): string {
  if (instant !== lastInstant) {
    lastTimestamp = new Date(instant).toISOString()
    lastInstant = instant
  }
  return lastTimestamp
}

/** Most times of one request, and of those beside it, are the same millisecond. */
let lastInstant: Instant | undefined
let lastTimestamp = ''
