import type { Socket } from 'node:net'

/** After so many pieces and requests in one turn of the event loop, further connections wait for the next turn. */
const unitsPerTurn = 1_000
/** A connection that delivers more than this in one turn has its next turn after the others. */
const lightUnits = 250

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
 * the other connections are paused. In the next turn, all that send little go on, and one of those that send much. The order in which
 * they are resumed would not do: the system decides which of the readable connections comes first.
 */
export function createReadingTurns(): (socket: Socket) => ReadingTurn {
  interface Connection {
    readonly socket: Socket
    reading?: Reading
    turn: number
    units: number
    isHeavy: boolean
  }
  const reading = new Set<Connection>()
  /** Paused here, in the order of their turns. */
  const waiting = new Set<Connection>()
  let turn = 1
  let units = 0
  let isHeld = false
  let isScheduled = false

  function schedule(): void {
    if (!isScheduled) setImmediate(end)
    isScheduled = true
  }

  function hold(): void {
    isHeld = true
    for (const connection of reading) {
      if (connection.socket.isPaused()) continue
      connection.socket.pause()
      waiting.add(connection)
    }
  }

  function end(): void {
    isScheduled = false
    isHeld = false
    turn++
    units = 0
    let hasHeavy = false
    for (const connection of waiting) {
      if (connection.isHeavy && hasHeavy) continue
      hasHeavy ||= connection.isHeavy
      waiting.delete(connection)
      resume(connection)
    }
    if (waiting.size > 0) schedule()
  }

  /** Does nothing for a reader that is behind: it resumes the socket itself, unless all of its body has arrived. */
  function resume({ socket, reading }: Connection): void {
    if (!reading || reading.complete || reading.readableLength < reading.readableHighWaterMark)
      socket.resume()
  }

  return (socket) => {
    const connection: Connection = { socket, turn: 0, units: 0, isHeavy: false }
    reading.add(connection)
    const leave = () => {
      reading.delete(connection)
      waiting.delete(connection)
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
        units++
        if (++connection.units > lightUnits) connection.isHeavy = true
        if (units >= unitsPerTurn && !isHeld) hold()
      },
      leave,
    }
  }
}
