import { openIdIssuers } from '@corridor/adapters/identity/openid-issuers.ts'
import { messenger } from '@corridor/adapters/messaging/messenger.ts'
import { randomCodes } from '@corridor/adapters/messaging/random-codes.ts'
import { webhookSender } from '@corridor/adapters/messaging/webhook-sender.ts'
import { productionAdapters } from '@corridor/adapters/production.ts'
import { offlineRates } from '@corridor/adapters/rates/offline.ts'
import { sandboxAdapters } from '@corridor/adapters/sandbox/index.ts'
import { peerTransport } from '@corridor/adapters/uma/peer-transport.ts'
import { createEngine } from '@corridor/engine/assembly/create-engine.ts'
import { hostedPages, plainPages, routes } from '@corridor/engine/assembly/features.ts'
import { auditLedger, auditRecords } from '@corridor/engine/mechanisms/audit/audit.ts'
import type { Driver } from '@corridor/engine/mechanisms/db/driver.ts'
import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import { refreshStatistics } from '@corridor/engine/mechanisms/db/statistics.ts'
import type { Engine } from '@corridor/engine/mechanisms/feature/engine.ts'
import { serveHostedPages } from '@corridor/engine/mechanisms/http/hosted-page.ts'
import { servePlainPages } from '@corridor/engine/mechanisms/http/plain-page.ts'
import { defaultLimits, noLimits } from '@corridor/engine/mechanisms/http/rate-limits.ts'
import { createServer } from '@corridor/engine/mechanisms/http/server.ts'
import { shareForms } from '@corridor/engine/mechanisms/http/validate.ts'
import { localKeyService } from '@corridor/engine/mechanisms/keys/master-key.ts'
import { openBody, type SealedBody } from '@corridor/engine/mechanisms/outbox/sealed-bodies.ts'
import {
  type PlatformSettings,
  type ProvisionedPlatform,
  provisionPlatform,
} from '@corridor/engine/platform/platforms/index.ts'
import type { Adapters, RateSource } from '@corridor/engine/ports/adapters.ts'
import type { ContactCredentials } from '@corridor/engine/ports/contact-credentials.ts'
import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import { type ErrorEntry, errorRegistry } from '@corridor/engine/vocabulary/errors.ts'
import type { Book, Environment } from '@corridor/engine/vocabulary/scope.ts'
import type { Statement } from '@corridor/engine/vocabulary/statement.ts'
import { pagesForPeople } from '@corridor/hosted-pages/index.ts'
import type { Instant, Log, World } from '@corridor/kernel'
import { type CorridorClient, createClient } from '@corridor/sdk/path-client.ts'
import type { FastifyInstance } from 'fastify'
import { type MemoryBlobs, memoryBlobs } from './blobs.ts'
import { openTestDatabase } from './database.ts'
import { type SimWorld, simWorld } from './sim-world.ts'
import { watchingLog } from './unexpected-errors.ts'

