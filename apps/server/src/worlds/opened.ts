import { DatabaseUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { resetRole } from '@corridor/engine/mechanisms/db/claims.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { type SwitchedDriver, switched } from '@corridor/engine/mechanisms/db/switched.ts'
import type { Instant, World } from '@corridor/kernel'
import { aboutOf, copiesOf } from './copies.ts'
import { createDoor } from './door.ts'
import { type Facts, mainName, type Open, placeOf, type Served } from './served.ts'
import type { Place, WorldStore } from './store.ts'
import { type Entry, letIn, revokedIn, whoMayEnter } from './who-may-enter.ts'

/** What makes of a database and its facts a world. */
export interface Making {
  readonly world: World
  readonly store: WorldStore
  readonly serve: (driver: SwitchedDriver, facts: Facts) => Promise<Served>
  /** Throws where `serve` could not serve this database. */
  readonly examine: (driver: Driver, place: Place) => Promise<void>
  readonly factsOf: (name: string, own: Pick<Facts, 'heldEndpoints' | 'isFresh'>) => Facts
}

const restMs = 5_000
const lookAgainMs = 1_000

const endpointsOf = statement(
  'worlds.endpoints',
  'select distinct webhook_endpoint as url from platform_configs where webhook_endpoint is not null',
)

/** The worlds of a process that are open. Forks are opened when somebody asks for them. */
export class OpenedWorlds {
  readonly #making: Making
  readonly #opened = new Map<string, Promise<Open>>()
  readonly #usedAt = new Map<string, Instant>()
  /** What is being removed: for everybody else it is gone already. */
  readonly leaving = new Set<Place>()
  /** Once it is served. */
  main: Open | undefined
  #lookedAt = Number.NEGATIVE_INFINITY
  #forks: Promise<ReadonlySet<Place>> = Promise.resolve(new Set())

  constructor(making: Making) {
    this.#making = making
  }

  at(name: string): Promise<Open> {
    if (name === mainName) {
      return this.main
        ? Promise.resolve(this.main)
        : Promise.reject(new DatabaseUnavailable('BUSY', 'the main sandbox is not ready'))
    }
    const found = this.#opened.get(name)
    if (found) return found
    const opening = this.#openFork(name)
    this.#opened.set(name, opening)
    opening.catch(() => this.#opened.delete(name))
    return opening
  }

  /** Somebody wants it still. */
  use(name: string): void {
    this.#usedAt.set(name, this.#making.world.now())
  }

  usedAt(name: string): Instant | undefined {
    return this.#usedAt.get(name)
  }

  /** The main one first. */
  async all(): Promise<Open[]> {
    const forks = await Promise.allSettled(this.#opened.values())
    const open = forks.flatMap((fork) => (fork.status === 'fulfilled' ? [fork.value] : []))
    return [...(this.main ? [this.main] : []), ...open]
  }

  /** Anybody may ask for any name, and to look takes a connection: one look serves all who ask within a second. */
  async isFork(name: string): Promise<boolean> {
    const { world, store } = this.#making
    // Opened again it would go on without its database, and under its name when there is another one.
    if (this.leaving.has(placeOf(name))) return false
    if (this.#opened.has(name)) return true
    if (world.now() - this.#lookedAt >= lookAgainMs) {
      this.#lookedAt = world.now()
      this.#forks = copiesOf(store, 'world').then((copies) => new Set(copies.map(({ place }) => place)))
      this.#forks.catch(() => this.#lookAnew())
    }
    return (await this.#forks).has(placeOf(name)) && !this.leaving.has(placeOf(name))
  }

  #lookAnew(): void {
    this.#lookedAt = Number.NEGATIVE_INFINITY
  }

  async #openFork(name: string): Promise<Open> {
    const { world, store, examine, serve, factsOf } = this.#making
    const place = placeOf(name)
    const described = await aboutOf(store, place)
    if (!described) throw new Error(`no sandbox is named ${name}`)
    const { entry, ...about } = described
    const driver = switched(await store.open(place), (ms, signal) => world.sleep(ms, signal))
    try {
      if (entry) {
        const people = await this.peopleFor(entry.of, entry.asked)
        await examine(driver, place)
        await letIn(driver, people)
      }
      const heldEndpoints = about.heldEndpoints ?? (await endpointsIn(driver))
      if (entry || !about.heldEndpoints) await store.describe(place, { ...about, heldEndpoints })
      const served = await serve(driver, factsOf(name, { heldEndpoints, isFresh: true }))
      return { served, driver, door: createDoor(world) }
    } catch (error) {
      await driver.close().catch(() => {})
      throw error
    }
  }

  /**
   * Who may enter a copy of an earlier time of the world `of`, that `asked` wants. Of the main world that is as it says now, and
   * no token that whoever asks has revoked. Forks go on from each other under names that come again: of theirs it is as whoever
   * asks says.
   */
  async peopleFor(of: string, asked: string): Promise<Entry> {
    const { store } = this.#making
    const isThere = asked === mainName || (await aboutOf(store, placeOf(asked))) !== undefined
    const databaseOf = async (name: string) => (await this.at(name)).served.engine.database
    const own = await databaseOf(isThere ? asked : mainName)
    const isOfMain = of === mainName
    const who = await whoMayEnter(isOfMain ? await databaseOf(mainName) : own, isOfMain)
    return { who, revoked: await revokedIn(own) }
  }

  async drop(name: string): Promise<void> {
    const { store } = this.#making
    const found = this.#opened.get(name)
    this.#opened.delete(name)
    this.#usedAt.delete(name)
    const at = await found?.catch(() => undefined)
    if (at) await this.#end(at)
    await store.drop(placeOf(name))
    this.#lookAnew()
  }

  async #end({ served, driver }: Open): Promise<void> {
    await Promise.race([served.rest(), this.#making.world.sleep(restMs)])
    await served.close()
    await driver.close()
  }

  /** All but the main one, whose database the caller has. */
  async stop(): Promise<void> {
    for (const one of this.#opened.values()) {
      const at = await one.catch(() => undefined)
      if (at) await this.#end(at)
    }
    this.#opened.clear()
    await this.main?.served.close()
  }
}

/** Where webhooks of the platforms in a database go. */
export async function endpointsIn(driver: Driver): Promise<string[]> {
  const rows = await driver.use('maintenance', async (connection) => {
    await resetRole(connection)
    return connection.query<{ url: string }>(endpointsOf)
  })
  return rows.map(({ url }) => url)
}
