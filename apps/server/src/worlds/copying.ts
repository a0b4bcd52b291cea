import { isUnavailable } from '@corridor/engine/mechanisms/db/availability.ts'
import type { Fork, Snapshot, Worlds } from '@corridor/engine/ports/worlds.ts'
import type { ConflictReason } from '@corridor/engine/vocabulary/conflict-reasons.ts'
import { type Failure, fail } from '@corridor/engine/vocabulary/errors.ts'
import type { Asker } from '@corridor/engine/vocabulary/operation.ts'
import { failed, ok, type Result } from '@corridor/kernel'
import { aboutOf, copiesOf, setApart } from './copies.ts'
import type { Making, OpenedWorlds } from './opened.ts'
import { hasProduction, restoreWorld, whyNotUsed } from './restoring.ts'
import { mainName, type Open, placeOf } from './served.ts'
import { type About, CopyRefused, type Place } from './store.ts'
import type { CopyKind, Turns } from './turns.ts'

/** What is asked of worlds, from any of them. */
export interface Copying {
  worldsAt(here: string): Worlds
  /** What the main world is reset to, where there is none yet. */
  makeStart(): Promise<Result<unknown, Failure>>
  removeFork(name: string): Promise<Result<boolean, Failure>>
}

const startName = 'start'

const refuse = (reason: ConflictReason) => failed(fail('CONFLICT', { reason }))
const unknown = (resourceType: string, id: string) =>
  failed(fail('REFERENCE_NOT_FOUND', { resourceType, id }))

/** What is not to be had of the store is an answer like others, also to whoever looks alone: its server may refuse him any time. */
async function answered<T>(work: () => Promise<Result<T, Failure>>): Promise<Result<T, Failure>> {
  try {
    return await work()
  } catch (error) {
    if (error instanceof CopyRefused) return failed(error.failure)
    if (isUnavailable(error)) return failed(fail('SERVICE_UNAVAILABLE'))
    throw error
  }
}

