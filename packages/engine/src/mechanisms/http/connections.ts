import { IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { World } from '@corridor/kernel'
import { createReadingTurns, type ReadingTurn } from './reading-turns.ts'

/**
 * What a connection may make the process do, beside the bytes that it sends. A limit of bytes says nothing about pieces:
 * each chunk of a chunked body becomes an object of some hundred bytes and a call, and each pipelined request becomes
 * a request, before anything asynchronous has its turn.
 */

/** Any body may come in so many pieces. */
const freePieces = 1_000
/** Beyond that, pieces have at least this many bytes on average. Clients that send row by row or line by line send more. */
const averagePieceBytes = 32
/** Time for the last response of a connection to reach its sender. */
const farewellMs = 1_000
/** Time for a sender to finish a body after its response. */
const lingerMs = 5_000
/** Requests of a connection that wait for the response to an earlier one. Few clients send even two. */
const maxWaiting = 16

/** A request whose body ends early once it comes in too many pieces. */
export class BoundedRequest extends IncomingMessage {
  /** Nothing more is taken from such a sender: its connection ends with the response. */
  isInPieces = false
  /** Nobody handles it, and nothing of it is kept. */
  isDropped = false
  #pieces = 0
  #bytes = 0
  readonly #turn: ReadingTurn | undefined

  constructor(socket: Socket) {
    super(socket)
    this.#turn = readingTurns.get(socket)
    this.#turn?.count(this)
  }

  override push(piece: Buffer | null, encoding?: BufferEncoding): boolean {
    if (this.isInPieces || this.isDropped) return false
    if (piece === null) return super.push(piece)
    this.#bytes += piece.length
    if (++this.#pieces > freePieces + this.#bytes / averagePieceBytes) {
      this.isInPieces = true
      stopReading(this.socket)
      // Incomplete, the request would take its connection with it, and there would be no response.
      this.complete = true
      super.push(null)
      return false
    }
    this.#turn?.count(this)
    return super.push(piece, encoding)
  }

  /** Node calls this for a body that nobody reads. What it does instead would not pass by `push`, and so not be counted. */
  _dump(): void {
    this.removeAllListeners('data')
    this.resume()
  }
}

/** Turns of the connections of all servers that are bounded here. */
const readingTurns = new WeakMap<Socket, ReadingTurn>()

/**
 * Reads nothing more from a connection. Up to 64 KB have been read and will be parsed. Node would keep a request and a response of
 * each request in them until the connection closes, so they are dropped where the parser hands them over, which has no public name.
 */
function stopReading(socket: Socket): void {
  socket.pause()
  socket.resume = () => socket
  readingTurns.get(socket)?.leave()
  const { parser } = socket as Socket & { readonly parser?: { onIncoming?: unknown } | null }
  if (typeof parser?.onIncoming !== 'function') return
  parser.onIncoming = (request: BoundedRequest) => {
    request.isDropped = true
    return 0
  }
}

/** Whether the body of this request came in more pieces than any client has reason to send. */
export function isInPieces(request: IncomingMessage): boolean {
  return request instanceof BoundedRequest && request.isInPieces
}

/**
 * Holds the connections of a server to these bounds, before its handler sees anything of them. Of pipelined requests,
 * whose responses go out in order anyway, one at a time is handled.
 */
export function boundConnections(server: Server, { sleep }: Pick<World, 'sleep'>): void {
  type Handler = (request: IncomingMessage, response: ServerResponse) => void
  const handlers = server.listeners('request') as Handler[]
  /** Per connection with a request under way: those that wait. */
  const waiting = new WeakMap<Socket, (() => void)[]>()
  /** Connections that take no further request. */
  const ending = new WeakSet<Socket>()
  const takeTurns = createReadingTurns()
  server.on('connection', (socket: Socket) => readingTurns.set(socket, takeTurns(socket)))
  server.removeAllListeners('request')
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    const { socket } = request
    // Those that came in one packet with the last one.
    if (socket.destroyed || ending.has(socket)) return
    const handle = () => {
      socket.destroySoon = () => endConnection(request)
      response.once('close', () => {
        if (isInPieces(request)) socket.destroySoon()
        if (!request.complete && !ending.has(socket))
          void sleep(lingerMs).then(() => request.complete || socket.destroy())
        setImmediate(next, socket)
      })
      for (const each of handlers) each.call(server, request, response)
    }
    const queue = waiting.get(socket)
    if (!queue) {
      waiting.set(socket, [])
      handle()
    } else if (queue.length < maxWaiting) queue.push(handle)
    else {
      // Those that wait get their responses; then the connection ends.
      stopReading(socket)
      ending.add(socket)
    }
  })

  /**
   * Node calls this after a response with `Connection: close`. At once, a connection with unread bytes would be reset,
   * and the response lost with it. So what still comes of the body is read and thrown away for a while.
   */
  function endConnection(request: IncomingMessage): void {
    const { complete, socket } = request
    const hasUnread = isInPieces(request)
    if (complete && !hasUnread) return void Socket.prototype.destroySoon.call(socket)
    ending.add(socket)
    waiting.delete(socket)
    socket.end()
    void sleep(hasUnread ? farewellMs : lingerMs).then(() => socket.destroy())
  }

  function next(socket: Socket): void {
    const queue = waiting.get(socket)
    if (!queue) return
    const handle = socket.destroyed ? undefined : queue.shift()
    if (handle) {
      handle()
      return
    }
    waiting.delete(socket)
    if (!ending.has(socket)) return
    // At once, a connection with unread bytes would be reset, and what was sent last would be lost with it.
    socket.end()
    void sleep(farewellMs).then(() => socket.destroy())
  }
}
