import type { World } from '@corridor/kernel'
import type { Adapters } from '../../ports/adapters.ts'
import type { BlobStore } from '../../ports/blobs.ts'
import type { ContactCredentials } from '../../ports/contact-credentials.ts'
import type { FundingSources } from '../../ports/funding-sources.ts'
import type { PeerTransport } from '../../ports/uma.ts'
import type { Worlds } from '../../ports/worlds.ts'
import type { ListInterventions } from '../../vocabulary/interventions.ts'
import type { Route } from '../../vocabulary/operation.ts'
import type { Environment } from '../../vocabulary/scope.ts'
import type { Statement } from '../../vocabulary/statement.ts'
import type { AuditLog } from '../audit-log/log.ts'
import type { Applier } from '../db/apply.ts'
import type { Database } from '../db/database.ts'
import type { Faults } from '../faults/faults.ts'
import type { Authenticator } from '../http/authenticate.ts'
import type { ConsoleSessions } from '../http/console-sessions.ts'
import type { RateLimiter, RateLimits } from '../http/rate-limits.ts'
import type { RequestHook } from '../http/request-hook.ts'
import type { Waits } from '../http/waits.ts'
import type { Clock } from '../jobs/clock.ts'
import type { JobRunner } from '../jobs/runner.ts'
import type { Signal } from '../jobs/signal.ts'
import type { Keys } from '../keys/keys.ts'
import type { EventStreams } from '../outbox/event-streams.ts'
import type { Relay } from '../outbox/relay.ts'
import type { RequestLog } from '../request-log/log.ts'
import type { RetentionDays } from '../retention/retention.ts'

/** Everything a command needs, passed as its first argument; built in one place and never imported. */
export interface Engine {
  readonly world: World
  readonly database: Database
  readonly applier: Applier
  readonly clock: Clock
  readonly jobs: JobRunner<Engine>
  readonly relay: Relay<Engine>
  readonly eventStreams: EventStreams
  /** Notices of new work, for the background loops of this process. */
  readonly signals: { readonly jobs: Signal; readonly events: Signal }
  readonly keys: Keys
  readonly authenticator: Authenticator
  readonly consoleSessions: ConsoleSessions
  readonly auditLog: AuditLog
  readonly requestLog: RequestLog
  /** Calls that wait for something to happen. */
  readonly waits: Waits
  /** What sandbox books make fail on purpose. */
  readonly faults: Faults
  readonly requestHook: () => RequestHook
  readonly listInterventions: ListInterventions
  /** What operators do only with a second person, by operation. */
  readonly proposable: ReadonlyMap<string, Route<Engine>>
  /** What features limit by where a request comes from, in this process. */
  readonly limiter: RateLimiter
  /** The outside world of each environment. The credential chooses; no feature asks which one it is. */
  readonly adapters: Readonly<Record<Environment, Adapters>>
  /** The same for work that began on one server of the database (ADR 47). Absent for the embedded database. */
  readonly adaptersSince?: (server: string) => Readonly<Record<Environment, Adapters>>
  /** Institutions of this installation, spoken to within the process as those outside are over the network. */
  readonly hostedPeers: Readonly<Record<Environment, PeerTransport>>
  /** Files that customers uploaded, outside the database. */
  readonly blobs: BlobStore
  /** The credentials of wallets that follow their customer's contacts. */
  readonly contactCredentials: ContactCredentials<Engine>
  /** Which wallets pay for which cards. */
  readonly fundingSources: FundingSources<Engine>
  /** Endpoints that nothing is sent to: those that a fork was copied with. */
  readonly heldEndpoints: readonly string[]
  /** Copies of this sandbox, and itself as it was. */
  readonly worlds: Worlds
  /** What forgets a customer, of every feature. */
  readonly erasure: readonly Statement[]
  readonly settings: Settings
}

export interface ReviewTerms {
  /** From the submission to the decision, on the clock of the environment. */
  readonly dueMs: number
  /** In cents of a US dollar a month; undefined: one person decides about any amount. */
  readonly secondPersonAboveMinor: bigint | undefined
}

/** What the operator of the installation decides; read from the environment in one place. */
export interface Settings {
  /** Where callers reach this installation, without a trailing slash. */
  readonly baseUrl: string
  readonly rateLimits: RateLimits
  /** Addresses or networks of proxies that may say where a request comes from; absent: nobody. */
  readonly trustedProxies?: readonly string[] | undefined
  /** How long a claimed job stays with a process that may have died. */
  readonly jobLeaseMs: number
  /** Whether production platforms may live on the embedded database, which one crash or disk can lose. */
  readonly allowEmbeddedProduction: boolean
  /** Whether all that is made comes from a seed that others may know: then nothing of production is. */
  readonly isSeeded?: boolean | undefined
  /** Where the operator publishes its terms for end users; absent: a page that says there are none yet. */
  readonly endUserTermsUrl?: string | undefined
  /** How long the audit log is kept, in days; absent: for ever. */
  readonly auditLogDays?: number | undefined
  /** How long the answers under idempotency keys are kept; absent: as long as the API promises, a day. */
  readonly answersKeptMs?: number | undefined
  /** How long the rest of what goes by itself is kept; absent: for ever. */
  readonly retention?: RetentionDays | undefined
  /** How long people have to decide about a review, and above what it takes two of them; absent: as by default. */
  readonly reviews?: ReviewTerms | undefined
  /** Of which environments requests are logged; absent: of the sandbox. */
  readonly requestLog?: readonly Environment[] | undefined
  /** Where uploads are kept, sealed and nameless, while they come in; absent: where the machine keeps such things. */
  readonly spoolDirectory?: string | undefined
}