export function createCopying(
  making: Making,
  opened: OpenedWorlds,
  { turns, baseUrlOf }: { readonly turns: Turns; readonly baseUrlOf: (name: string) => string },
): Copying {
  const { world, store } = making
  const { leaving } = opened

  /** One at a time, and only where no real money is. */
  const copying = <T>(
    name: string,
    kind: CopyKind,
    work: (at: Open) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> => answered(() => inTurn(name, kind, work))

  async function inTurn<T>(
    name: string,
    kind: CopyKind,
    work: (at: Open) => Promise<Result<T, Failure>>,
  ): Promise<Result<T, Failure>> {
    if (!(await turns.begin(kind))) return refuse('COPY_UNDER_WAY')
    try {
      if (leaving.has(placeOf(name))) return refuse('COPY_UNDER_WAY')
      // It may have been removed while this waited for its turn.
      if (name !== mainName && !(await opened.isFork(name))) return unknown('SandboxWorld', name)
      const at = await opened.at(name)
      return (await hasProduction(at.served)) ? refuse('PRODUCTION_HERE') : await work(at)
    } finally {
      turns.handOn()
    }
  }

  /** Copies a world as it is between two of its transactions. */
  async function copyOf(at: Open, name: string, to: Place): Promise<Result<About, Failure>> {
    const about: About = { createdAt: world.now(), from: name, madeIn: name }
    const went = await setApart(at.driver, (driver) => store.copyOpen(driver, placeOf(name), to, about))
    return went ? failed(went) : ok(about)
  }

  /** Why no copy of this kind and name can be made. */
  async function refuseCopy(kind: 'world' | 'snapshot', name: string): Promise<ConflictReason | undefined> {
    const copies = await copiesOf(store, kind)
    const taken = leaving.has(`${kind}/${name}`) || copies.some(({ place }) => place === `${kind}/${name}`)
    if (name === mainName || taken) {
      return kind === 'world' ? 'WORLD_EXISTS' : 'SNAPSHOT_EXISTS'
    }
    return copies.length >= store.limit ? 'TOO_MANY_COPIES' : undefined
  }

  /** Not while something is copied, which might be this: it waits its turn. False where there is no such copy. */
  const remove = (
    place: Place,
    work: () => Promise<void>,
    refuses: (about: About) => ConflictReason | undefined = () => undefined,
  ): Promise<Result<boolean, Failure>> => answered(() => removeOnce(place, work, refuses))

  async function removeOnce(
    place: Place,
    work: () => Promise<void>,
    refuses: (about: About) => ConflictReason | undefined,
  ): Promise<Result<boolean, Failure>> {
    if (turns.isUnderWay()) {
      if (!(await turns.begin('COPIES'))) return refuse('COPY_UNDER_WAY')
      // That what was copied is over is all that it waited for.
      turns.handOn()
    }
    if (leaving.has(place)) return ok(false)
    leaving.add(place)
    try {
      const about = await aboutOf(store, place)
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
    remove(placeOf(name), () => opened.drop(name), refuses)

  const toFork = (place: Place, { from, createdAt }: About): Fork => {
    const name = place.slice('world/'.length)
    return { name, baseUrl: baseUrlOf(name), from, createdAt }
  }
  const toSnapshot = (place: Place, { from, createdAt }: About): Snapshot => ({
    name: place.slice('snapshot/'.length),
    of: from,
    createdAt,
  })

  /** The database of a fork, which nobody serves yet. */
  async function copyFor(
    at: Open,
    { here, place, snapshot }: { readonly here: string; readonly place: Place; readonly snapshot?: string },
  ): Promise<Result<About, Failure>> {
    if (snapshot === undefined) return copyOf(at, here, place)
    const from: Place = `snapshot/${snapshot}`
    const found = leaving.has(from) ? undefined : await aboutOf(store, from)
    if (!found) return unknown('SandboxSnapshot', snapshot)
    const entry = { of: found.from, asked: here }
    const about: About = { createdAt: world.now(), from: snapshot, madeIn: here, entry }
    await store.copy(from, place, about)
    return ok(about)
  }

  const fork = (here: string, name: string, snapshot: string | undefined) =>
    copying<Fork>(here, 'COPIES', async (at) => {
      const reason = await refuseCopy('world', name)
      if (reason) return refuse(reason)
      const place = placeOf(name)
      const made = await copyFor(at, { here, place, ...(snapshot === undefined ? {} : { snapshot }) })
      if (!made.ok) return made
      opened.use(name)
      try {
        await opened.at(name)
      } catch (error) {
        await opened.drop(name)
        if (snapshot !== undefined) return failed(whyNotUsed(world, snapshot, error))
        world.log.error({ error: (error as Error).message }, 'could not open a fork')
        return failed(fail('SERVICE_UNAVAILABLE'))
      }
      return ok(toFork(place, made.value))
    })

  const restore = (here: string, name: string, asker: Asker) =>
    copying<Snapshot>(here, 'REPLACES', async (at) => {
      const place: Place = `snapshot/${name}`
      const about = leaving.has(place) ? undefined : await aboutOf(store, place)
      if (!about) return unknown('SandboxSnapshot', name)
      // Whoever was shut out of the main world may be in a fork still, and would decide what it becomes.
      if (here === mainName && about.from !== mainName) return refuse('SNAPSHOT_OF_ANOTHER_WORLD')
      const source = { snapshot: name, of: about.from }
      const refused = await restoreWorld(making, opened, { at, name: here, source, asker })
      return refused ? failed(refused) : ok(toSnapshot(place, about))
    })

  return {
    removeFork,
    async makeStart() {
      const place: Place = `snapshot/${startName}`
      if (await aboutOf(store, place)) return ok(null)
      return copying(mainName, 'COPIES', (at) => copyOf(at, mainName, place))
    },
    worldsAt: (here) => ({
      isOn: true,
      restore: (name, asker) => restore(here, name, asker),
      reset: (asker) => restore(here, startName, asker),
      list: () =>
        answered(async () =>
          ok((await copiesOf(store, 'world')).map(({ place, about }) => toFork(place, about))),
        ),
      snapshots: () =>
        answered(async () =>
          ok((await copiesOf(store, 'snapshot')).map(({ place, about }) => toSnapshot(place, about))),
        ),
      fork: (name, snapshot) => fork(here, name, snapshot),
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
    }),
  }
}
