import type { IncomingMessage, ServerResponse } from 'node:http'
import { isUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { resetRole } from '@corridor/engine/mechanisms/db/claims.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { type SwitchedDriver, switched } from '@corridor/engine/mechanisms/db/switched.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import { isBackground } from '@corridor/engine/mechanisms/http/console.ts'
import type { Fork, Snapshot, Worlds } from '@corridor/engine/ports/worlds.ts'
import type { ConflictReason } from '@corridor/engine/vocabulary/conflict-reasons.ts'
import { type Failure, fail } from '@corridor/engine/vocabulary/errors.ts'
import { apiVersion } from '@corridor/engine/vocabulary/version.ts'
import { failed, type Instant, ok, type Result, type World } from '@corridor/kernel'
import { forkOfConsole } from './console-address.ts'
import { createDoor, type Door, type Handle, sendFailure } from './door.ts'
import { type About, CopyRefused, type Place, type Went, type WorldStore } from './store.ts'
import { letIn, type WhoMayEnter, whoMayEnter } from './who-may-enter.ts'

/** A world as it is served: what is thrown away and made anew when its database becomes another. */
export interface Served {
  readonly engine: Engine
  /** Absent: the listener's own. */
  readonly handle?: Handle
  /** Where operators have a listener of their own. */
  readonly handleOperators?: Handle
  /** Starts nothing more in the background, and waits for what is under way. */
  rest(): Promise<void>
  /** After `rest`: ends what is answered for ever, and lets go of all but the database. */
  close(): Promise<void>
}

/** What a world is made of, besides its database. */
export interface Facts {
  readonly place: Place
  readonly name: string
  readonly baseUrl: string
  readonly heldEndpoints: readonly string[]
  readonly worlds: Worlds | undefined
}

export function factsOfMain(baseUrl: string, worlds: Worlds | undefined): Facts {
  return { place: 'main', name: mainName, baseUrl, heldEndpoints: [], worlds }
}

export interface WorldsOfInstallation {
  readonly ofMain: Worlds
  /** Whether the request is for another world than the main one; then it is answered. */
  take(request: IncomingMessage, response: ServerResponse): boolean
  /** In front of the main world. */
  readonly main: Door
  servedMain(): Served | undefined
  /** Of all worlds that are open. */
  engines(): Promise<Engine[]>
  /** Once the main world is served. `isNew`: it has just been set up, and is what it is reset to. */
  begin(main: Served, driver: SwitchedDriver, isNew: boolean): Promise<void>
  stop(): Promise<void>
}

interface Open {
  served: Served
  readonly driver: SwitchedDriver
  readonly door: Door
}

const mainName = 'main'
const startName = 'start'
const idleMs = 24 * 60 * 60_000
const sweepMs = 10 * 60_000
const restMs = 5_000
const lookAgainMs = 1_000

const anyProduction = statement(
  'worlds.anyProduction',
  "select 1 as found from books where environment = 'PRODUCTION' limit 1",
)
const endpointsOf = statement(
  'worlds.endpoints',
  'select distinct webhook_endpoint as url from platform_configs where webhook_endpoint is not null',
)

/** Listeners are where they were then: whoever listened under them is to hear of it (SANDBOX_RESTORED). */
const endSessionsOfListeners = statement(
  'worlds.endSessionsOfListeners',
  "update webhook_listeners set session = '' where session <> ''",
)

/** The worlds of one process. `serve` makes of a database and its facts what answers; the caller owns the main one. */
export function createWorlds(parts: {
  readonly world: World
  readonly baseUrl: string
  readonly store: WorldStore
  readonly serve: (driver: SwitchedDriver, facts: Facts) => Promise<Served>
  /** Throws where `serve` could not serve this database. */
  readonly examine: (driver: Driver, place: Place) => Promise<void>
}): WorldsOfInstallation {
  const { world, store } = parts
  const opened = new Map<string, Promise<Open>>()
  const usedAt = new Map<string, Instant>()
  const main: { open?: Open } = {}
  const mainDoor = createDoor(world)
  const stopping = new AbortController()
  let sweeping: Promise<void> | undefined
  let underWay: 'COPIES' | 'REPLACES' | undefined
  const turns: (() => void)[] = []
  /** So many copies wait for their turn: as many as there can be, and their ends. */
  const maxTurns = 2 * store.limit
  /** What is being removed: for everybody else it is gone already. */
  const leaving = new Set<Place>()
  let lookedAt = Number.NEGATIVE_INFINITY
  let forks: Promise<ReadonlySet<Place>> = Promise.resolve(new Set())

  const refuse = (reason: ConflictReason) => failed(fail('CONFLICT', { reason }))
  const unknown = (resourceType: string, id: string) =>
    failed(fail('REFERENCE_NOT_FOUND', { resourceType, id }))
  const baseUrlOf = (name: string) => (name === mainName ? parts.baseUrl : `${parts.baseUrl}/w/${name}`)
  const placeOf = (name: string): Place => (name === mainName ? 'main' : `world/${name}`)

  async function aboutOf(place: Place): Promise<About | undefined> {
    return (await store.list()).find((copy) => copy.place === place)?.about
  }

  /** The oldest first. */
  async function copiesOf(kind: 'world' | 'snapshot') {
    const copies = (await store.list()).filter(({ place }) => place.startsWith(`${kind}/`))
    return copies.sort((a, b) => a.about.createdAt - b.about.createdAt)
  }

  async function open(name: string): Promise<Open> {
    const found = opened.get(name)
    if (found) return found
    const opening = openFork(name)
    opened.set(name, opening)
    opening.catch(() => opened.delete(name))
    return opening
  }

  /** Anybody may ask for any name, and to look takes a connection: one look serves all who ask within a second. */
  async function isFork(name: string): Promise<boolean> {
    // Opened again it would go on without its database, and under its name when there is another one.
    if (leaving.has(placeOf(name))) return false
    if (opened.has(name)) return true
    if (world.now() - lookedAt >= lookAgainMs) {
      lookedAt = world.now()
      forks = copiesOf('world').then((copies) => new Set(copies.map(({ place }) => place)))
      forks.catch(lookAnew)
    }
    return (await forks).has(placeOf(name)) && !leaving.has(placeOf(name))
  }

  function lookAnew(): void {
    lookedAt = Number.NEGATIVE_INFINITY
  }

  async function openFork(name: string): Promise<Open> {
    const place = placeOf(name)
    const described = await aboutOf(place)
    if (!described) throw new Error(`there is no world ${name}`)
    const { entry, ...about } = described
    const driver = switched(await store.open(place), (ms, signal) => world.sleep(ms, signal))
    try {
      if (entry) {
        const people = await peopleFor(entry.of, entry.asked)
        await parts.examine(driver, place)
        await letIn(driver, people)
      }
      const heldEndpoints = about.heldEndpoints ?? (await endpoints(driver))
      if (entry || !about.heldEndpoints) await store.describe(place, { ...about, heldEndpoints })
      const served = await parts.serve(driver, factsOf(name, heldEndpoints))
      return { served, driver, door: createDoor(world) }
    } catch (error) {
      await driver.close().catch(() => {})
      throw error
    }
  }

  function factsOf(name: string, heldEndpoints: readonly string[]): Facts {
    return { place: placeOf(name), name, baseUrl: baseUrlOf(name), heldEndpoints, worlds: worldsAt(name) }
  }

  async function endpoints(driver: Driver): Promise<string[]> {
    const rows = await driver.use('maintenance', async (connection) => {
      await resetRole(connection)
      return connection.query<{ url: string }>(endpointsOf)
    })
    return rows.map(({ url }) => url)
  }

  /**
   * Who may enter a copy of an earlier time of one world, that another asked for. Of the main world that is as it says now, and
   * what whoever asks has revoked is revoked besides. Forks go on from each other under names that come again: of them no more
   * is taken than that.
   */
  async function peopleFor(of: string, asked: string): Promise<WhoMayEnter> {
    const isThere = asked === mainName || (await aboutOf(placeOf(asked))) !== undefined
    const peopleOf = async (name: string) => whoMayEnter((await openAt(name)).served.engine.database)
    const own = await peopleOf(isThere ? asked : mainName)
    const there = of === mainName ? await peopleOf(mainName) : { ...own, tokens: '[]' }
    return { ...there, revokingTokens: own.tokens }
  }

  const openAt = async (name: string): Promise<Open> => (name === mainName ? main.open! : open(name))

  /**
   * One at a time, and only where no real money is. Copies wait for each other, as tests that run beside each other each make
   * one. Nobody waits for what replaces a world: it waits until nothing of that world waits.
   */
  async function copying<T>(
    name: string,
    kind: 'COPIES' | 'REPLACES',
    work: (at: Open) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    if (underWay && !(await isMyTurn(kind))) return refuse('COPY_UNDER_WAY')
    underWay = kind
    try {
      if (leaving.has(placeOf(name))) return refuse('COPY_UNDER_WAY')
      const at = await openAt(name)
      return (await hasProduction(at.served)) ? refuse('PRODUCTION_HERE') : await work(at)
    } catch (error) {
      if (error instanceof CopyRefused) return failed(error.failure)
      if (isUnavailable(error)) return failed(fail('SERVICE_UNAVAILABLE'))
      throw error
    } finally {
      handOn()
    }
  }

  /** Waits for those who copy before it; false where it may not. */
  async function isMyTurn(kind: 'COPIES' | 'REPLACES'): Promise<boolean> {
    const waits = underWay === 'COPIES' && kind === 'COPIES' && turns.length < maxTurns
    if (waits) await new Promise<void>((resolve) => turns.push(resolve))
    return waits
  }

  /** At once, so that nothing else comes between. */
  function handOn(): void {
    const next = turns.shift()
    if (next) next()
    else underWay = undefined
  }

  async function hasProduction({ engine }: Served): Promise<boolean> {
    const found = await engine.database.system((connection) => connection.query(anyProduction))
    return found.length > 0
  }

  /** Copies a world as it is between two of its transactions. */
  async function copyOf(at: Open, name: string, to: Place): Promise<Result<About, Failure>> {
    const about: About = { createdAt: world.now(), from: name, madeIn: name }
    const went = await apart(at.driver, (driver) => store.copyOpen(driver, placeOf(name), to, about))
    return went ? failed(went) : ok(about)
  }

  async function apart(
    driver: SwitchedDriver,
    work: (driver: Driver) => Promise<Went>,
  ): Promise<Failure | undefined> {
    let refused: Failure | undefined
    await driver.apart(async (inner) => {
      const went = await work(inner)
      refused = went.refused
      return went.driver
    })
    return refused
  }

  /** Why no copy of this kind and name can be made. */
  async function refuseCopy(kind: 'world' | 'snapshot', name: string): Promise<ConflictReason | undefined> {
    const copies = await copiesOf(kind)
    const taken = leaving.has(`${kind}/${name}`) || copies.some(({ place }) => place === `${kind}/${name}`)
    if (name === mainName || taken) {
      return kind === 'world' ? 'WORLD_EXISTS' : 'SNAPSHOT_EXISTS'
    }
    return copies.length >= store.limit ? 'TOO_MANY_COPIES' : undefined
  }

  /** Not while something is copied, which might be this: it waits its turn. False where there is no such copy. */
  async function remove(
    place: Place,
    work: () => Promise<void>,
    refuses: (about: About) => ConflictReason | undefined = () => undefined,
  ): Promise<Result<boolean, Failure>> {
    if (underWay) {
      if (!(await isMyTurn('COPIES'))) return refuse('COPY_UNDER_WAY')
      // That what was copied is over is all that it waited for.
      handOn()
    }
    if (leaving.has(place)) return ok(false)
    leaving.add(place)
    try {
      const about = await aboutOf(place)
      if (!about) return ok(false)
      const reason = refuses(about)
      if (reason) return refuse(reason)
      await work()
      return ok(true)
    } finally {
      leaving.delete(place)
    }
  }

  const removeFork = (name: string, refuses?: (about: About) => ConflictReason | undefined) =>
    remove(placeOf(name), () => dropFork(name), refuses)

  async function dropFork(name: string): Promise<void> {
    const found = opened.get(name)
    opened.delete(name)
    usedAt.delete(name)
    const at = await found?.catch(() => undefined)
    if (at) await end(at)
    await store.drop(placeOf(name))
    lookAnew()
  }

  async function end({ served, driver }: Open): Promise<void> {
    await Promise.race([served.rest(), world.sleep(restMs)])
    await served.close()
    await driver.close()
  }

  async function restoreWorld(
    at: Open,
    name: string,
    { snapshot, of }: { readonly snapshot: string; readonly of: string },
  ): Promise<Failure | undefined> {
    const before = at.served
    // Besides whoever asks for it.
    const closing = at.door.close(1)
    before.engine.waits.endAll()
    const isQuiet = await closing
    try {
      const isResting =
        isQuiet &&
        (await Promise.race([before.rest().then(() => true), world.sleep(restMs).then(() => false)]))
      const refused = isResting
        ? await replaceWithin(at, name, { snapshot, of })
        : fail('SERVICE_UNAVAILABLE')
      // What has begun to rest cannot go on: whatever came of it, the world is served anew.
      if (isQuiet) {
        if (!refused) await endListening(at.driver)
        at.served = await parts.serve(at.driver, factsOf(name, await heldBy(at.driver, name, of)))
        if (!refused) before.engine.eventStreams.end('world.restored')
        await before.close()
      }
      return refused
    } finally {
      at.door.open()
    }
  }

  /** Never throws: without it listeners go on, and are not told that they were moved. */
  async function endListening(driver: Driver): Promise<void> {
    try {
      await driver.use('maintenance', async (connection) => {
        await resetRole(connection)
        await connection.query(endSessionsOfListeners)
      })
    } catch (error) {
      world.log.warn(
        { error: (error as Error).message },
        'listeners are not told that the world was restored',
      )
    }
  }

  function unusable(snapshot: string, error: unknown): Failure {
    world.log.error({ error: (error as Error).message, snapshot }, 'a snapshot cannot be used')
    return fail('CONFLICT', { reason: 'SNAPSHOT_NOT_USABLE' })
  }

  /** Never throws: a world that rests has to be served again, whatever became of the copy. */
  async function replaceWithin(
    { served, driver: own }: Open,
    name: string,
    { snapshot, of }: { readonly snapshot: string; readonly of: string },
  ): Promise<Failure | undefined> {
    try {
      // Who was let in before may have set up a platform in production meanwhile.
      if (await hasProduction(served)) return fail('CONFLICT', { reason: 'PRODUCTION_HERE' })
      const place = placeOf(name)
      const people = await peopleFor(of, name)
      const examine = async (driver: Driver) => {
        try {
          await parts.examine(driver, place)
          await letIn(driver, people)
          return undefined
        } catch (error) {
          return unusable(snapshot, error)
        }
      }
      return await apart(own, (driver) => store.replace(driver, place, `snapshot/${snapshot}`, examine))
    } catch (error) {
      if (error instanceof CopyRefused) return error.failure
      world.log.error({ error: (error as Error).message }, 'a world could not be restored')
      return fail('SERVICE_UNAVAILABLE')
    }
  }

  /** What a world holds once it is a copy of `of`: of another world its endpoints as well. */
  async function heldBy(driver: Driver, name: string, of: string): Promise<readonly string[]> {
    if (name === mainName) return []
    const about = (await aboutOf(placeOf(name)))!
    const before = about.heldEndpoints ?? []
    if (of === name) return before
    const heldEndpoints = [...new Set([...before, ...(await endpoints(driver))])]
    await store.describe(placeOf(name), { ...about, heldEndpoints })
    return heldEndpoints
  }

  function worldsAt(here: string): Worlds {
    const toFork = (place: Place, { from, createdAt }: About): Fork => {
      const name = place.slice('world/'.length)
      return { name, baseUrl: baseUrlOf(name), from, createdAt }
    }
    const toSnapshot = (place: Place, { from, createdAt }: About): Snapshot => ({
      name: place.slice('snapshot/'.length),
      of: from,
      createdAt,
    })
    const restore = (name: string) =>
      copying(here, 'REPLACES', async (at) => {
        const place: Place = `snapshot/${name}`
        const about = leaving.has(place) ? undefined : await aboutOf(place)
        if (!about) return unknown('SandboxSnapshot', name)
        // Whoever was shut out of the main world may be in a fork still, and would decide what it becomes.
        if (here === mainName && about.from !== mainName) return refuse('SNAPSHOT_OF_ANOTHER_WORLD')
        const refused = await restoreWorld(at, here, { snapshot: name, of: about.from })
        return refused ? failed(refused) : ok(toSnapshot(place, about))
      })
    return {
      restore,
      reset: () => restore(startName),
      async list() {
        return ok((await copiesOf('world')).map(({ place, about }) => toFork(place, about)))
      },
      async snapshots() {
        return ok((await copiesOf('snapshot')).map(({ place, about }) => toSnapshot(place, about)))
      },
      fork: (name, snapshot) =>
        copying(here, 'COPIES', async (at) => {
          const reason = await refuseCopy('world', name)
          if (reason) return refuse(reason)
          const place = placeOf(name)
          let made: Result<About, Failure>
          if (snapshot === undefined) made = await copyOf(at, here, place)
          else {
            const found = leaving.has(`snapshot/${snapshot}`)
              ? undefined
              : await aboutOf(`snapshot/${snapshot}`)
            if (!found) return unknown('SandboxSnapshot', snapshot)
            const entry = { of: found.from, asked: here }
            const about: About = { createdAt: world.now(), from: snapshot, madeIn: here, entry }
            await store.copy(`snapshot/${snapshot}`, place, about)
            made = ok(about)
          }
          if (!made.ok) return made
          usedAt.set(name, world.now())
          try {
            await open(name)
          } catch (error) {
            await dropFork(name)
            if (snapshot === undefined) throw error
            return failed(unusable(snapshot, error))
          }
          return ok(toFork(place, made.value))
        }),
      async drop(name) {
        if (name === here || name === mainName) return refuse('WORLD_IN_USE')
        // It would make another of its name, which somebody else takes for theirs.
        const removed = await removeFork(name, ({ madeIn }) =>
          here === mainName || madeIn === here ? undefined : 'FORK_OF_ANOTHER_WORLD',
        )
        if (!removed.ok) return removed
        return removed.value ? ok(null) : unknown('SandboxWorld', name)
      },
      snapshot: (name) =>
        copying(here, 'COPIES', async (at) => {
          // What a reset goes back to is said by the main world alone.
          if (name === startName && here !== mainName) return refuse('SNAPSHOT_OF_ANOTHER_WORLD')
          const reason = await refuseCopy('snapshot', name)
          if (reason) return refuse(reason)
          const made = await copyOf(at, here, `snapshot/${name}`)
          return made.ok ? ok(toSnapshot(`snapshot/${name}`, made.value)) : made
        }),
      async dropSnapshot(name) {
        const place: Place = `snapshot/${name}`
        const removed = await remove(
          place,
          () => store.drop(place),
          ({ from }) => {
            // Nothing else could be gone back to, and another of its name would be another start.
            if (name === startName && from === mainName) return 'START_IS_KEPT'
            // It would make another of its name, which somebody else takes for theirs.
            return here === mainName || from === here ? undefined : 'SNAPSHOT_OF_ANOTHER_WORLD'
          },
        )
        if (!removed.ok) return removed
        return removed.value ? ok(null) : unknown('SandboxSnapshot', name)
      },
    }
  }

  async function sweep(): Promise<void> {
    const beganAt = world.now()
    while (!stopping.signal.aborted) {
      try {
        for (const { place, about } of await copiesOf('world')) {
          const name = place.slice('world/'.length)
          const last = Math.max(usedAt.get(name) ?? beganAt, about.createdAt)
          // Where something is copied just now it goes the next time.
          if (world.now() - last >= idleMs) await removeFork(name)
        }
      } catch (error) {
        world.log.error({ error: (error as Error).message }, 'idle forks could not be removed')
      }
      await world.sleep(sweepMs, stopping.signal)
    }
  }

  async function answer(name: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      if (!(await isFork(name))) {
        return sendFailure(
          response,
          fail('REFERENCE_NOT_FOUND', { resourceType: 'SandboxWorld', id: name }),
          world.uuid(),
        )
      }
      const at = await open(name)
      // A page that nobody looks at keeps no fork.
      if (!isBackground(request)) usedAt.set(name, world.now())
      at.door.handle(request, response, () => at.served.handle!)
    } catch (error) {
      world.log.error({ error: (error as Error).message }, 'a fork could not be opened')
      sendFailure(response, fail('SERVICE_UNAVAILABLE'), world.uuid())
    }
  }

  return {
    ofMain: worldsAt(mainName),
    main: mainDoor,
    servedMain: () => main.open?.served,
    async engines() {
      const forks = await Promise.allSettled(opened.values())
      const all = forks.flatMap((fork) => (fork.status === 'fulfilled' ? [fork.value] : []))
      return [...(main.open ? [main.open] : []), ...all].map(({ served }) => served.engine)
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
      // The console has addresses of its own for forks, and is signed in to in the main world alone.
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
    async begin(served, driver, isNew) {
      main.open = { served, driver, door: mainDoor }
      sweeping = sweep()
      if (!isNew || (await aboutOf(`snapshot/${startName}`))) return
      const made = await copying(mainName, 'COPIES', (at) => copyOf(at, mainName, `snapshot/${startName}`))
      if (!made.ok) {
        world.log.warn(
          { reason: made.failure.details.reason },
          'there is no snapshot to reset the sandbox to',
        )
      }
    },
    async stop() {
      stopping.abort()
      await sweeping
      for (const one of opened.values()) {
        const at = await one.catch(() => undefined)
        if (at) await end(at)
      }
      opened.clear()
      await main.open?.served.close()
    },
  }
}

const address = /^\/w\/([a-z0-9-]{1,40})(\/.*)?$/
