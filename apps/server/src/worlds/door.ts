import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { renderFailure } from '@corridor/engine/mechanisms/http/render.ts'
import { type Failure, fail } from '@corridor/engine/vocabulary/errors.ts'
import type { World } from '@corridor/kernel'

export type Handle = (request: IncomingMessage, response: ServerResponse) => void

/** How long requests wait for a world that is being restored, and it for those that are under way. */
const drainMs = 5_000

/** What stands in front of a world: who is inside, and whether anybody is let in. */
export interface Door {
  readonly handle: (request: IncomingMessage, response: ServerResponse, handle: () => Handle) => void
  /** Lets nobody in, and resolves once all but `besides` have their answer; false where that takes too long. */
  close(besides: number): Promise<boolean>
  open(): void
}

export function createDoor(world: Pick<World, 'sleep' | 'uuid'>): Door {
  /** Those whose answer has not begun: a stream never ends. */
  const inside = new Map<ServerResponse, IncomingMessage>()
  let closed: Promise<void> | undefined
  let reopen = () => {}
  let whenLeft = () => {}

  function enter(request: IncomingMessage, response: ServerResponse, go: () => void): void {
    inside.set(response, request)
    response.once('close', () => {
      inside.delete(response)
      whenLeft()
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

  const waitedFor = () => [...inside.keys()].filter(({ headersSent }) => !headersSent).length

  /** Whose body has not come has begun nothing, and may never send it: nobody knows yet who it is. */
  function dropUnsaid(): void {
    for (const [response, request] of inside) {
      if (!request.complete && !response.headersSent) request.destroy()
    }
  }

  return {
    handle(request, response, handle) {
      const go = () => handle()(request, response)
      if (closed) void wait(request, response, go)
      else enter(request, response, go)
    },
    async close(besides) {
      closed = new Promise((resolve) => {
        reopen = resolve
      })
      dropUnsaid()
      const over = new AbortController()
      const late = world.sleep(drainMs, over.signal).then(() => true)
      let isLate = false
      while (!isLate && waitedFor() > besides) {
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
