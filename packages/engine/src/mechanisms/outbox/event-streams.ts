import { type Instant, toTimestamp, type World } from '@corridor/kernel'
import { OpenText } from '../../vocabulary/open-text.ts'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { type Statement, statement } from '../db/driver.ts'
import type { Clock } from '../jobs/clock.ts'
import { logOutsideRequest } from '../unexpected.ts'

/**
 * What was committed in a book, told to whoever looks while it happens. One look at the outbox serves all streams of a book,
 * nobody looks while nobody streams, and each stream gets every event once, in the order of the outbox: an event is told
 * once nothing with an earlier number can be committed any more.
 */
export interface EventStreams {
  /**
   * Text of server-sent events: `ready`, then an `event` for each, or `resync` where what was missed is too much or not
   * kept. `after` is the event that was told last; absent: from now on. Undefined: there are as many streams as there may
   * be. Whoever reads too slowly is let go.
   */
  open(book: Book, after: string | undefined): OpenText | undefined
  /** Tells everybody who streams that it is over, and why. */
  end(event: string): void
  /** The event at which a stream would begin now; null: there is none yet. */
  newest(book: Book): Promise<string | null>
}

export const streamBounds = {
  ofBook: 20,
  inAll: 500,
  /** What somebody may have left unread, in bytes. */
  unreadBytes: 256 * 1024,
  /** Events that are told to whoever comes back; for more, lists are read anew. */
  missed: 1_000,
} as const

/** Between two looks; the short pause while it is waited for a transaction that is under way. */
const lookEveryMs = 100
const lookAgainMs = 25
/** No transaction lasts so long; one of another database of the same server may, and is nothing to wait for. */
const settledMs = 60_000
const toldAtOnce = 500

interface Snapshot {
  /** Transactions before this one are over. */
  readonly oldest: bigint
  /** This one and those after it had not begun. */
  readonly next: bigint
}

interface Row extends Snapshot {
  readonly id: string
  readonly seq: bigint
  readonly type: string
  readonly resourceId: string
  readonly createdAt: Instant
}

/** `seq > 0` is true of every row, and the condition of the index (migration 0109). */
const snapshot = `pg_snapshot_xmin(s.s)::text::bigint as oldest, pg_snapshot_xmax(s.s)::text::bigint as next`
const findNewest = statement(
  'eventStreams.newest',
  `select e.id, e.seq, ${snapshot} from (select pg_current_snapshot() as s) s
   left join lateral (select id, seq from events where platform_id = $1 and environment = $2 and seq > 0
     order by seq desc limit 1) e on true`,
)
const findNews = statement(
  'eventStreams.news',
  `select e.id, e.seq, e.type, e.resource_id as "resourceId", e.created_at as "createdAt", ${snapshot}
   from events e, (select pg_current_snapshot() as s) s
   where e.platform_id = $1 and e.environment = $2 and e.seq > $3 and e.seq > 0 order by e.seq limit $4`,
)
const findPosition = statement(
  'eventStreams.position',
  'select seq from events where platform_id = $1 and environment = $2 and id = $3',
)

interface Position {
  readonly seq: bigint
  readonly id: string | null
}

/** What was seen, and told once all that was under way then is over. */
interface Seen extends Snapshot {
  readonly upTo: Position
  readonly at: Instant
}

interface Stream {
  readonly text: OpenText
  readonly after: string | undefined
  /** The last it was told; undefined before `ready`. */
  told?: bigint
}

interface Hub {
  readonly book: Book
  readonly streams: Set<Stream>
  /** All up to here is committed, and told to who was there. */
  settled?: Position
  seen?: Seen | undefined
  /** By how much the clock of the book was ahead when it was looked at last. */
  offsetMs?: number
}

