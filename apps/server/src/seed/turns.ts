import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import type { SeededWorld } from './seeded-world.ts'

/** Takes requests one after the other, in the order in which they arrive. */
export type Turns = (request: IncomingMessage, response: ServerResponse, go: () => void) => void

/**
 * One request at a time; all that is due when it has been answered is done before the next one. `engines`: those that
 * are served at that moment. Pages, probes and streams take no turn: they change nothing, and a stream never ends.
 */
export function createTurns(world: SeededWorld, engines: () => Promise<readonly Engine[]>): Turns {
  let last: Promise<void> = Promise.resolve()
  let count = 0

  async function take(response: ServerResponse, go: () => void): Promise<void> {
    if (response.destroyed) return
    world.nextRequest()
    await new Promise<void>((resolve) => {
      response.once('close', resolve)
      go()
    })
    await world.within(`work after request ${++count}`, async () => {
      for (const engine of await engines()) await settle(engine)
    })
  }

  return (request, response, go) => {
    if (takesNoTurn(request)) return go()
    last = last
      .then(() => take(response, go))
      .catch((error: Error) => {
        world.log.error({ error: error.message }, 'work that was due could not be done')
      })
  }
}

const pages = /^\/(?:$|docs(?:\/|$)|healthz|readyz|metrics|console(?!\/(?:api|session))|.*\.json(?:$|\?))/

function takesNoTurn({ method, url = '', headers }: IncomingMessage): boolean {
  return (method === 'GET' && pages.test(url)) || headers.accept === 'text/event-stream'
}

/** Everything that is due now, and what is read from what it leaves. */
async function settle(engine: Engine): Promise<void> {
  for (;;) {
    const ran = await engine.jobs.runDue(engine)
    const attempted = await engine.relay.runDue(engine)
    if (ran + attempted === 0) break
  }
  await engine.requestLog.flush()
  await engine.auditLog.flush()
  await engine.auditLog.chain()
}
