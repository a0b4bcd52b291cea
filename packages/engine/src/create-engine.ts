import type { World } from '@corridor/kernel'
import { jobHandlers, sweeps } from './background.ts'
import { type ContactCredentials, noContactCredentials } from './customers/index.ts'
import { createApplier } from './db/apply.ts'
import { createDatabase, TransactionWatch } from './db/database.ts'
import type { Driver } from './db/driver.ts'
import type { Engine, Settings } from './engine.ts'
import { createAuthenticator } from './http/authenticate.ts'
import type { Environment } from './http/scope.ts'
import { createClock } from './jobs/clock.ts'
import { createJobRunner } from './jobs/runner.ts'
import { createSignal } from './jobs/signal.ts'
import { loadKeys } from './keys/keys.ts'
import { createRelay } from './outbox/relay.ts'
import type { Adapters } from './ports/adapters.ts'
import type { BlobStore } from './ports/blobs.ts'

export interface EngineParts {
  readonly world: World
  readonly driver: Driver
  readonly adapters: (world: World) => Readonly<Record<Environment, Adapters>>
  /** On the engine's own World, whose network may be closed inside transactions. */
  readonly blobs: (world: World) => BlobStore
  /** Absent: wallets have no credentials. */
  readonly contactCredentials?: ContactCredentials
  readonly settings: Settings
  /** Refuse network calls inside transactions; tests do, because finding out takes time. */
  readonly watchesTransactions?: boolean
  readonly masterKey: Uint8Array
}

/** Builds the engine on a migrated database. */
export async function createEngine(parts: EngineParts): Promise<Engine> {
  const watch = parts.watchesTransactions ? new TransactionWatch() : undefined
  const world = watch ? withoutNetworkInTransactions(parts.world, watch) : parts.world
  const database = createDatabase(parts.driver, watch)
  const keys = await loadKeys(database, world, parts.masterKey)
  const signals = { jobs: createSignal(), events: createSignal() }
  const applier = createApplier({ database, world, wake: (what) => signals[what].notify() })
  const clock = createClock(database, world)
  const relay = createRelay({ database, applier, clock })
  return {
    world,
    database,
    applier,
    clock,
    keys,
    authenticator: createAuthenticator(database, keys, world),
    jobs: createJobRunner({
      database,
      applier,
      clock,
      handlers: jobHandlers,
      sweeps,
      finishStep: (engine, book) => relay.runBook(engine, book),
    }),
    relay,
    signals,
    adapters: parts.adapters(world),
    blobs: parts.blobs(world),
    contactCredentials: parts.contactCredentials ?? noContactCredentials,
    settings: parts.settings,
  }
}

/**
 * A network call inside a transaction would hold its locks for as long as a stranger likes, and on the
 * embedded database stop everything else. It is a bug, found here at run time.
 */
function withoutNetworkInTransactions(world: World, watch: TransactionWatch): World {
  return {
    ...world,
    fetch: ((...request: Parameters<typeof fetch>) => {
      if (watch.isInside) throw new Error('no network call inside a database transaction')
      return world.fetch(...request)
    }) as typeof fetch,
  }
}
