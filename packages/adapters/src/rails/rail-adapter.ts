import type { RailClient } from '@corridor/engine/ports/rail.ts'
import type { RailId } from '@corridor/engine/reference/rails/index.ts'
import type { World } from '@corridor/kernel'

/** The way to a real network. What the rail is stands in the engine's tables and nowhere else. */
export interface RailAdapter {
  readonly id: RailId
  /** Names of its settings; `CORRIDOR_RAIL_<ID>_<NAME>` holds each of them. */
  readonly settings: readonly string[]
  /** Called once, at the start, with the World and every setting. */
  readonly connect: (world: World, settings: Readonly<Record<string, string>>) => RailClient
}

/** Declares an adapter; `connect` sees the names of its settings. */
export function railAdapter<const S extends string>(adapter: {
  readonly id: RailId
  readonly settings: readonly S[]
  readonly connect: (world: World, settings: Readonly<Record<S, string>>) => RailClient
}): RailAdapter {
  return adapter as RailAdapter
}

/**
 * The clients of this installation by rail. An adapter of whose settings none is given is left out, and its rail
 * answered 501. Throws, with every name, where some of them are given: `settings` are by `<ID>_<NAME>`.
 */
export function connectRails(
  adapters: readonly RailAdapter[],
  world: World,
  settings: Readonly<Record<string, string>>,
): ReadonlyMap<string, RailClient> {
  const clients = new Map<string, RailClient>()
  const missing: string[] = []
  for (const { id, settings: names, connect } of adapters) {
    const given = names.filter((name) => settings[`${id}_${name}`] !== undefined)
    if (given.length === 0 && names.length > 0) continue
    const absent = names.filter((name) => !given.includes(name))
    missing.push(...absent.map((name) => `CORRIDOR_RAIL_${id}_${name}`))
    if (absent.length > 0) continue
    const own = Object.fromEntries(names.map((name) => [name, settings[`${id}_${name}`]!]))
    clients.set(id, connect(world, own))
  }
  if (missing.length > 0)
    throw new Error(`${missing.join(', ')}: required with the other settings of the rail`)
  return clients
}
