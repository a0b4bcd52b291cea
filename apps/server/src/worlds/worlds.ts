import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import type { SwitchedDriver } from '@corridor/engine/mechanisms/db/switched.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import { logOutsideRequest } from '@corridor/engine/mechanisms/unexpected.ts'
import type { Worlds } from '@corridor/engine/ports/worlds.ts'
import { fail } from '@corridor/engine/vocabulary/errors.ts'
import { apiVersion } from '@corridor/engine/vocabulary/version.ts'
import type { World } from '@corridor/kernel'
import { forkOfConsole } from './console-address.ts'
import { copiesOf } from './copies.ts'
import { createCopying } from './copying.ts'
import { createDoor, type Door, sendFailure } from './door.ts'
import { type Making, OpenedWorlds } from './opened.ts'
import { type Facts, mainName, placeOf, type Served } from './served.ts'
import type { Place, WorldStore } from './store.ts'
import { createTurns } from './turns.ts'

export interface WorldsOfInstallation {
  readonly ofMain: Worlds
  /** Whether the request is for another world than the main one; then it is answered. */
  take(request: IncomingMessage, response: ServerResponse): boolean
  /** In front of the main world. */
  readonly main: Door
  servedMain(): Served | undefined
  /** Of all worlds that are open. */
  engines(): Promise<Engine[]>
  /** Keeps an installation that has just been set up as what it is reset to. Before it listens: nobody waits for the copy. */
  keepStart(main: Served, driver: SwitchedDriver): Promise<void>
  /** Once the main world is served. */
  begin(main: Served, driver: SwitchedDriver): Promise<void>
  stop(): Promise<void>
}

const idleMs = 24 * 60 * 60_000
const sweepMs = 10 * 60_000

/** The worlds of one process. `serve` makes of a database and its facts what answers; the caller owns the main one. */
export function createWorlds(parts: {
  readonly world: World
  readonly baseUrl: string
  readonly store: WorldStore
  readonly serve: (driver: SwitchedDriver, facts: Facts) => Promise<Served>
  /** Throws where `serve` could not serve this database. */
  readonly examine: (driver: Driver, place: Place) => Promise<void>
}): WorldsOfInstallation {
  const { world, store, serve, examine } = parts
  const baseUrlOf = (name: string) => (name === mainName ? parts.baseUrl : `${parts.baseUrl}/w/${name}`)
  const factsOf: Making['factsOf'] = (name, own) => ({
    place: placeOf(name),
    name,
    baseUrl: baseUrlOf(name),
    ...own,
    worlds: copying.worldsAt(name),
    used: () => opened.use(name),
  })
  const making: Making = { world, store, serve, examine, factsOf }
  const opened = new OpenedWorlds(making)
  // So many copies wait for their turn: as many as there can be, and their ends.
  const turns = createTurns(2 * store.limit)
  const copying = createCopying(making, opened, { turns, baseUrlOf })
  const mainDoor = createDoor(world)
  const stopping = new AbortController()
  let sweeping: Promise<void> | undefined

  async function sweep(): Promise<void> {
    const beganAt = world.now()
    while (!stopping.signal.aborted) {
      try {
        for (const { place, about } of await copiesOf(store, 'world')) {
          const name = place.slice('world/'.length)
          const last = Math.max(opened.usedAt(name) ?? beganAt, about.createdAt)
          // Where something is copied just now it goes the next time.
          if (world.now() - last >= idleMs) await copying.removeFork(name)
        }
      } catch (error) {
        logOutsideRequest(world.log, 'removal of idle forks', error)
      }
      await world.sleep(sweepMs, stopping.signal)
    }
  }

  async function answer(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!(await opened.isFork(name))) {
        return sendFailure(
          response,
          fail('REFERENCE_NOT_FOUND', { resourceType: 'SandboxWorld', id: name }),
          world.uuid(),
        )
      }
      const at = await opened.at(name)
      at.door.handle(request, response, () => at.served.handle!)
    } catch (error) {
      world.log.error({ error: (error as Error).message }, 'could not open a fork')
      sendFailure(response, fail('SERVICE_UNAVAILABLE'), world.uuid())
    }
  }

  return {
    ofMain: copying.worldsAt(mainName),
    main: mainDoor,
    servedMain: () => opened.main?.served,
    async engines() {
      return (await opened.all()).map(({ served }) => served.engine)
    },
    take(request, response) {
      const ofConsole = forkOfConsole(request.url ?? '')
      if (ofConsole) {
        request.url = ofConsole.url
        void answer(ofConsole.name, request, response)
        return true
      }
      const [, name, rest = ''] = address.exec(request.url ?? '') ?? []
      if (name === undefined) return false
      const url = rest.startsWith('/') ? rest : `/${rest}`
      // The console has addresses of its own for forks, and whoever has signed out has done so: a copy knows his session still.
      const isMain = name === mainName
      const isServed = isMain ? url.startsWith(`/${apiVersion}/`) : !url.startsWith('/console')
      if (!isServed) {
        sendFailure(response, fail('REFERENCE_NOT_FOUND', { resourceType: 'route' }), world.uuid())
        return true
      }
      request.url = url
      // So have operator API and metrics, that a proxy in front can keep them from the outside.
      if (isMain) return false
      void answer(name, request, response)
      return true
    },
    async keepStart(served, driver) {
      opened.main = { served, driver, door: mainDoor }
      const made = await copying.makeStart()
      // It has no background yet, and whoever restored it would not end that.
      opened.main = undefined
      if (made.ok) return
      world.log.warn({ reason: made.failure.details.reason }, 'the snapshot for a reset could not be created')
    },
    async begin(served, driver) {
      // Nothing is copied before there is a main world.
      await store.sweep().catch((error: Error) => {
        world.log.warn({ error: error.message }, 'could not remove the unfinished copy of a killed process')
      })
      opened.main = { served, driver, door: mainDoor }
      sweeping = sweep()
    },
    async stop() {
      stopping.abort()
      await sweeping
      await opened.stop()
    },
  }
}

const address = /^\/w\/([a-z0-9-]{1,40})(\/.*)?$/
