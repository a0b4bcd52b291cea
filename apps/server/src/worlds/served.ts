import type { SwitchedDriver } from '@corridor/engine/mechanisms/db/switched.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import type { Worlds } from '@corridor/engine/ports/worlds.ts'
import type { Door, Handle } from './door.ts'
import type { Place } from './store.ts'

/** A world as it is served: what is thrown away and made anew when its database becomes another. */
export interface Served {
  readonly engine: Engine
  /** Absent: the listener's own. */
  readonly handle?: Handle
  /** Where operators have a listener of their own. */
  readonly handleOperators?: Handle
  /** Starts nothing more in the background, and waits for what is under way; with `breaksOff` for no endpoint that hangs. */
  rest(options?: { readonly breaksOff?: boolean }): Promise<void>
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
  /** Its database was put where it is just now: what is under way in it is nobody's. */
  readonly isFresh?: boolean
  /** Somebody who may enter was answered; absent: nothing hangs on it. */
  readonly used?: () => void
}

/** A world that is open: its database, what serves it, and what stands in front. */
export interface Open {
  served: Served
  /** The background of all that served it before: resolves once that has ended. */
  resting?: Promise<boolean>
  readonly driver: SwitchedDriver
  readonly door: Door
}

export const mainName = 'main'

export function factsOfMain(baseUrl: string, worlds: Worlds | undefined): Facts {
  return { place: 'main', name: mainName, baseUrl, heldEndpoints: [], worlds }
}

export const placeOf = (name: string): Place => (name === mainName ? 'main' : `world/${name}`)
