import type { Exchange, World } from '@corridor/kernel'
import { createAuditLog } from '../mechanisms/audit-log/log.ts'
import { createApplier } from '../mechanisms/db/apply.ts'
import { createDatabase, TransactionWatch } from '../mechanisms/db/database.ts'
import type { Driver } from '../mechanisms/db/driver.ts'
import { canFail, createApiFaults } from '../mechanisms/faults/api-faults.ts'
import { createFaults } from '../mechanisms/faults/faults.ts'
import { faultyAdapters } from '../mechanisms/faults/faulty-adapters.ts'
import { createInterventions } from '../mechanisms/faults/interventions.ts'
import { anyInForce } from '../mechanisms/faults/store.ts'
import type { Engine, Settings } from '../mechanisms/feature/engine.ts'
import { createAuthenticator } from '../mechanisms/http/authenticate.ts'
import { createConsoleSessions } from '../mechanisms/http/console-sessions.ts'
import { createRateLimiter } from '../mechanisms/http/rate-limits.ts'
import { createWaits } from '../mechanisms/http/waits.ts'
import { createClock } from '../mechanisms/jobs/clock.ts'
import { createJobRunner } from '../mechanisms/jobs/runner.ts'
import { createSignal } from '../mechanisms/jobs/signal.ts'
import { loadKeys } from '../mechanisms/keys/keys.ts'
import { createEventStreams } from '../mechanisms/outbox/event-streams.ts'
import { createRelay } from '../mechanisms/outbox/relay.ts'
import { createSealing } from '../mechanisms/outbox/sealed-bodies.ts'
import { createRequestLog } from '../mechanisms/request-log/log.ts'
import { cardFundingSources } from '../money/card-funding/index.ts'
import { walletContactCredentials } from '../platform/wallet-credentials/index.ts'
import type { Adapters } from '../ports/adapters.ts'
import type { BlobStore } from '../ports/blobs.ts'
import type { ContactCredentials } from '../ports/contact-credentials.ts'
import type { KeyService } from '../ports/key-service.ts'
import { noWorlds, type Worlds } from '../ports/worlds.ts'
import type { Environment } from '../vocabulary/scope.ts'
import { adaptersSince, durableAdapters } from './durable-adapters.ts'
import { answerHandlers, erasure, jobHandlers, operations, proposable, sweeps } from './features.ts'
import { hostedPeers } from './hosted-peers.ts'

export interface EngineParts {
  readonly world: World
  readonly driver: Driver
  readonly adapters: (world: World) => Readonly<Record<Environment, Adapters>>
  /** On the engine's own World, whose network may be closed inside transactions. */
  readonly blobs: (world: World) => BlobStore
  /** Absent: those that wallets are signed in to with. */
  readonly contactCredentials?: ContactCredentials<Engine>
  readonly settings: Settings
  /** Absent: none. */
  readonly worlds?: Worlds | undefined
  /** Absent: none. */
  readonly heldEndpoints?: Engine['heldEndpoints']
  /** Refuse network calls inside transactions; tests do, because finding out takes time. */
  readonly watchesTransactions?: boolean
  readonly keyService: KeyService
}

const failing = new Set(operations.filter(canFail).map(({ id }) => id))

/** Builds the engine on a migrated database. */
export async function createEngine(parts: EngineParts): Promise<Engine> {
  const watch = parts.watchesTransactions ? new TransactionWatch() : undefined
  const world = watch ? withoutNetworkInTransactions(parts.world, watch) : parts.world
  const database = createDatabase(parts.driver, watch)
  const keys = await loadKeys(database, world, parts.keyService)
  const signals = { jobs: createSignal(), events: createSignal() }
  const clock = createClock(database, world, anyInForce)
  const waits = createWaits()
  const faults = createFaults({ database, clock, world, operationIds: failing })
  const applier = createApplier({
    database,
    world,
    clockOf: clock.knownNow,
    wake: (what) => signals[what].notify(),
    sealWritten: createSealing(keys, world),
    adopt: (scope, decision) => engine.jobs.adopt(engine, scope, decision),
  })
  const own = parts.adapters(world)
  // The embedded database has no standby, so nothing stands between its adapters and who calls them.
  const confirmed =
    database.kind === 'pglite'
      ? own
      : {
          SANDBOX: durableAdapters(own.SANDBOX, database),
          PRODUCTION: durableAdapters(own.PRODUCTION, database),
        }
  /** A fault hits before a third party is called. */
  const outermost = (adapters: Adapters) => faultyAdapters(adapters, { faults, keys, clock })
  const { heldEndpoints = [] } = parts
  const relay = createRelay<Engine>({ database, applier, clock, answerHandlers, heldEndpoints })
  const engine: Engine = {
    world,
    database,
    applier,
    clock,
    keys,
    authenticator: createAuthenticator(database, keys, world, parts.settings.rateLimits),
    consoleSessions: createConsoleSessions({ database, keys, world }),
    proposable,
    auditLog: createAuditLog({ database, keys, world }),
    requestLog: createRequestLog({
      database,
      clock,
      keys,
      world,
      environments: parts.settings.requestLog ?? ['SANDBOX'],
    }),
    faults,
    requestHook: () => createApiFaults(faults, world, waits),
    listInterventions: createInterventions(database),
    waits,
    limiter: createRateLimiter(),
    jobs: createJobRunner<Engine>({
      database,
      applier,
      clock,
      handlers: jobHandlers,
      sweeps,
      finishStep: (engine, book) => relay.runBook(engine, book),
    }),
    relay,
    eventStreams: createEventStreams({ database, clock, world }),
    signals,
    adapters: { SANDBOX: outermost(confirmed.SANDBOX), PRODUCTION: confirmed.PRODUCTION },
    ...(database.kind === 'pglite'
      ? {}
      : {
          adaptersSince: (server: string) => ({
            SANDBOX: outermost(adaptersSince(confirmed.SANDBOX, database, server)),
            PRODUCTION: adaptersSince(confirmed.PRODUCTION, database, server),
          }),
        }),
    hostedPeers: {
      SANDBOX: hostedPeers(() => engine, 'SANDBOX'),
      PRODUCTION: hostedPeers(() => engine, 'PRODUCTION'),
    },
    blobs: parts.blobs(world),
    contactCredentials: parts.contactCredentials ?? walletContactCredentials,
    fundingSources: cardFundingSources,
    heldEndpoints,
    worlds: parts.worlds ?? noWorlds,
    erasure,
    settings: parts.settings,
  }
  return engine
}

/**
 * A network call inside a transaction would hold its locks for as long as a stranger likes, and on the
 * embedded database stop everything else. It is a bug, found here at run time.
 */
function withoutNetworkInTransactions(world: World, watch: TransactionWatch): World {
  const { exchange } = world
  const refuse = () => {
    if (watch.isInside) throw new Error('no network call inside a database transaction')
  }
  return {
    ...world,
    fetch: ((...request: Parameters<typeof fetch>) => {
      refuse()
      return world.fetch(...request)
    }) as typeof fetch,
    ...(exchange && {
      exchange: (request: Parameters<Exchange>[0]) => {
        refuse()
        return exchange(request)
      },
    }),
  }
}