/** A whole Corridor inside the test: real HTTP stack without a port, real database, simulated World. */
export interface TestServer {
  readonly engine: Engine
  readonly world: SimWorld
  /** What production platforms have sent to their customers by e-mail and SMS. */
  readonly posted: readonly PostedMessage[]
  readonly baseUrl: string
  /** The files that customers uploaded, as the store has them: sealed. */
  readonly blobs: MemoryBlobs
  /** A fetch that reaches the server without a network; give it to the SDK. */
  readonly fetch: typeof fetch
  /** A new platform: tests that share a server share nothing else. */
  platform(options?: Partial<PlatformOptions>): Promise<ProvisionedPlatform>
  /** The SDK, signed in as a platform's token. */
  client(credentials: { clientId: string; clientSecret: string }): CorridorClient
  /** Opens a real port, for tests of what a connection may send; returns its address. */
  listen(): Promise<string>
  /** Every event a platform was told or would have been told of, in order. */
  events(platform: Book, resourceId?: string | null): Promise<RecordedEvent[]>
  /** What the ledger says of a platform: credit balances by ledger account, zero ones left out. */
  ledgerBalances(platform: Book): Promise<Record<string, bigint>>
  /** The rows of a statement, of all platforms: for promises about what is kept, and what no caller can bring about. */
  rows<R = Record<string, unknown>>(text: string, parameters?: readonly unknown[]): Promise<R[]>
  /** Commits a Decision as the platform: above all events that nothing else tells of. */
  commit(platform: Book, decision: Omit<Decision<null>, 'result'>): Promise<void>
  /** Who stands for third parties, for a test that says what they answer. */
  readonly thirdParties: Engine['adapters']
  readonly databaseKind: Driver['kind']
  /** Fails unless the books of every platform add up (accounts 2.1, rule 7). */
  expectSoundLedger(): Promise<void>
  /** The same for the records beside the ledger; postings that a test makes by itself have none. */
  expectSoundRecords(): Promise<void>
  /** Runs jobs and delivers events that are due now, until nothing is. */
  settle(): Promise<void>
  /** Starts what is due to be delivered, as the process does every moment, and waits for none of it. */
  poll(): Promise<void>
  /** Tells the planner of tables that have grown, as the process does every second: a test of thousands of rows needs it. */
  refreshStatistics(): Promise<unknown>
  /** Lets time pass for everybody and runs what falls due. */
  pass(ms: number): Promise<void>
  /** The clock of a platform's book. */
  now(platform: Book): Promise<Instant>
  /** Moves that clock and runs what falls due, as `/sandbox/clock/advance` does. */
  advance(platform: Book, ms: number): Promise<void>
  /** Stops the server and audits its ledger, unless the test has damaged it on purpose. */
  close(options?: { audited?: boolean }): Promise<void>
}

export interface PostedMessage {
  readonly id: string
  readonly to: string
  readonly text: string
}

export interface RecordedEvent {
  readonly id: string
  readonly type: string
  readonly timestamp: string
  readonly data: Record<string, unknown>
}

const listEvents = statement(
  'testkit.events',
  `select e.id, e.type, e.body, e.sealed_for as "sealedFor",
     (select k.sealed_key from data_keys k where k.platform_id = $1 and k.environment = $2
        and k.owner_id = e.sealed_for) as "sealedKey"
   from events e where platform_id = $1 and environment = $2 and ($3::text is null or resource_id = $3)
   order by seq`,
)
const listBalances = statement(
  'testkit.balances',
  `select id, credits_posted - debits_posted as balance from ledger_accounts
   where platform_id = $1 and environment = $2 and credits_posted <> debits_posted`,
)

interface PlatformOptions {
  readonly environment: Environment
  readonly isRegulated: boolean
  readonly skipPaperwork: boolean
  /** What the operator decides about the platform. */
  readonly settings: PlatformSettings
}

export interface TestServerOptions {
  /** Another World than the simulated one: then `pass` is not to be had, and `settle` takes real time. */
  readonly world?: World
  readonly seed?: number
  /** Where it says that it is reached; two servers that meet have different ones. */
  readonly baseUrl?: string
  /** Receives what the server sends out: webhooks above all. */
  readonly network?: typeof fetch
  readonly rateLimits?: boolean
  /** Where rates come from; the table of the software when absent. */
  readonly rates?: (world: World) => RateSource
  /** Who issues coordinates, by currency; absent: the simulation in the sandbox, nobody in production. */
  readonly instructions?: Partial<Readonly<Record<Environment, Adapters['instructions']>>>
  readonly log?: Log
  /** The pause between the steps of a simulated payment; none when absent. */
  readonly stepMs?: number
  /** Credentials of wallets; none when absent. */
  readonly contactCredentials?: ContactCredentials<Engine>
  /** Another server whose database this one shares, as a second process of one installation. */
  readonly beside?: TestServer
  /** A migrated database; absent: one of its own. The server closes it. */
  readonly driver?: Driver
  /** Stands between the engine and the outside world of the sandbox. */
  readonly outside?: (adapters: Adapters) => Adapters
  /** More pages than the engine has itself. */
  readonly pages?: (server: FastifyInstance) => void
  /** Default true: whether sandbox webhooks may reach private addresses. */
  readonly privateWebhooks?: boolean
  /** How long a command may take before the caller is answered without it. */
  readonly answerTimeoutMs?: () => number
  /** Default true: whether the operator may create production platforms on the embedded database. */
  readonly allowEmbeddedProduction?: boolean
}

const operatorKey = 'test-operator-key'
/** Wraps the keyrings of test servers. */
const testKeyService = localKeyService(new Uint8Array(32).fill(7), simWorld(7))

