import { isUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import { resetRole } from '@corridor/engine/mechanisms/db/claims.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { MigrationRefused } from '@corridor/engine/mechanisms/db/migrate.ts'
import { isRefusal } from '@corridor/engine/mechanisms/db/outcome.ts'
import { DamagedDatabase } from '@corridor/engine/mechanisms/db/pglite.ts'
import type { SwitchedDriver } from '@corridor/engine/mechanisms/db/switched.ts'
import { WrongMasterKey } from '@corridor/engine/mechanisms/keys/keyring.ts'
import { type Failure, fail } from '@corridor/engine/vocabulary/errors.ts'
import type { Asker } from '@corridor/engine/vocabulary/operation.ts'
import type { World } from '@corridor/kernel'
import { aboutOf, setApart } from './copies.ts'
import { endpointsIn, type Making, type OpenedWorlds } from './opened.ts'
import { mainName, type Open, placeOf, type Served } from './served.ts'
import { CopyRefused, type Place, type WorldStore } from './store.ts'
import { letIn } from './who-may-enter.ts'

/** A snapshot, and the world that it is of. */
export interface Source {
  readonly snapshot: string
  readonly of: string
}

const restMs = 5_000

const anyProduction = statement(
  'worlds.anyProduction',
  "select 1 as found from books where environment = 'PRODUCTION' limit 1",
)

/** Listeners are where they were then: whoever listened under them is to hear of it (SANDBOX_RESTORED). */
const endSessionsOfListeners = statement(
  'worlds.endSessionsOfListeners',
  "update webhook_listeners set session = '' where session <> ''",
)

export async function hasProduction({ engine }: Served): Promise<boolean> {
  const found = await engine.database.system((connection) => connection.query(anyProduction))
  return found.length > 0
}

/**
 * Makes a world that is open what a snapshot says; resolves with why it did not come about. It is served again in any case,
 * once the answer of the asker is on record: whoever waits has the connections then, and what he repeats is to find it.
 */
export async function restoreWorld(
  making: Making,
  opened: OpenedWorlds,
  {
    at,
    name,
    source,
    asker,
  }: { readonly at: Open; readonly name: string; readonly source: Source; readonly asker: Asker },
): Promise<Failure | undefined> {
  const { world } = making
  const before = at.served
  const closing = at.door.close(asker.connection)
  asker.whenRecorded(() => at.door.open())
  before.engine.waits.endAll()
  const isQuiet = await closing
  const isResting = isQuiet && (await restsInTime(at, world))
  const refused = isResting
    ? await replaceWithin(making, opened, { at, name, source })
    : fail('SERVICE_UNAVAILABLE')
  // What has begun to rest cannot go on: whatever came of it, the world is served anew.
  if (isQuiet) {
    if (!refused) await endListening(at.driver, world)
    at.served = await serveAnew(making, at.driver, { name, isFresh: !refused })
    if (!refused) before.engine.eventStreams.end('world.restored')
    await before.close()
  }
  return refused
}

/** Whether nothing is done in the background any more, also for those whom an earlier restore has not waited for. Never throws. */
async function restsInTime(at: Open, world: World): Promise<boolean> {
  // What hangs would be told of a world that is gone by then.
  at.resting = Promise.all([at.resting, at.served.rest({ breaksOff: true })]).then(
    () => true,
    (error: Error) => {
      world.log.error({ error: error.message }, 'background work did not stop before a restore')
      return false
    },
  )
  return Promise.race([at.resting, world.sleep(restMs).then(() => false)])
}

/** Never throws: without it listeners go on, and are not told that they were moved. */
async function endListening(driver: Driver, world: World): Promise<void> {
  try {
    await driver.use('maintenance', async (connection) => {
      await resetRole(connection)
      await connection.query(endSessionsOfListeners)
    })
  } catch (error) {
    world.log.warn({ error: (error as Error).message }, 'could not notify listeners of a restore')
  }
}

/**
 * It does not go on with the engine that rests: that would do nothing in the background until the next start. So this is tried until
 * it works, as the database may be away for a moment, and until then nobody is let in.
 */
async function serveAnew(
  { world, store, serve, factsOf }: Making,
  driver: SwitchedDriver,
  { name, isFresh }: { readonly name: string; readonly isFresh: boolean },
): Promise<Served> {
  for (let pauseMs = 100; ; pauseMs = Math.min(2 * pauseMs, 5_000)) {
    try {
      const about = name === mainName ? undefined : await aboutOf(store, placeOf(name))
      return await serve(driver, factsOf(name, { heldEndpoints: about?.heldEndpoints ?? [], isFresh }))
    } catch (error) {
      world.log.error(
        { error: (error as Error).message, name },
        'could not serve a restored sandbox yet; retrying',
      )
      await world.sleep(pauseMs)
    }
  }
}

/** Why a snapshot was not used. What passes is no reason to refuse it for good, as a repetition would be answered the same. */
export function whyNotUsed(world: World, snapshot: string, error: unknown): Failure {
  world.log.error({ error: (error as Error).message, snapshot }, 'could not restore a snapshot')
  return isForGood(error) ? fail('CONFLICT', { reason: 'SNAPSHOT_NOT_USABLE' }) : fail('SERVICE_UNAVAILABLE')
}

const isForGood = (error: unknown) =>
  error instanceof MigrationRefused ||
  error instanceof WrongMasterKey ||
  error instanceof DamagedDatabase ||
  (isRefusal(error) && !isUnavailable(error))

/** Never throws: a world that rests has to be served again, whatever became of the copy. */
async function replaceWithin(
  { world, store, examine: examineDatabase }: Making,
  opened: OpenedWorlds,
  {
    at: { served, driver: own },
    name,
    source: { snapshot, of },
  }: { readonly at: Open; readonly name: string; readonly source: Source },
): Promise<Failure | undefined> {
  try {
    // Who was let in before may have set up a platform in production meanwhile.
    if (await hasProduction(served)) return fail('CONFLICT', { reason: 'PRODUCTION_HERE' })
    const place = placeOf(name)
    const people = await opened.peopleFor(of, name)
    const examine = async (driver: Driver) => {
      try {
        await examineDatabase(driver, place)
        await letIn(driver, people)
        // Before the copy stays: whoever is killed in between would send what it brings to the endpoints of others.
        if (name !== mainName && of !== name) await holdEndpointsOf(store, driver, place)
        return undefined
      } catch (error) {
        return whyNotUsed(world, snapshot, error)
      }
    }
    return await setApart(own, (driver) => store.replace(driver, place, `snapshot/${snapshot}`, examine))
  } catch (error) {
    if (error instanceof CopyRefused) return error.failure
    world.log.error({ error: (error as Error).message }, 'could not restore a sandbox')
    return fail('SERVICE_UNAVAILABLE')
  }
}

/** Of a fork that becomes a copy of another world: it holds the endpoints of that one as well. */
async function holdEndpointsOf(store: WorldStore, copy: Driver, place: Place): Promise<void> {
  const about = (await aboutOf(store, place))!
  const heldEndpoints = [...new Set([...(about.heldEndpoints ?? []), ...(await endpointsIn(copy))])]
  await store.describe(place, { ...about, heldEndpoints })
}
