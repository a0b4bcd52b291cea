import type { Instant, Result } from '@corridor/kernel'
import { type Failure, fail } from '../vocabulary/errors.ts'
import type { Asker } from '../vocabulary/operation.ts'

/**
 * Copies of the whole sandbox, as whoever serves it makes them: a world is one database with an engine of its own. An
 * engine knows the worlds from where it stands: what is copied, restored or reset is its own.
 */
export interface Worlds {
  /** Whether there are any copies; CONFLICT is all that is answered where not. */
  readonly isOn: boolean
  list(): Promise<Result<readonly Fork[], Failure>>
  /** A new world like this one, or like a snapshot. CONFLICT, or REFERENCE_NOT_FOUND for an unknown snapshot. */
  fork(name: string, snapshot: string | undefined): Promise<Result<Fork, Failure>>
  /** REFERENCE_NOT_FOUND where there is none; CONFLICT for the one that is asked. */
  drop(name: string): Promise<Result<null, Failure>>
  snapshots(): Promise<Result<readonly Snapshot[], Failure>>
  snapshot(name: string): Promise<Result<Snapshot, Failure>>
  dropSnapshot(name: string): Promise<Result<null, Failure>>
  /**
   * Makes this world what it was. All but the asker have ended before, and nobody else is let in until his answer is on record.
   * SERVICE_UNAVAILABLE where statements in progress do not end.
   */
  restore(snapshot: string, asker: Asker): Promise<Result<Snapshot, Failure>>
  /** The same, with what the installation was when it was set up. */
  reset(asker: Asker): Promise<Result<Snapshot, Failure>>
}

export interface Fork {
  readonly name: string
  /** Where it is reached, without the version segment. */
  readonly baseUrl: string
  readonly createdAt: Instant
  /** The snapshot or world that it was made from. */
  readonly from: string
}

export interface Snapshot {
  readonly name: string
  readonly createdAt: Instant
  /** The world that it was taken of. */
  readonly of: string
}

const off = async () => ({ ok: false, failure: fail('CONFLICT', { reason: 'WORLDS_OFF' }) }) as const

/** Of an installation that makes no copies. */
export const noWorlds: Worlds = {
  isOn: false,
  list: off,
  fork: off,
  drop: off,
  snapshots: off,
  snapshot: off,
  dropSnapshot: off,
  restore: off,
  reset: off,
}
