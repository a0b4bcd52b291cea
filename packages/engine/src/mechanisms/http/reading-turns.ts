import type { Socket } from 'node:net'

/** After so many pieces and requests in one turn of the event loop, further connections wait for the next turn. */
const unitsPerTurn = 1_000
/** A connection that delivers more than this in one turn has its next turn after the others. */
const lightUnits = 250
/** So many connections that waited are read in one turn, whatever else arrives. */
const dueAtOnce = 32

/** The part of a request that tells whether its reader is behind. */
interface Reading {
  /** All of its body has arrived: its reader will not resume the connection. */
  readonly complete: boolean
  readonly readableLength: number
  readonly readableHighWaterMark: number
}

/** A connection, as this module sees it. */
export interface ReadingTurn {
  /** Counts a request, or a piece of its body. */
  count(reading: Reading): void
  /** The connection sends nothing more that costs anything. */
  leave(): void
}

/**
 * Shares the turns of the event loop among connections. In one turn, Node parses up to 64 KB of every connection on
 * which something arrived, and 64 KB may be ten thousand pieces or two thousand requests. So a single one of these packets fills a turn:
 * the other connections are paused.
 *
 * In the next turn, those that waited longest are due: some that send little, and at most one that sends much. The system decides
 * which of the readable connections comes first, so connections that are due have a limit of their own: whatever the others send, the due
 * ones are read. If one of the due ones fills this limit, the rest of them are due again before all others.
 */
export function createReadingTurns(): (socket: Socket) => ReadingTurn {
  interface Connection {
    readonly socket: Socket
    reading?: Reading
    turn: number
    units: number
    isHeavy: boolean
    dueTurn: number
  }
  const reading = new Set<Connection>()
  /** Paused here, in the order of their turns. */
  const waiting = new Set<Connection>()
  /** Due in this turn, and not read yet. */
  let due = new Set<Connection>()
  let turn = 1
  let units = 0
  let dueUnits = 0
  let isScheduled = false

  function schedule(): void {
    if (!isScheduled) setImmediate(end)
    isScheduled = true
  }

  /** Pauses connections of one kind. Those that are still due keep their place before all others. */
  function hold(isDue: boolean): void {
    for (const connection of reading) {
      const { socket, dueTurn } = connection
      if ((dueTurn === turn) !== isDue || socket.isPaused()) continue
      socket.pause()
      if (!due.has(connection)) waiting.add(connection)
    }
  }

  function end(): void {
    isScheduled = false
    const interrupted = dueUnits >= unitsPerTurn ? due : undefined
    turn++
    units = 0
    dueUnits = 0
    due = interrupted?.size ? interrupted : firstOf(waiting)
    for (const connection of due) {
      waiting.delete(connection)
      connection.dueTurn = turn
      resume(connection)
    }
    if (due.size > 0 || waiting.size > 0) schedule()
  }

  function firstOf(connections: Iterable<Connection>): Set<Connection> {
    const first = new Set<Connection>()
    let hasHeavy = false
    for (const connection of connections) {
      if (connection.isHeavy && hasHeavy) continue
      hasHeavy ||= connection.isHeavy
      first.add(connection)
      if (first.size === dueAtOnce) break
    }
    return first
  }

  /** Does nothing for a reader that is behind: it resumes the socket itself, unless all of its body has arrived. */
  function resume({ socket, reading }: Connection): void {
    if (!reading || reading.complete || reading.readableLength < reading.readableHighWaterMark)
      socket.resume()
  }

  return (socket) => {
    const connection: Connection = { socket, turn: 0, units: 0, isHeavy: false, dueTurn: 0 }
    reading.add(connection)
    const leave = () => {
      reading.delete(connection)
      waiting.delete(connection)
      due.delete(connection)
    }
    socket.once('close', leave)
    return {
      count(reading) {
        if (connection.turn !== turn) {
          connection.isHeavy = connection.units > lightUnits
          connection.turn = turn
          connection.units = 0
          schedule()
        }
        connection.reading = reading
        due.delete(connection)
        if (++connection.units > lightUnits) connection.isHeavy = true
        const isDue = connection.dueTurn === turn
        const counted = isDue ? ++dueUnits : ++units
        if (counted === unitsPerTurn) hold(isDue)
      },
      leave,
    }
  }
}