export function createEventStreams(parts: {
  readonly database: Pick<Database, 'read' | 'server' | 'whenDurable'>
  readonly clock: Pick<Clock, 'offsetMs'>
  readonly world: Pick<World, 'now' | 'sleep' | 'log'>
}): EventStreams {
  const { database, clock, world } = parts
  const hubs = new Map<string, Hub>()
  let nap = new AbortController()
  let isLooking = false
  let count = 0

  async function look(): Promise<void> {
    isLooking = true
    while (hubs.size > 0) {
      let isWaiting = false
      for (const hub of [...hubs.values()]) {
        try {
          await lookAt(hub)
        } catch (error) {
          // Streams stay: what is missed meanwhile is told by the next look.
          if (hub.streams.size > 0) {
            logOutsideRequest(world.log, 'event streams', error)
          }
        }
        isWaiting ||= hub.seen !== undefined
      }
      nap = new AbortController()
      if (hubs.size > 0) await world.sleep(isWaiting ? lookAgainMs : lookEveryMs, nap.signal)
    }
    isLooking = false
  }

  async function lookAt(hub: Hub): Promise<void> {
    const { book } = hub
    if (!hub.settled) {
      // A failover takes back what no standby has, and gives its places to other events.
      const [found] = await readDurable<{ id: string | null; seq: bigint | null } & Snapshot>(
        book,
        findNewest,
        [book.platformId, book.environment],
      )
      const { id, seq, ...seen } = found!
      if (isSettled(hub, seen)) hub.settled = hub.seen!.upTo
      else hub.seen ??= { ...seen, upTo: { id, seq: seq ?? 0n }, at: world.now() }
      if (!hub.settled) return
      hub.seen = undefined
    }
    for (const stream of hub.streams) if (stream.told === undefined) await catchUp(hub, hub.settled, stream)
    await lookAtClock(hub)
    const rows = await readAfter(book, hub.settled.seq, toldAtOnce)
    const [first] = rows
    if (!first) {
      hub.seen = undefined
      return
    }
    if (isSettled(hub, first)) {
      const { upTo } = hub.seen!
      hub.seen = undefined
      for (const row of rows) {
        if (row.seq > upTo.seq) break
        hub.settled = row
        for (const stream of hub.streams) tell(stream, row)
      }
    }
    const last = rows.at(-1)!
    if (!hub.seen && last.seq > hub.settled.seq) hub.seen = { ...last, upTo: last, at: world.now() }
  }

  /** Who comes later has read the clock: only that it was moved is told. */
  async function lookAtClock(hub: Hub): Promise<void> {
    const server = database.server()
    const offsetMs = await clock.offsetMs(hub.book)
    const before = hub.offsetMs
    if (before !== undefined && before !== offsetMs) await database.whenDurable(server)
    hub.offsetMs = offsetMs
    if (before === undefined || before === offsetMs) return
    const now = toTimestamp(world.now() + offsetMs)
    const data = JSON.stringify({ now, offsetSeconds: Math.floor(offsetMs / 1_000) })
    for (const stream of hub.streams) {
      if (stream.told !== undefined) stream.text.push(`event: clock\ndata: ${data}\n\n`)
    }
  }

  function isSettled({ seen }: Hub, { oldest }: Pick<Snapshot, 'oldest'>): boolean {
    return seen !== undefined && (oldest >= seen.next || world.now() - seen.at >= settledMs)
  }

  /** To whoever comes back what was missed; then, and to whoever is new, that all else is told from here on. */
  async function catchUp({ book }: Hub, settled: Position, stream: Stream): Promise<void> {
    const { after } = stream
    if (after === undefined) return begin(stream, 'ready', settled)
    const [found] = await database.read<{ seq: bigint }>(book, findPosition, [
      book.platformId,
      book.environment,
      after,
    ])
    if (!found) return begin(stream, 'resync', settled)
    if (found.seq >= settled.seq) return begin(stream, 'ready', { id: after, seq: found.seq })
    const rows = await readAfter(book, found.seq, streamBounds.missed + 1)
    const missed = rows.filter(({ seq }) => seq <= settled.seq)
    if (missed.length > streamBounds.missed) return begin(stream, 'resync', settled)
    stream.told = found.seq
    for (const row of missed) tell(stream, row)
    begin(stream, 'ready', settled)
  }

  function begin(stream: Stream, event: 'ready' | 'resync', { id, seq }: Position): void {
    stream.told = seq
    stream.text.push(`${id === null ? '' : `id: ${id}\n`}event: ${event}\ndata: {}\n\n`)
  }

  function tell(stream: Stream, { id, seq, type, resourceId, createdAt }: Row): void {
    if (stream.told === undefined || seq <= stream.told) return
    stream.told = seq
    const data = JSON.stringify({ id, type, resourceId, createdAt: toTimestamp(createdAt) })
    stream.text.push(`id: ${id}\nevent: event\ndata: ${data}\n\n`)
  }

  function readAfter(book: Book, seq: bigint, limit: number): Promise<Row[]> {
    return readDurable<Row>(book, findNews, [book.platformId, book.environment, seq, limit])
  }

  async function readDurable<R>(
    book: Book,
    statement: Statement,
    parameters: readonly unknown[],
  ): Promise<R[]> {
    const server = database.server()
    const rows = await database.read<R>(book, statement, parameters)
    const confirmed = rows.length > 0 ? database.whenDurable(server) : undefined
    if (confirmed) await confirmed
    return rows
  }

  return {
    open(book, after) {
      const key = bookKey(book)
      const hub = hubs.get(key) ?? { book, streams: new Set() }
      if (count >= streamBounds.inAll || hub.streams.size >= streamBounds.ofBook) return undefined
      const text = new OpenText(streamBounds.unreadBytes)
      const stream: Stream = { text, after }
      hub.streams.add(stream)
      hubs.set(key, hub)
      count++
      text.once('close', () => {
        hub.streams.delete(stream)
        count--
        if (hub.streams.size > 0) return
        hubs.delete(key)
        nap.abort()
      })
      if (isLooking) nap.abort()
      else void look()
      return text
    },
    end(event) {
      for (const { streams } of [...hubs.values()]) {
        for (const stream of [...streams]) {
          stream.text.push(`event: ${event}\ndata: {}\n\n`)
          stream.text.push(null)
        }
      }
    },
    async newest(book) {
      const [found] = await database.read<{ id: string | null }>(book, findNewest, [
        book.platformId,
        book.environment,
      ])
      return found!.id
    },
  }
}
