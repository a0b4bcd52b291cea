import { isIP } from 'node:net'
import type { WantedDurability } from '@corridor/engine/mechanisms/db/durability.ts'
import type { ReviewTerms } from '@corridor/engine/mechanisms/feature/engine.ts'
import { noLimits, type RateLimits } from '@corridor/engine/mechanisms/http/rate-limits.ts'
import { parseMasterKey } from '@corridor/engine/mechanisms/keys/master-key.ts'
import type { Environment } from '@corridor/engine/vocabulary/scope.ts'
import { Check } from 'typebox/value'
import { type Variable, type VariableName, variables } from './variables.ts'

/** What an operator sets through the environment. The only file that reads `process.env`. */
export interface Config {
  readonly port: number
  readonly host: string
  /** Where the operator API and the metrics listen; absent: with everything else. */
  readonly operatorListener: { readonly port: number; readonly host: string } | undefined
  readonly dataDirectory: string
  /** Absent: the embedded database in the data directory. */
  readonly databaseUrl: string | undefined
  /** For migrations alone. */
  readonly migrateDatabaseUrl: string | undefined
  /** For copies of the database alone. */
  readonly backupDatabaseUrl: string | undefined
  /** Absent: whatever the settings of the database give. */
  readonly durability: WantedDurability | undefined
  /** Where callers reach this installation, without version segment and trailing slash. */
  readonly baseUrl: string
  /** Absent: the file `master.key` in the data directory. */
  readonly masterKey: Uint8Array | undefined
  /** The one that replaces it; for the rotation alone. */
  readonly newMasterKey: Uint8Array | undefined
  /** A service that keeps the master key instead. */
  readonly kms: KmsSettings | undefined
  readonly newKms: KmsSettings | undefined
  readonly operatorKey: string | undefined
  readonly rateLimits: RateLimits
  /** Absent: nobody says where a request comes from but its connection. */
  readonly trustedProxies: readonly string[] | undefined
  readonly logLevel: string
  readonly sandboxStepMs: number
  /** Lower case. */
  readonly sandboxUmaDomains: readonly string[]
  readonly jobLeaseMs: number
  /** Besides the known ones. */
  readonly openIdIssuers: readonly string[]
  /** Where the rates of production come from. */
  readonly rates:
    | { readonly kind: 'offline' }
    | {
        readonly kind: 'ecb'
        readonly source: string
        readonly fillsFromTable: boolean
        readonly maxAgeDays: number
      }
  readonly allowsEmbeddedProduction: boolean
  readonly role: 'all' | 'api' | 'worker'
  /** Whether whoever may manage a sandbox may copy it and set it back, with all platforms there are. */
  readonly copiesSandbox: boolean
  /** What all ids, secrets and times are made from; absent: from chance, and the machine's clock. */
  readonly seed: string | undefined
  /** How many forks, and how many snapshots; absent: as many as suit the database. */
  readonly maxWorlds: number | undefined
  readonly endUserTermsUrl: string | undefined
  /** 0: for ever. */
  readonly auditLogDays: number
  /** Of which environments requests are logged. */
  readonly requestLog: readonly Environment[]
  /** Days; 0: for ever. */
  readonly retention: Readonly<Record<'events' | 'deliveries' | 'messages' | 'requests', number>>
  readonly answersKeptMs: number
  readonly reviews: ReviewTerms
  /** Whether webhooks of sandbox platforms may reach this machine and its network. */
  readonly allowsPrivateSandboxWebhooks: boolean
  /** What webhooks and calls to endpoints of others go through. */
  readonly egressProxy: string | undefined
  /** Who sends e-mail to end users; absent: nobody. */
  readonly smtp: { readonly url: string; readonly from: string; readonly demandsTls: boolean } | undefined
  /** Who sends SMS to end users; absent: nobody. */
  readonly smsWebhook:
    | { readonly url: string; readonly secret: string; readonly allowsPrivate: boolean }
    | undefined
  /** Absent: the folder `blobs` in the data directory. */
  readonly blobDirectory: string | undefined
  /** Files go here instead of a folder. */
  readonly s3: S3Settings | undefined
  /** The Lightning node of production platforms; absent: none. */
  readonly lnd: LndSettings | undefined
  /** What clients of rails need, by `<RAIL>_<NAME>`: whatever begins with `CORRIDOR_RAIL_`. */
  readonly railSettings: Readonly<Record<string, string>>
}

export interface KmsSettings {
  readonly keyId: string
  readonly region: string
  readonly endpoint: string | undefined
}

export interface LndSettings {
  readonly url: string
  readonly macaroon: string
  /** PEM. */
  readonly tlsCertificate: string | undefined
}

