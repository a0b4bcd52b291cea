import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import type { SwitchedDriver } from '@corridor/engine/mechanisms/db/switched.ts'
import type { Failure } from '@corridor/engine/vocabulary/errors.ts'
import type { About, Place, Went, WorldStore } from './store.ts'

export async function aboutOf(store: WorldStore, place: Place): Promise<About | undefined> {
  return (await store.list()).find((copy) => copy.place === place)?.about
}

/** The oldest first. */
export async function copiesOf(store: WorldStore, kind: 'world' | 'snapshot') {
  const copies = (await store.list()).filter(({ place }) => place.startsWith(`${kind}/`))
  return copies.sort((a, b) => a.about.createdAt - b.about.createdAt)
}

/** Does something with a database while nobody uses it; what was refused, if so. */
export async function setApart(
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
