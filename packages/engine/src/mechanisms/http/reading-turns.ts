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
 * the other connections are paused, and go on in the next turn, first those that sent little.
 */
export function createReadingTurns(): (socket: Socket) => ReadingTurn {
  interface Connection {
    readonly socket: Socket
    reading?: Reading
    turn: number
    units: number
    isHeavy: boolean
  }
  /** In the order of their last turn. */
  const light = new Set<Connection>()
  const heavy = new Set<Connection>()
  let turn = 1
  let units = 0
  let held: Connection[] | undefined

  function begin(connection: Connection): void {
    if (units === 0) setImmediate(end)
    // As heavy as in its last turn.
    move(connection, connection.units > lightUnits)
    connection.turn = turn
    connection.units = 0
  }

  function move(connection: Connection, isHeavy: boolean): void {
    light.delete(connection)
    heavy.delete(connection)
    connection.isHeavy = isHeavy
    if (isHeavy) heavy.add(connection)
    else light.add(connection)
  }

  function hold(): void {
    const reading = [...light, ...heavy].filter(({ socket }) => !socket.isPaused())
    for (const { socket } of reading) socket.pause()
    held = reading
  }

  function end(): void {
    turn++
    units = 0
    const waiting = held ?? []
    held = undefined
    const inOrder = [false, true].flatMap((heavy) => waiting.filter(({ isHeavy }) => isHeavy === heavy))
    for (const { socket, reading } of inOrder) {
      // A reader that is behind resumes the socket itself.
      if (!reading || reading.complete || reading.readableLength < reading.readableHighWaterMark)
        socket.resume()
    }
  }

  return (socket) => {
    const connection: Connection = { socket, turn: 0, units: 0, isHeavy: false }
    light.add(connection)
    const leave = () => {
      light.delete(connection)
      heavy.delete(connection)
    }
    socket.once('close', leave)
    return {
      count(reading) {
        if (connection.turn !== turn) begin(connection)
        connection.reading = reading
        units++
        if (++connection.units > lightUnits && !connection.isHeavy) move(connection, true)
        if (units >= unitsPerTurn && !held) hold()
      },
      leave,
    }
  }
}