export interface S3Settings {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** Variables that mean nothing alone. */
const pairs: readonly (readonly [VariableName, VariableName])[] = [
  ['CORRIDOR_SMTP_URL', 'CORRIDOR_MAIL_FROM'],
  ['CORRIDOR_SMS_WEBHOOK_URL', 'CORRIDOR_SMS_WEBHOOK_SECRET'],
  ['CORRIDOR_LND_URL', 'CORRIDOR_LND_MACAROON'],
]

/** Addresses that come up in answers, logs or errors. */
const shown: readonly VariableName[] = [
  'CORRIDOR_BASE_URL',
  'CORRIDOR_ECB_SOURCE',
  'CORRIDOR_END_USER_TERMS_URL',
  'CORRIDOR_S3_ENDPOINT',
  'CORRIDOR_KMS_ENDPOINT',
  'CORRIDOR_SMS_WEBHOOK_URL',
  'CORRIDOR_LND_URL',
]

const exclusive: readonly (readonly [VariableName, VariableName])[] = [
  ['CORRIDOR_MASTER_KEY', 'CORRIDOR_KMS_KEY_ID'],
  ['CORRIDOR_NEW_MASTER_KEY', 'CORRIDOR_NEW_KMS_KEY_ID'],
]

/** Addresses that reach this machine alone. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host)
}

/** By `CORRIDOR_REQUEST_LOG`. */
const loggedEnvironments: Readonly<Record<'sandbox' | 'all' | 'off', readonly Environment[]>> = {
  sandbox: ['SANDBOX'],
  all: ['SANDBOX', 'PRODUCTION'],
  off: [],
}

/** Thrown at start for what the operator can put right. */
export class StartRefused extends Error {}

/**
 * Reads and checks everything at once, so that an operator corrects all mistakes in one go. A message
 * never repeats a value: it may be a secret. An empty variable counts as unset.
 */
export function readConfig(environment: Readonly<Record<string, string | undefined>> = process.env): Config {
  const problems: string[] = []
  const values: Partial<Record<VariableName, string>> = {}
  for (const [name, variable] of Object.entries<Variable>(variables)) {
    const value = environment[name] || variable.default
    if (value === undefined) continue
    if (Check(variable.schema, value)) values[name as VariableName] = value
    else problems.push(`${name} must be ${variable.expects}`)
  }
  for (const name of [
    'DATABASE_URL',
    'CORRIDOR_MIGRATE_DATABASE_URL',
    'CORRIDOR_BACKUP_DATABASE_URL',
    'CORRIDOR_EGRESS_PROXY',
  ] as const) {
    const value = values[name]
    // PostgreSQL lets the host be left out where a parameter names the directory of its socket.
    if (value && !URL.canParse(value.replace('@/', '@localhost/')))
      problems.push(`${name} must be ${variables[name].expects}`)
  }
  for (const name of shown) {
    const value = values[name]
    if (!value || !URL.canParse(value)) continue
    const { username, password } = new URL(value)
    if (username || password) problems.push(`${name} must not contain a user name or password`)
  }
  for (const [first, second] of exclusive) {
    if (values[first] && values[second]) problems.push(`${first} and ${second} cannot be set together`)
  }
  const port = Number(values.PORT ?? 0)
  for (const name of ['PORT', 'CORRIDOR_OPERATOR_PORT'] as const) {
    if (Number(values[name] ?? 0) > 65_535) problems.push(`${name} must be ${variables[name].expects}`)
  }
  if (
    port !== 0 &&
    values.CORRIDOR_OPERATOR_PORT !== undefined &&
    Number(values.CORRIDOR_OPERATOR_PORT) === port
  ) {
    problems.push('CORRIDOR_OPERATOR_PORT must differ from PORT')
  }
  if (values.CORRIDOR_ROLE !== 'all' && values.CORRIDOR_ROLE !== undefined && !values.DATABASE_URL) {
    problems.push(
      'Without DATABASE_URL, CORRIDOR_ROLE must be "all", because the embedded database serves only one process',
    )
  }
  if (values.CORRIDOR_SEED && values.CORRIDOR_ROLE !== 'all') {
    problems.push(
      'CORRIDOR_SEED needs CORRIDOR_ROLE=all, because with a seed, requests run one at a time in a single process',
    )
  }
  if (values.CORRIDOR_WORLDS === 'on' && values.CORRIDOR_ROLE !== 'all') {
    problems.push(
      'CORRIDOR_WORLDS needs CORRIDOR_ROLE=all, because only one process may use a database during a copy',
    )
  }
  if (values.CORRIDOR_MIGRATE_DATABASE_URL && !values.DATABASE_URL) {
    problems.push('CORRIDOR_MIGRATE_DATABASE_URL needs DATABASE_URL')
  }
  if (values.CORRIDOR_BACKUP_DATABASE_URL && !values.DATABASE_URL) {
    problems.push('CORRIDOR_BACKUP_DATABASE_URL needs DATABASE_URL')
  }
  if (values.CORRIDOR_TRUSTED_PROXIES?.split(',').some((proxy) => !isProxy(proxy))) {
    problems.push(`CORRIDOR_TRUSTED_PROXIES must be ${variables.CORRIDOR_TRUSTED_PROXIES.expects}`)
  }
  for (const [first, second] of pairs) {
    if (!values[first] === !values[second]) continue
    problems.push(`${first} and ${second} must be set together`)
  }
  const bucket = values.CORRIDOR_S3_BUCKET
  const kmsOf = (keyId: string | undefined): KmsSettings | undefined =>
    keyId === undefined
      ? undefined
      : { keyId, region: values.CORRIDOR_KMS_REGION!, endpoint: values.CORRIDOR_KMS_ENDPOINT }
  for (const name of ['CORRIDOR_S3_ACCESS_KEY_ID', 'CORRIDOR_S3_SECRET_ACCESS_KEY'] as const) {
    if (bucket && !values[name]) problems.push(`${name} is required with CORRIDOR_S3_BUCKET`)
  }
  if (problems.length > 0) {
    throw new StartRefused(`The configuration is invalid:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  }
  return {
    port,
    host: values.HOST!,
    operatorListener: values.CORRIDOR_OPERATOR_PORT
      ? { port: Number(values.CORRIDOR_OPERATOR_PORT), host: values.CORRIDOR_OPERATOR_HOST! }
      : undefined,
    dataDirectory: values.CORRIDOR_DATA_DIR!,
    databaseUrl: values.DATABASE_URL,
    migrateDatabaseUrl: values.CORRIDOR_MIGRATE_DATABASE_URL,
    backupDatabaseUrl: values.CORRIDOR_BACKUP_DATABASE_URL,
    durability: values.CORRIDOR_DURABILITY as Config['durability'],
    baseUrl: (values.CORRIDOR_BASE_URL ?? `http://localhost:${port}`).replace(/\/$/, ''),
    masterKey: values.CORRIDOR_MASTER_KEY ? parseMasterKey(values.CORRIDOR_MASTER_KEY) : undefined,
    newMasterKey: values.CORRIDOR_NEW_MASTER_KEY ? parseMasterKey(values.CORRIDOR_NEW_MASTER_KEY) : undefined,
    kms: kmsOf(values.CORRIDOR_KMS_KEY_ID),
    newKms: kmsOf(values.CORRIDOR_NEW_KMS_KEY_ID),
    operatorKey: values.CORRIDOR_OPERATOR_KEY,
    rateLimits:
      // Time stands still with a seed, and so would whoever has reached a limit.
      values.CORRIDOR_RATE_LIMITS === 'off' || values.CORRIDOR_SEED
        ? noLimits
        : {
            platformPerSecond: Number(values.CORRIDOR_REQUESTS_PER_SECOND),
            customerWritesPerSecond: Number(values.CORRIDOR_CUSTOMER_WRITES_PER_SECOND),
            failedLoginsPerMinute: Number(values.CORRIDOR_FAILED_LOGINS_PER_MINUTE),
            walletChallengesPerMinute: Number(values.CORRIDOR_WALLET_CHALLENGES_PER_MINUTE),
            walletFailuresPerMinute: Number(values.CORRIDOR_WALLET_FAILURES_PER_MINUTE),
            cardRevealsPerMinute: Number(values.CORRIDOR_CARD_REVEALS_PER_MINUTE),
            redemptionsPerMinute: Number(values.CORRIDOR_REDEMPTIONS_PER_MINUTE),
            anonymousPerSecond: Number(values.CORRIDOR_ANONYMOUS_PER_SECOND),
          },
    trustedProxies: values.CORRIDOR_TRUSTED_PROXIES?.split(','),
    logLevel: values.CORRIDOR_LOG_LEVEL!,
    sandboxStepMs: values.CORRIDOR_SEED ? 0 : Number(values.CORRIDOR_SANDBOX_STEP_MS),
    sandboxUmaDomains: values.CORRIDOR_SANDBOX_UMA_DOMAINS!.toLowerCase().split(','),
    jobLeaseMs: Number(values.CORRIDOR_JOB_LEASE_MS),
    openIdIssuers: (values.CORRIDOR_OPENID_ISSUERS ?? '').split(',').filter((issuer) => issuer !== ''),
    rates:
      values.CORRIDOR_RATES === 'offline'
        ? { kind: 'offline' }
        : {
            kind: 'ecb',
            source: values.CORRIDOR_ECB_SOURCE!,
            fillsFromTable: values.CORRIDOR_RATES_FILL === 'offline',
            maxAgeDays: Number(values.CORRIDOR_ECB_MAX_AGE_DAYS),
          },
    allowsEmbeddedProduction: values.CORRIDOR_ALLOW_EMBEDDED_PRODUCTION === 'on',
    role: values.CORRIDOR_ROLE as Config['role'],
    seed: values.CORRIDOR_SEED,
    copiesSandbox: values.CORRIDOR_WORLDS === 'on',
    maxWorlds: values.CORRIDOR_MAX_WORLDS ? Number(values.CORRIDOR_MAX_WORLDS) : undefined,
    blobDirectory: values.CORRIDOR_BLOB_DIR,
    s3: bucket
      ? {
          bucket,
          endpoint: values.CORRIDOR_S3_ENDPOINT ?? `https://s3.${values.CORRIDOR_S3_REGION}.amazonaws.com`,
          region: values.CORRIDOR_S3_REGION!,
          accessKeyId: values.CORRIDOR_S3_ACCESS_KEY_ID!,
          secretAccessKey: values.CORRIDOR_S3_SECRET_ACCESS_KEY!,
        }
      : undefined,
    lnd: values.CORRIDOR_LND_URL
      ? {
          url: values.CORRIDOR_LND_URL,
          macaroon: values.CORRIDOR_LND_MACAROON!,
          tlsCertificate:
            values.CORRIDOR_LND_TLS_CERT &&
            Buffer.from(values.CORRIDOR_LND_TLS_CERT, 'base64').toString('utf8'),
        }
      : undefined,
    railSettings: railSettingsOf(environment),
    endUserTermsUrl: values.CORRIDOR_END_USER_TERMS_URL,
    auditLogDays: Number(values.CORRIDOR_AUDIT_LOG_DAYS),
    retention: {
      events: Number(values.CORRIDOR_EVENT_DAYS),
      deliveries: Number(values.CORRIDOR_DELIVERY_DAYS),
      messages: Number(values.CORRIDOR_MESSAGE_DAYS),
      requests: Number(values.CORRIDOR_REQUEST_DAYS),
    },
    requestLog: loggedEnvironments[values.CORRIDOR_REQUEST_LOG as keyof typeof loggedEnvironments],
    answersKeptMs: Number(values.CORRIDOR_ANSWER_HOURS) * 60 * 60_000,
    reviews: {
      dueMs: Number(values.CORRIDOR_REVIEW_HOURS) * 60 * 60_000,
      secondPersonAboveMinor:
        values.CORRIDOR_REVIEW_SECOND_PERSON_ABOVE === 'off'
          ? undefined
          : BigInt(values.CORRIDOR_REVIEW_SECOND_PERSON_ABOVE!),
    },
    allowsPrivateSandboxWebhooks: values.CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS
      ? values.CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS === 'on'
      : isLoopback(values.HOST!),
    egressProxy: values.CORRIDOR_EGRESS_PROXY,
    smtp: values.CORRIDOR_SMTP_URL
      ? {
          url: values.CORRIDOR_SMTP_URL,
          from: values.CORRIDOR_MAIL_FROM!,
          demandsTls: values.CORRIDOR_SMTP_TLS === 'required',
        }
      : undefined,
    smsWebhook: values.CORRIDOR_SMS_WEBHOOK_URL
      ? {
          url: values.CORRIDOR_SMS_WEBHOOK_URL,
          secret: values.CORRIDOR_SMS_WEBHOOK_SECRET!,
          allowsPrivate: values.CORRIDOR_SMS_WEBHOOK_ALLOW_PRIVATE === 'on',
        }
      : undefined,
  }
}

/** The environment of this process and more, for a tool that it runs. */
export function environmentWith(more: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  return { ...process.env, ...more }
}

function railSettingsOf(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const prefix = 'CORRIDOR_RAIL_'
  const given = Object.entries(environment).filter(([name, value]) => name.startsWith(prefix) && value)
  return Object.fromEntries(given.map(([name, value]) => [name.slice(prefix.length), value!]))
}

/** An address, a network, or one of the names that the server knows for networks. */
function isProxy(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const family = isIP(address)
  if (family === 0 || more.length > 0) return false
  return (
    bits === undefined ||
    (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (family === 4 ? 32 : 128))
  )
}
