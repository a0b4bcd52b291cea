import { join } from 'node:path'
import { directoryBlobs } from '@corridor/adapters/blobs/directory.ts'
import { s3Blobs } from '@corridor/adapters/blobs/s3.ts'
import { openIdIssuers } from '@corridor/adapters/identity/openid-issuers.ts'
import { lndNode } from '@corridor/adapters/lightning/lnd.ts'
import { directExchange, unmeasuredExchange } from '@corridor/adapters/messaging/direct-exchange.ts'
import { boundedFetch } from '@corridor/adapters/messaging/informational-heads.ts'
import { messenger } from '@corridor/adapters/messaging/messenger.ts'
import { randomCodes } from '@corridor/adapters/messaging/random-codes.ts'
import { smsWebhook } from '@corridor/adapters/messaging/sms-webhook.ts'
import { smtpSender } from '@corridor/adapters/messaging/smtp.ts'
import { webhookSender } from '@corridor/adapters/messaging/webhook-sender.ts'
import { productionAdapters } from '@corridor/adapters/production.ts'
import { ecbRates } from '@corridor/adapters/rates/ecb.ts'
import { offlineRates } from '@corridor/adapters/rates/offline.ts'
import { sandboxAdapters } from '@corridor/adapters/sandbox/index.ts'
import { peerTransport } from '@corridor/adapters/uma/peer-transport.ts'
import { startBackground } from '@corridor/engine/assembly/background.ts'
import { createEngine } from '@corridor/engine/assembly/create-engine.ts'
import { hostedPages, plainPages, routes } from '@corridor/engine/assembly/features.ts'
import { createDatabase } from '@corridor/engine/mechanisms/db/database.ts'
import { type Driver, statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { openPglite } from '@corridor/engine/mechanisms/db/pglite.ts'
import { openPostgresql } from '@corridor/engine/mechanisms/db/postgresql.ts'
import { refreshStatistics } from '@corridor/engine/mechanisms/db/statistics.ts'
import { switched } from '@corridor/engine/mechanisms/db/switched.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import { serveHostedPages } from '@corridor/engine/mechanisms/http/hosted-page.ts'
import { createMetrics } from '@corridor/engine/mechanisms/http/metrics.ts'
import { servePlainPages } from '@corridor/engine/mechanisms/http/plain-page.ts'
import { createServer } from '@corridor/engine/mechanisms/http/server.ts'
import { type SharedForms, shareForms } from '@corridor/engine/mechanisms/http/validate.ts'
import type { Attention } from '@corridor/engine/mechanisms/jobs/attention.ts'
import { endLeasesOfTheDead } from '@corridor/engine/mechanisms/jobs/claims.ts'
import { loadKeyring, WrongMasterKey } from '@corridor/engine/mechanisms/keys/keyring.ts'
import { localKeyService } from '@corridor/engine/mechanisms/keys/master-key.ts'
import { endEventLeases } from '@corridor/engine/mechanisms/outbox/store.ts'
import { countingUnexpected, logUnexpected } from '@corridor/engine/mechanisms/unexpected.ts'
import type { BlobStore } from '@corridor/engine/ports/blobs.ts'
import type { KeyService } from '@corridor/engine/ports/key-service.ts'
import type { Messenger } from '@corridor/engine/ports/messenger.ts'
import { installationBook } from '@corridor/engine/vocabulary/scope.ts'
import { pagesForPeople } from '@corridor/hosted-pages/index.ts'
import type { World } from '@corridor/kernel'
import type { FastifyInstance } from 'fastify'
import { bootstrap, type Credentials, operatorKeyCheck } from './bootstrap.ts'
import { type Config, type KmsSettings, StartRefused } from './config.ts'
import type { DataDirectory } from './data-directory.ts'
import type { inDatabaseTime } from './database-clock.ts'
import { checkDurability, durabilityOf } from './durability.ts'
import { isPowerful, migrateFirst, oneAtATime, refuseProduction } from './first-use.ts'
import { registerPages, registerPagesOfFork } from './pages.ts'
import { readinessOf, sharedFor } from './readiness.ts'
import { whileThereIsRoom } from './room.ts'
import { patienceOf } from './seed/patience.ts'
import { apart, seededWorld } from './seed/seeded-world.ts'
import { createTurns } from './seed/turns.ts'
import { divert } from './worlds/door.ts'
import { overlayBlobs } from './worlds/overlay-blobs.ts'
import { mendReplaced, sweepUnfinished } from './worlds/pglite-store.ts'
import { serveFork } from './worlds/serve-fork.ts'
import { type Facts, factsOfMain } from './worlds/served.ts'
import { configOf, forkedBlobsIn, mendBefore, refuseBrokenOff, storeOf } from './worlds/stores.ts'
import { createWorlds, type WorldsOfInstallation } from './worlds/worlds.ts'

/** One running Corridor. The only file that sees both the engine and the adapters. */
export interface Installation {
  readonly engine: Engine
  /** The address it listens on. */
  readonly address: string
  /** Where the operator API and the metrics are; absent: with everything else. */
  readonly operatorAddress: string | undefined
  /** Set on the start that set the installation up. */
  readonly credentials: Credentials | undefined
  /** For errors that belong to no request: they are logged and counted, and end nothing. */
  unexpected(error: unknown, where: string): void
  /** Takes no more requests, finishes those under way and the background work, closes the database. */
  stop(): Promise<void>
}

export async function startInstallation(
  config: Config,
  world: World,
  directory: DataDirectory,
  /** Of another one in this process, which serves the same; absent: of its own. */
  forms: SharedForms = formsOf(config),
  /** Gives the World the time of a database on a server. A program passes `inDatabaseTime`; absent: the World has its own time. */
  timed?: typeof inDatabaseTime,
): Promise<Installation> {
  await mendBefore(config, world)
  const driver = await openDriver(config, world, directory)
  const clockStops = new AbortController()
  try {
    await refuseBrokenOff(driver, config)
    const clock = { timed, stops: clockStops }
    return await startOn(driver, config, world, directory, forms, clock)
  } catch (error) {
    clockStops.abort()
    await driver.close().catch(() => {})
    throw error
  }
}

/** Probers ask every few seconds. */
const readinessMs = 1_000

const servesApi = ({ role }: Config) => role !== 'worker'

/** A worker answers probes and metrics alone. */
const servedBy = (config: Config) => (servesApi(config) ? routes : [])

/** What is compiled of the schemas of the operations that are served; several installations of a process may share it. */
const findBook = statement(
  'readiness.findBook',
  'select 1 as found from books where platform_id = $1 and environment = $2',
)

export const formsOf = (config: Config) => shareForms(servedBy(config).map(({ operation }) => operation))

async function startOn(
  opened: Driver,
  config: Config,
  given: World,
  directory: DataDirectory,
  forms: SharedForms,
  clock: { readonly timed: typeof inDatabaseTime | undefined; readonly stops: AbortController },
): Promise<Installation> {
  const metrics = createMetrics()
  const real = {
    ...given,
    fetch: boundedFetch(given.fetch),
    log: countingUnexpected(given.log, metrics.countUnexpected),
  }
  const seeded = config.seed === undefined ? undefined : seededWorld(real, config.seed)
  const switchedDriver = config.copiesSandbox
    ? switched(opened, (ms, signal) => real.sleep(ms, signal))
    : undefined
  const driver = switchedDriver ?? opened
  // The embedded database has the clock of this machine, and no other process.
  const isTimed = clock.timed && driver.kind !== 'pglite'
  const inTime = isTimed ? await clock.timed(real, driver, clock.stops.signal) : real
  const world = seeded ?? inTime
  await checkDurability(driver, config.durability, world.log)
  const applied = await migrateFirst(driver, config)
  if (applied.length > 0) world.log.info({ migrations: applied }, 'database migrated')
  if (driver.kind === 'postgresql' && (await isPowerful(driver))) {
    world.log.warn(
      {},
      'the user of DATABASE_URL is a superuser or owns the tables, so row-level security does not apply to this user; see docs/guides/database-users.md',
    )
  }
  await refuseProduction(driver, config)

  const isApi = servesApi(config)
  let isStopping = false
  const tenants = createDatabase(driver)
  const readAsTenant = () =>
    tenants.read(installationBook, findBook, [installationBook.platformId, installationBook.environment])
  const readiness = readinessOf(driver, readAsTenant, [
    ...(driver.kind === 'pglite' ? [directory.databasePath] : []),
    ...(config.s3 ? [] : [config.blobDirectory ?? directory.path]),
  ])
  const durability = durabilityOf(driver, config.durability)
  const notReady = sharedFor(readinessMs, given.now, async () => (await readiness()) ?? (await durability()))
  const partsOf = (engine: Engine) => ({
    engine,
    forms,
    metrics,
    authenticator: engine.authenticator,
    isOperatorKey: operatorKeyCheck(engine),
    notReady: async () => (isStopping ? 'STOPPING' : notReady()),
  })
  const served = servedBy(config)
  const { operatorListener } = config
  const serversOf = async (engine: Engine) => ({
    operators: operatorListener
      ? await createServer({ ...partsOf(engine), routes: served.filter(isOfOperator) })
      : undefined,
    main: await createServer({
      ...partsOf(engine),
      routes: operatorListener
        ? served.filter(({ operation: { path } }) => !path.startsWith('/operator/'))
        : served,
      showsMetrics: operatorListener === undefined,
      admitsOperators: operatorListener === undefined,
      ...(isApi ? { pages: registerAllPages(engine) } : {}),
    }),
  })
  // With a seed what is due is done between two requests, and never meanwhile; so is what they leave to be written down.
  const does = { doesWork: config.role !== 'api' && !seeded, writesDown: !seeded }

  /** Its loops run when they do: with a seed they draw from nothing that anybody is answered with. */
  const inBackground = (engine: Engine, attention?: Attention) =>
    apart(world, 'background', () =>
      startBackground(engine, { ...does, ...(attention ? { attention } : {}) }),
    )

  const worlds: WorldsOfInstallation | undefined =
    switchedDriver &&
    createWorlds({
      world,
      baseUrl: config.baseUrl,
      store: storeOf(config, world, directory, () =>
        openDriver(config, real, directory, { isRestoring: true }),
      ),
      async examine(database, place) {
        await migrateFirst(database, configOf(config, place))
        const keyService = await apart(world, 'master key', () => keyServiceOf(config, world, directory))
        await loadKeyring(createDatabase(database), world, keyService)
      },
      async serve(database, facts) {
        await migrateFirst(database, configOf(config, facts.place))
        const engine = await openEngine(database, config, world, directory, facts)
        if (facts.isFresh) await takeOver(engine)
        if (facts.place !== 'main') {
          const ofPlatforms = routes.filter((route) => !isOfOperator(route))
          return serveFork(engine, facts, {
            routes: ofPlatforms,
            forms,
            main: (): Engine => worlds?.servedMain()?.engine ?? engine,
            admitsOperators: operatorListener === undefined,
            pages(fork) {
              registerPagesOfFork(fork, { baseUrl: facts.baseUrl, docsAt: config.baseUrl })
              pagesOf(engine)(fork)
            },
            inBackground,
          })
        }
        const { main, operators } = await serversOf(engine)
        const background = inBackground(engine)
        return {
          engine,
          handle: main.routing,
          ...(operators ? { handleOperators: operators.routing } : {}),
          rest: (options) => background.stop(options),
          close: async () => void (await Promise.all([main.close(), operators?.close()])),
        }
      },
    })

  const engine = await openEngine(
    driver,
    config,
    world,
    directory,
    worlds ? factsOfMain(config.baseUrl, worlds.ofMain) : undefined,
  )
  // Before anything of our own is claimed.
  if (driver.kind === 'pglite') await takeOver(engine)
  const { credentials } = await oneAtATime(driver, () =>
    bootstrap(engine, {
      operatorKey: config.operatorKey,
      save: (made) => directory.writePrivate(directory.credentialsPath, `${JSON.stringify(made, null, 2)}\n`),
    }),
  )
  if (seeded && !credentials) {
    throw new StartRefused(
      'CORRIDOR_SEED generates the same ids again, and this database already contains them. Start with an empty database.',
    )
  }
  const { main: server, operators: operatorServer } = await serversOf(engine)
  if (worlds) {
    divert(server.server, (own) => (request, response) => {
      if (worlds.take(request, response)) return
      worlds.main.handle(request, response, () => worlds.servedMain()?.handle ?? own)
    })
    if (operatorServer) {
      divert(operatorServer.server, (own) => (request, response) => {
        worlds.main.handle(request, response, () => worlds.servedMain()?.handleOperators ?? own)
      })
    }
  }
  const turns = seeded && createTurns(seeded, async () => (await worlds?.engines()) ?? [engine])
  if (turns) {
    for (const each of [server, operatorServer]) {
      if (each)
        divert(
          each.server,
          (own) =>
            (...asked) =>
              turns.take(...asked, () => own(...asked)),
        )
    }
  }
  if (worlds && credentials) {
    await worlds.keepStart({ engine, rest: async () => {}, close: async () => {} }, switchedDriver!)
  }
  const address = await server.listen({ port: config.port, host: config.host })
  const operatorAddress = operatorListener && (await operatorServer?.listen(operatorListener))
  // What waits for the first job may be much, and was written by others.
  await refreshStatistics(engine.database)
  const background = inBackground(engine)
  await worlds?.begin(
    { engine, rest: (options) => background.stop(options), close: async () => {} },
    switchedDriver!,
  )

  return {
    engine,
    address,
    operatorAddress,
    credentials,
    unexpected(error, where) {
      logUnexpected(world.log, where, error)
    },
    async stop() {
      isStopping = true
      const begun = turns?.finish()
      try {
        await Promise.all([server.close(), operatorServer?.close(), worlds?.stop(), begun])
        await turns?.finish()
        await (worlds?.servedMain()?.rest() ?? background.stop())
      } finally {
        clock.stops.abort()
        await driver.close()
      }
    },
  }
}

/** What others had begun in a database that is this process's alone need not wait for their leases to run out. */
async function takeOver(engine: Engine): Promise<void> {
  await endLeasesOfTheDead(engine)
  await endEventLeases(engine.database, engine.world.now())
}

const isOfOperator = ({ operation: { path } }: (typeof routes)[number]) =>
  path.startsWith('/operator/') || path.startsWith('/console/')

/** The pages that the features have, and those of their people. */
function pagesOf(engine: Engine) {
  const serveEnginePages = servePlainPages(engine, plainPages)
  const serveForPeople = serveHostedPages(engine, [...hostedPages, ...pagesForPeople])
  return (server: FastifyInstance) => {
    serveEnginePages(server)
    serveForPeople(server)
  }
}

function registerAllPages(engine: Engine) {
  const serveOwn = pagesOf(engine)
  return (server: FastifyInstance) => {
    registerPages(server, engine.settings)
    serveOwn(server)
  }
}

/** The database of this configuration; the embedded one is locked against other processes until closed. */
export async function openDriver(
  config: Config,
  world: World,
  directory: DataDirectory,
  /** What is beside it is no leftover. */
  { isRestoring = false } = {},
): Promise<Driver> {
  if (config.databaseUrl) {
    return openPostgresql({
      url: config.databaseUrl,
      patience: patienceOf(config),
      durability: config.durability,
      onChange: (isAnswering) => {
        if (isAnswering) world.log.warn({}, 'the database responds again')
        else world.log.error({}, 'the database does not respond')
      },
    })
  }
  const unlock = await directory.lock(world)
  try {
    if (!isRestoring) {
      await mendReplaced(directory.databasePath)
      await sweepUnfinished(directory.path, world.log)
    }
    const opened = await openPglite({ directory: directory.databasePath, template: builtCluster })
    const driver = whileThereIsRoom(opened, directory.databasePath)
    world.log.warn(
      { path: directory.databasePath },
      'the embedded database runs without fsync, so a power failure can damage it; set DATABASE_URL before you move real money',
    )
    return {
      ...driver,
      async close() {
        await driver.close()
        unlock()
      },
    }
  } catch (error) {
    unlock()
    throw error
  }
}

async function openEngine(
  driver: Driver,
  config: Config,
  world: World,
  directory: DataDirectory,
  facts: Facts | undefined,
): Promise<Engine> {
  const { place, baseUrl } = facts ?? factsOfMain(config.baseUrl, undefined)
  // A key that is there and one that is made leave all else the same.
  const keyService = await apart(world, 'master key', () => keyServiceOf(config, world, directory))
  try {
    return await createEngine({
      // How long a network takes is no answer that a seed could repeat.
      world: { ...world, exchange: config.seed === undefined ? directExchange : unmeasuredExchange },
      driver,
      keyService,
      settings: {
        baseUrl,
        rateLimits: config.rateLimits,
        trustedProxies: config.trustedProxies,
        spoolDirectory: directory.spool(),
        allowEmbeddedProduction: config.allowsEmbeddedProduction,
        endUserTermsUrl: config.endUserTermsUrl,
        auditLogDays: config.auditLogDays,
        retention: config.retention,
        requestLog: config.requestLog,
        answersKeptMs: config.answersKeptMs,
        reviews: config.reviews,
        jobLeaseMs: config.jobLeaseMs,
        isSeeded: config.seed !== undefined,
      },
      blobs: (engineWorld) => {
        const blobs = openBlobs(config, engineWorld, directory)
        return place === 'main' ? blobs : overlayBlobs(blobsIn(forkedBlobsIn(directory.path, place)), blobs)
      },
      ...(facts ? { worlds: facts.worlds, heldEndpoints: facts.heldEndpoints } : {}),
      adapters: (engineWorld) => ({
        SANDBOX: sandboxAdapters({
          rates: offlineRates,
          webhooks: webhookSender(engineWorld, {
            allowsPrivate: config.allowsPrivateSandboxWebhooks,
            allowsHttp: true,
            proxy: config.egressProxy,
          }),
          peers: peerTransport(engineWorld, {
            allowsPrivate: config.allowsPrivateSandboxWebhooks,
            allowsHttp: true,
            proxy: config.egressProxy,
          }),
          baseUrl,
          showsEndpointAnswers: config.allowsPrivateSandboxWebhooks,
          umaDomains: config.sandboxUmaDomains,
          openIdIssuers: config.openIdIssuers,
          stepMs: config.sandboxStepMs,
        }),
        PRODUCTION: productionAdapters({
          rates: config.rates.kind === 'ecb' ? ecbRates(engineWorld, config.rates) : offlineRates,
          webhooks: webhookSender(engineWorld, { allowsPrivate: false, proxy: config.egressProxy }),
          peers: peerTransport(engineWorld, { allowsPrivate: false, proxy: config.egressProxy }),
          lightning: config.lnd && lndNode(engineWorld, config.lnd),
          messenger: messengerOf(config, engineWorld),
          codes: randomCodes(engineWorld),
          openId: openIdIssuers(engineWorld, { others: config.openIdIssuers }),
          world: engineWorld,
          railSettings: config.railSettings,
        }),
      }),
    })
  } catch (error) {
    if (!(error instanceof WrongMasterKey)) throw error
    throw new StartRefused(
      'The master key does not match this database. Restore master.key in the data directory, or set CORRIDOR_MASTER_KEY.',
    )
  }
}

/** Files of a folder: the store of most installations, and that of a backup. */
export function blobsIn(folder: string): BlobStore {
  return directoryBlobs(folder)
}

/** Where uploaded files are kept. */
export function openBlobs(config: Config, world: World, directory: DataDirectory): BlobStore {
  return config.s3 ? s3Blobs(world, config.s3) : blobsIn(config.blobDirectory ?? directory.blobsPath)
}

/** What opens the keyring of this installation. */
export async function keyServiceOf(
  config: Config,
  world: World,
  directory: DataDirectory,
): Promise<KeyService> {
  if (config.kms) return kms(config.kms)
  return localKeyService(config.masterKey ?? directory.masterKey(world), world)
}

/** What is to open it once the master key has been replaced. */
export async function newKeyServiceOf(
  config: Config,
  world: World,
  directory: DataDirectory,
): Promise<KeyService> {
  if (config.newKms) return kms(config.newKms)
  return localKeyService(config.newMasterKey ?? directory.newMasterKey(world), world)
}

/** The client is large, and most installations have a master key of their own. */
async function kms(settings: KmsSettings): Promise<KeyService> {
  const { kmsKeyService } = await import('@corridor/adapters/keys/kms.ts')
  return kmsKeyService(settings)
}

function messengerOf({ smtp, smsWebhook: sms, egressProxy }: Config, world: World): Messenger {
  return messenger({
    email: smtp && smtpSender(smtp),
    sms: sms && smsWebhook(world, webhookSender(world, { ...sms, proxy: egressProxy }), sms),
  })
}

/** Made by the build; a program that runs from the sources makes its own. */
const builtCluster = join(import.meta.dirname, 'cluster')
