import type { IncomingMessage, ServerResponse } from 'node:http'
import { isUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import { follow } from '@corridor/engine/mechanisms/http/visits.ts'
import { logOutsideRequest } from '@corridor/engine/mechanisms/unexpected.ts'
import type { SeededWorld } from './seeded-world.ts'

/** Takes requests one after the other, in the order in which they arrive. */
export interface Turns {
  take(request: IncomingMessage, response: ServerResponse, go: () => void): void
  /** Nobody waits for the database any more. Resolves once all that was due after the last request so far has been done. */
  finish(): Promise<void>
}

/** What of an engine is done between two requests. */
export type SettledEngine = Pick<Engine, 'jobs' | 'relay' | 'requestLog' | 'auditLog'>

/** How soon what was due is begun again where the database was away, and how often: for half a minute. */
const againMs = 200
const mostTries = 150
/** How long what is asked may take to arrive. Everybody waits for whose turn it is, and he may be a stranger. */
const arrivesMs = 10_000

/**
 * One request at a time; all that is due when it has been answered is done before the next one. `engines`: those that
 * are served at that moment. Pages, probes and streams take no turn: they change nothing, and a stream never ends. What
 * they are made of is drawn apart, for they may come while a request is under way.
 */
export function createTurns(world: SeededWorld, engines: () => Promise<readonly SettledEngine[]>): Turns {
  let last: Promise<void> = Promise.resolve()
  let count = 0
  let countApart = 0
  const stopping = new AbortController()

  async function takeTurn(request: IncomingMessage, response: ServerResponse, go: () => void): Promise<void> {
    if (response.destroyed) return
    world.nextRequest()
    const over = new AbortController()
    world
      .sleep(arrivesMs, over.signal)
      .then(() => request.complete || over.signal.aborted || request.destroy())
      .catch(() => {})
    await visited(response, go)
    over.abort()
    await world.within(`work after request ${++count}`, settleAll)
  }

  /** What is left undone would be done a request later, with its ids and times: whoever is next waits for it. */
  async function settleAll(): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        for (const engine of await engines()) await settle(engine as Engine)
        return
      } catch (error) {
        if (!isUnavailable(error) || tries === mostTries || stopping.signal.aborted) throw error
        world.log.warn({ error: (error as Error).message }, 'due work is waiting for the database')
        await world.sleep(againMs, stopping.signal)
      }
    }
  }

  return {
    take(request, response, go) {
      if (takesNoTurn(request)) return world.within(`apart ${++countApart}`, go)
      last = last
        .then(() => takeTurn(request, response, go))
        .catch((error: Error) => {
          logOutsideRequest(world.log, 'work after a request', error)
        })
    },
    finish() {
      stopping.abort()
      return last
    },
  }
}

/** Resolves once whoever asked has his answer or has gone, and nothing is done for him any more. */
function visited(response: ServerResponse, go: () => void): Promise<void> {
  return new Promise((resolve) => {
    let isGone = false
    let isAtWork = false
    const leaves = () => {
      if (isGone && !isAtWork) resolve()
    }
    follow(response, {
      begins() {
        // His turn is over.
        if (isGone) return false
        isAtWork = true
        return true
      },
      ended() {
        isAtWork = false
        leaves()
      },
    })
    for (const end of ['finish', 'close']) {
      response.once(end, () => {
        isGone = true
        leaves()
      })
    }
    go()
  })
}

const pages = /^\/(?:$|docs(?:\/|$)|healthz|readyz|metrics|console(?!\/(?:api|session))|.*\.json(?:$|\?))/

function takesNoTurn({ method, url = '', headers }: IncomingMessage): boolean {
  return (method === 'GET' && pages.test(url)) || headers.accept === 'text/event-stream'
}

/** Everything that is due now, and what is read from what it leaves. */
async function settle(engine: Engine): Promise<void> {
  for (;;) {
    // What goes on without a caller who waits for it.
    await engine.jobs.finish()
    const ran = await engine.jobs.runDue(engine)
    const attempted = await engine.relay.runDue(engine)
    if (ran + attempted === 0) break
  }
  await engine.requestLog.flush()
  await engine.auditLog.flush()
  await engine.auditLog.chain()
}
