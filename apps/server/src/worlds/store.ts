import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import type { Failure } from '@corridor/engine/vocabulary/errors.ts'
import type { Instant } from '@corridor/kernel'

/** Where a database is: that of the installation, of a fork, or of a snapshot. */
export type Place = 'main' | `world/${string}` | `snapshot/${string}`

/** What is known of a copy besides what is in it. */
export interface About {
  readonly createdAt: Instant
  /** The world or snapshot that it was made from. */
  readonly from: string
  /** The world in which it was asked for; absent: in the main one, by an earlier release. */
  readonly madeIn?: string
  /** It is a copy of an earlier time of the world `of`, and not known yet who may enter it; `asked` is the world that wanted it. */
  readonly entry?: { readonly of: string; readonly asked: string }
  /** Endpoints that it was copied with, once they are known: no webhook of a fork goes there. */
  readonly heldEndpoints?: readonly string[]
}

/** Copies of a database as its kind makes them. Whoever calls has set apart what he names as open. */
export interface WorldStore {
  /** How many forks there may be, and how many snapshots. */
  readonly limit: number
  list(): Promise<{ readonly place: Place; readonly about: About }[]>
  describe(place: Place, about: About): Promise<void>
  open(place: Place): Promise<Driver>
  /** Copies what is open as `driver`. */
  copyOpen(driver: Driver, from: Place, to: Place, about: About): Promise<Went>
  /** Copies what nobody has open. Throws CopyRefused. */
  copy(from: Place, to: Place, about: About): Promise<void>
  /** Puts a copy of `from` where `at` is open as `driver`, and back what was there, where `examine` refuses the copy. */
  replace(driver: Driver, at: Place, from: Place, examine: Examine): Promise<Went>
  drop(place: Place): Promise<void>
  /** Before anything is copied: removes what a process that was killed left of a copy, and nothing else. */
  sweep(): Promise<void>
}

/** Why what is open as this driver cannot be served. */
export type Examine = (driver: Driver) => Promise<Failure | undefined>

/** The driver that serves from then on, and what did not come about, if so. */
export interface Went {
  readonly driver: Driver
  readonly refused?: Failure
}

/** Nothing was copied, and why. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused'
  readonly failure: Failure
  constructor(failure: Failure) {
    super(JSON.stringify(failure.details))
    this.failure = failure
  }
}