/**
 * Compiled once for all servers of a worker, as for all worlds of a process: anew for each it was a sixth of what a
 * test file costs.
 */
const forms = shareForms(
  routes.map(({ operation }) => operation),
  { checkReplies: true },
)

/** The driver of each server, for another one beside it. */
const drivers = new WeakMap<TestServer, Driver>()

/** Whoever opened the database closes it. */
function sharedDriver(other: TestServer): Driver {
  return { ...drivers.get(other)!, close: async () => {} }
}

export async function startTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  const {
    seed = 1,
    network,
    log = watchingLog,
    stepMs = 0,
    rateLimits = false,
    allowEmbeddedProduction = true,
  } = options
  const { privateWebhooks = true } = options
  const simulated = simWorld(seed, { ...(network ? { network } : {}), log })
  const world: SimWorld = options.world ? { ...options.world, passMs: notSimulated } : simulated
  const driver = options.driver ?? (options.beside ? sharedDriver(options.beside) : await openTestDatabase())
  const { baseUrl = 'http://corridor.test' } = options
  const blobs = memoryBlobs()
  const posted: PostedMessage[] = []
  const post = async (message: PostedMessage) => {
    posted.push(message)
    return { ok: true } as const
  }
  const withInstructions = (environment: Environment, adapters: Adapters): Adapters => {
    const instructions = options.instructions?.[environment]
    const { outside } = options
    const seen = environment === 'SANDBOX' && outside ? outside(adapters) : adapters
    return instructions ? { ...seen, instructions } : seen
  }
  const engine = await createEngine({
    world,
    driver,
    watchesTransactions: true,
    keyService: testKeyService,
    settings: {
      baseUrl,
      rateLimits: rateLimits ? defaultLimits : noLimits,
      allowEmbeddedProduction,
      jobLeaseMs: 60_000,
    },
    blobs: () => blobs,
    ...(options.contactCredentials ? { contactCredentials: options.contactCredentials } : {}),
    adapters: (engineWorld) => ({
      SANDBOX: withInstructions(
        'SANDBOX',
        sandboxAdapters({
          rates: options.rates?.(engineWorld) ?? offlineRates,
          webhooks: webhookSender(engineWorld, { allowsPrivate: privateWebhooks, allowsHttp: true }),
          peers: peerTransport(engineWorld, { allowsPrivate: privateWebhooks, allowsHttp: true }),
          baseUrl,
          showsEndpointAnswers: privateWebhooks,
          umaDomains: ['sandbox.uma.money'],
          stepMs,
        }),
      ),
      PRODUCTION: withInstructions(
        'PRODUCTION',
        productionAdapters({
          rates: options.rates?.(engineWorld) ?? offlineRates,
          webhooks: webhookSender(engineWorld, { allowsPrivate: false }),
          peers: peerTransport(engineWorld, { allowsPrivate: false }),
          lightning: undefined,
          messenger: messenger({ email: post, sms: post }),
          codes: randomCodes(engineWorld),
          openId: openIdIssuers(engineWorld),
          world: engineWorld,
          railSettings: {},
        }),
      ),
    }),
  })
  const server = await createServer({
    engine,
    authenticator: engine.authenticator,
    routes,
    isOperatorKey: (key) => key === operatorKey,
    notReady: async () => undefined,
    pages(instance) {
      servePlainPages(engine, plainPages)(instance)
      serveHostedPages(engine, [...hostedPages, ...pagesForPeople])(instance)
      options.pages?.(instance)
    },
    forms,
    ...(options.answerTimeoutMs ? { answerTimeoutMs: options.answerTimeoutMs } : {}),
  })

  let made = 0
  const testServer: TestServer = {
    engine,
    world,
    blobs,
    posted,
    baseUrl: `${baseUrl}/2025-10-13`,
    fetch: async (input, init) => {
      const request = new Request(input, init)
      const { pathname, search } = new URL(request.url)
      const payload = Buffer.from(await request.arrayBuffer())
      const response = await server.inject({
        method: request.method as 'GET',
        url: pathname + search,
        headers: Object.fromEntries(request.headers),
        ...(payload.length > 0 ? { payload } : {}),
      })
      if (response.statusCode >= 400 && pathname.startsWith('/2025-10-13')) checkFailure(request, response)
      const hasBody = response.statusCode !== 204 && response.statusCode !== 304
      return new Response(hasBody ? new Uint8Array(response.rawPayload) : null, {
        status: response.statusCode,
        headers: Object.entries(response.headers).map(([name, value]) => [name, String(value)]),
      })
    },
    async platform({
      environment = 'SANDBOX',
      isRegulated = false,
      skipPaperwork = false,
      settings = {},
    } = {}) {
      const name = `platform-${process.pid}-${made++}`
      return provisionPlatform(engine, { name, environment, isRegulated, skipPaperwork, settings })
    },
    async events(platform, resourceId = null) {
      const rows = await engine.database.read<SealedBody>(platform, listEvents, [
        platform.platformId,
        platform.environment,
        resourceId,
      ])
      return rows.map((row) => JSON.parse(openBody(engine.keys, platform, row)) as RecordedEvent)
    },
    async ledgerBalances(platform) {
      const rows = await engine.database.read<{ id: string; balance: bigint }>(platform, listBalances, [
        platform.platformId,
        platform.environment,
      ])
      return Object.fromEntries(rows.map(({ id, balance }) => [id, balance]))
    },
    rows<R>(text: string, parameters: readonly unknown[] = []) {
      return engine.database.system((connection) => connection.query<R>(namedByText(text), parameters))
    },
    async commit(platform, decision) {
      const scope = await engine.clock.scope(platform, { id: 'test', permissions: [] })
      const outcome = await engine.applier.apply(scope, { ...decision, result: () => null })
      if (!outcome.ok) throw new Error(`the decision was refused: ${outcome.failure.code}`)
    },
    thirdParties: engine.adapters,
    databaseKind: driver.kind,
    async expectSoundLedger() {
      const { problems } = await auditLedger(engine.database)
      if (problems.length > 0) throw new Error(`the ledger is unsound: ${JSON.stringify(problems)}`)
    },
    async expectSoundRecords() {
      const problems = await auditRecords(engine.database)
      if (problems.length > 0) throw new Error(`records are unsound: ${JSON.stringify(problems)}`)
    },
    client({ clientId, clientSecret }) {
      return createClient({ baseUrl: testServer.baseUrl, clientId, clientSecret, fetch: testServer.fetch })
    },
    listen: () => server.listen({ port: 0, host: '127.0.0.1' }),
    async settle() {
      for (;;) {
        const ran = await engine.jobs.runDue(engine)
        const attempted = await engine.relay.runDue(engine)
        if (ran + attempted === 0) return
      }
    },
    async poll() {
      await engine.relay.poll(engine)
    },
    refreshStatistics: () => refreshStatistics(engine.database),
    async pass(ms) {
      world.passMs(ms)
      await testServer.settle()
    },
    now: (platform) => engine.clock.now(platform),
    async advance(platform, ms) {
      await engine.jobs.advance(engine, platform, { ms })
    },
    async close({ audited = true } = {}) {
      await server.close()
      try {
        if (audited) await testServer.expectSoundLedger()
      } finally {
        await engine.database.close()
      }
    },
  }
  drivers.set(testServer, driver)
  return testServer
}

/** Statements of tests are named by their order: PostgreSQL cuts names at 63 characters. */
function namedByText(text: string): Statement {
  const known = statements.get(text) ?? statement(`testkit.rows ${statements.size}`, text)
  statements.set(text, known)
  return known
}

const statements = new Map<string, Statement>()

function notSimulated(): never {
  throw new Error('time of this World cannot be moved')
}

/** Every refusal of the API has the shape and a code of the error model, whoever refused (conventions 12, E9). */
function checkFailure({ method, url }: Request, response: { statusCode: number; body: string }): void {
  if (method === 'HEAD') return
  const { status, code, message, details } = JSON.parse(response.body) as Record<string, unknown>
  const isShaped = typeof message === 'string' && typeof details === 'object' && details !== null
  if (status !== response.statusCode || !knownCodes.has(code) || !isShaped) {
    throw new Error(`${method} ${url} was refused in no known shape: ${response.body}`)
  }
}

const knownCodes = new Set<unknown>(
  Object.entries<ErrorEntry>(errorRegistry).map(([code, { wireCode = code }]) => wireCode),
)

export { operatorKey, testKeyService }
