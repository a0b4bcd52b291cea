import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { renderFailure } from '@corridor/engine/mechanisms/http/render.ts'
import { follow } from '@corridor/engine/mechanisms/http/visits.ts'
import { type Failure, fail } from '@corridor/engine/vocabulary/errors.ts'
import type { World } from '@corridor/kernel'

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** How long requests wait for a world that is being restored, and it for those that are under way. */
const drainMs = 5_000

/** Somebody who is inside: until his connection is gone and what was begun for him has ended. */
interface Visitor {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  isGone: boolean
  isAtWork: boolean
}

/** What stands in front of a world: who is inside, and whether anybody is let in. */
export interface Door {
  readonly handle: (request: IncomingMessage, response: ServerResponse, handle: () => Handle) => void
  /**
   * Lets nobody in, and resolves once all but the `asker` have their answer, or nothing is done for them any more; false where
   * that takes too long.
   */
  close(asker: object): Promise<boolean>
  open(): void
}

export function createDoor(world: Pick<World, 'sleep' | 'uuid'>): Door {
  const inside = new Set<Visitor>()
  let closed: Promise<void> | undefined
  let reopen = () => {}
  let whenLeft = () => {}

  function enter(request: IncomingMessage, response: ServerResponse, go: () => void): void {
    const visitor: Visitor = { request, response, isGone: false, isAtWork: false }
    const leaves = () => {
      if (visitor.isGone && !visitor.isAtWork) inside.delete(visitor)
      whenLeft()
    }
    inside.add(visitor)
    response.once('close', () => {
      visitor.isGone = true
      leaves()
    })
    follow(response, {
      begins() {
        // Nobody waits for him any more, so nothing may be done for him in a world that is being replaced.
        if (visitor.isGone) return false
        visitor.isAtWork = true
        return true
      },
      ended() {
        visitor.isAtWork = false
        leaves()
      },
    })
    go()
  }

  async function wait(request: IncomingMessage, response: ServerResponse, go: () => void): Promise<void> {
    const over = new AbortController()
    const isLate = await Promise.race([
      closed!.then(() => false),
      world.sleep(drainMs, over.signal).then(() => true),
    ])
    over.abort()
    if (response.destroyed) return
    if (isLate || closed) sendFailure(response, fail('SERVICE_UNAVAILABLE'), world.uuid())
    else enter(request, response, go)
  }

  /** Not for whoever is being answered: a stream never ends. One who was told that there is no answer may be at work still. */
  const isWaitedFor = ({ isAtWork, response }: Visitor) =>
    !response.headersSent || (isAtWork && response.writableEnded)
  const waitsForOthersThan = (asker: object) =>
    [...inside].some((visitor) => visitor.response !== asker && isWaitedFor(visitor))

  /** Whose body has not come has begun nothing, and may never send it: nobody knows yet who it is. */
  function dropUnsaid(): void {
    for (const { request, response, isAtWork } of inside) {
      if (!request.complete && !response.headersSent && !isAtWork) request.destroy()
    }
  }

  return {
    handle(request, response, handle) {
      const go = () => handle()(request, response)
      if (closed) void wait(request, response, go)
      else enter(request, response, go)
    },
    async close(asker) {
      closed = new Promise((resolve) => {
        reopen = resolve
      })
      dropUnsaid()
      const over = new AbortController()
      const late = world.sleep(drainMs, over.signal).then(() => true)
      let isLate = false
      while (!isLate && waitsForOthersThan(asker)) {
        const left = new Promise<false>((resolve) => {
          whenLeft = () => resolve(false)
        })
        isLate = await Promise.race([left, late])
      }
      over.abort()
      whenLeft = () => {}
      return !isLate
    },
    open() {
      closed = undefined
      reopen()
    },
  }
}

/** What is answered in front of all worlds. */
export function sendFailure(response: ServerResponse, failure: Failure, requestId: string): void {
  const { status, headers, body } = renderFailure(failure, requestId)
  response.writeHead(status, {
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/json; charset=utf-8',
  })
  response.end(JSON.stringify(body))
}

/** Puts another handler in front of that of a server; it gets that of before. */
export function divert(server: Server, to: (own: Handle) => Handle): void {
  const [own] = server.listeners('request') as [Handle]
  const others = server.listeners('request').slice(1) as Handle[]
  server.removeAllListeners('request')
  server.on('request', to(own))
  for (const other of others) server.on('request', other)
}
