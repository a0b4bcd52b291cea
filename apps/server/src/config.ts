import { isIP } from 'node:net'
import { defaultLimits, noLimits, type RateLimits } from '@corridor/engine/mechanisms/http/rate-limits.ts'
import { parseMasterKey } from '@corridor/engine/mechanisms/keys/master-key.ts'
import Type, { type TString } from 'typebox'
import { Check } from 'typebox/value'

/** What an operator sets through the environment. The only file that reads `process.env`. */
export interface Config {
  readonly port: number
  readonly host: string
  readonly dataDirectory: string
  /** Absent: the embedded database in the data directory. */
  readonly databaseUrl: string | undefined
  /** For migrations alone. */
  readonly migrateDatabaseUrl: string | undefined
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
  readonly endUserTermsUrl: string | undefined
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
}

export interface KmsSettings {
  readonly keyId: string
  readonly region: string
  readonly endpoint: string | undefined
}

export interface S3Settings {
  readonly endpoint: string
  readonly bucket: string
  readonly region: string
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

/** One environment variable: its schema, in words (`expects`), and what it is for. */
interface Variable {
  readonly schema: TString
  readonly expects: string
  readonly purpose: string
  /** In words where it is not a fixed text. */
  readonly default?: string
}

const logLevels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']
const wholeNumber = '^(0|[1-9][0-9]{0,5})$'
const switches = Type.String({ pattern: '^(on|off)$' })

export const variables = {
  PORT: {
    schema: Type.String({ pattern: '^([1-9][0-9]{0,4}|0)$' }),
    expects: 'a port number; 0 takes any that is free',
    purpose: 'Port of the API.',
    default: '8080',
  },
  HOST: {
    schema: Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', maxLength: 255 }),
    expects: 'a host name or an address',
    purpose:
      'Address to listen on. The default is this machine alone, because credentials would cross the network in the clear; use `0.0.0.0` in a container or behind a proxy that speaks TLS.',
    default: 'localhost',
  },
  DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://user:password@host:5432/database',
    purpose: 'PostgreSQL 15 or later. Unset: the embedded database, in the data directory.',
  },
  CORRIDOR_MIGRATE_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://owner:password@host:5432/database',
    purpose:
      'The same database under the user that owns the tables. Migrations run under it at the start and nothing else does, so that the user of `DATABASE_URL` need own nothing. Unset: that user migrates, too.',
  },
  CORRIDOR_DATA_DIR: {
    schema: Type.String({ minLength: 1 }),
    expects: 'a path',
    purpose: 'Keys, first credentials and the embedded database.',
    default: './data',
  },
  CORRIDOR_BASE_URL: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$', maxLength: 2048 }),
    expects: 'an http or https address without query',
    purpose: 'Where callers reach this installation; goes into links. Without the version segment.',
  },
  CORRIDOR_MASTER_KEY: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$' }),
    expects: '32 bytes in hexadecimal or base64',
    purpose: 'Seals keys and hashes secrets. Unset: `master.key` in the data directory, made on first start.',
  },
  CORRIDOR_NEW_MASTER_KEY: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$' }),
    expects: '32 bytes in hexadecimal or base64',
    purpose: 'Replaces the master key in `npm run rotate-master-key`; read by nothing else.',
  },
  CORRIDOR_KMS_KEY_ID: {
    schema: Type.String({ pattern: '^[A-Za-z0-9:/_+=,.@-]{1,2048}$' }),
    expects: 'the id, ARN or alias of a symmetric key',
    purpose:
      'Key of a service of the AWS KMS protocol that takes the place of the master key, which then never is in this process. Credentials are those that the AWS client finds.',
  },
  CORRIDOR_NEW_KMS_KEY_ID: {
    schema: Type.String({ pattern: '^[A-Za-z0-9:/_+=,.@-]{1,2048}$' }),
    expects: 'the id, ARN or alias of a symmetric key',
    purpose: 'Replaces the master key in `npm run rotate-master-key`; read by nothing else.',
  },
  CORRIDOR_KMS_REGION: {
    schema: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    expects: 'the name of a region',
    purpose: 'Region of that service.',
    default: 'us-east-1',
  },
  CORRIDOR_KMS_ENDPOINT: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s@]+/?$' }),
    expects: 'an http or https address without path',
    purpose: 'Address of that service. Unset: AWS in the region.',
  },
  CORRIDOR_OPERATOR_KEY: {
    schema: Type.String({ pattern: '^[!-~]{20,255}$' }),
    expects: '20 to 255 visible characters without spaces',
    purpose: 'Bearer key of the operator API. Unset: made on first start and kept as a hash.',
  },
  CORRIDOR_RATE_LIMITS: {
    schema: switches,
    expects: 'on or off',
    purpose: '`off` switches the limits off that follow, for benchmarks.',
    default: 'on',
  },
  CORRIDOR_REQUESTS_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Requests of a platform with real money, on average; four times as many may come at once. The sandbox has ten times as much.',
    default: String(defaultLimits.platformPerSecond),
  },
  CORRIDOR_CUSTOMER_WRITES_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'Changes of one customer with real money. The sandbox has ten times as much.',
    default: String(defaultLimits.customerWritesPerSecond),
  },
  CORRIDOR_FAILED_LOGINS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'Requests with wrong credentials from one address.',
    default: String(defaultLimits.failedLoginsPerMinute),
  },
  CORRIDOR_WALLET_CHALLENGES_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Codes and passkey challenges of one credential of a wallet. The sandbox has twelve times as many.',
    default: String(defaultLimits.walletChallengesPerMinute),
  },
  CORRIDOR_WALLET_FAILURES_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'Failed sign-ins with one credential of a wallet. The sandbox has six times as many.',
    default: String(defaultLimits.walletFailuresPerMinute),
  },
  CORRIDOR_CARD_REVEALS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'How often the number of one card may be asked for.',
    default: String(defaultLimits.cardRevealsPerMinute),
  },
  CORRIDOR_REDEMPTIONS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Device codes of agents that one address tries to redeem. Those of the sandbox, ten times as many.',
    default: String(defaultLimits.redemptionsPerMinute),
  },
  CORRIDOR_OPENID_ISSUERS: {
    schema: Type.String({ pattern: '^(https://[!-+.-~-]+(,https://[!-+.-~-]+)*)?$', maxLength: 4096 }),
    expects: 'https addresses with commas between them',
    purpose: 'Issuers of OpenID tokens that may unlock wallets, besides Google and Apple.',
    default: '',
  },
  CORRIDOR_ANONYMOUS_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Requests from one address to unknown paths and to pages that need no credentials, on average; four times as many may come at once.',
    default: String(defaultLimits.anonymousPerSecond),
  },
  CORRIDOR_TRUSTED_PROXIES: {
    schema: Type.String({ pattern: '^[0-9A-Za-z.:/,]+$', maxLength: 2048 }),
    expects:
      'addresses or networks like 10.0.0.0/8 with commas between them, or loopback, linklocal, uniquelocal',
    purpose:
      'Proxies in front of this server, whose X-Forwarded-For says where a request comes from. Without it everybody behind a proxy shares the limits of its address.',
  },
  CORRIDOR_LOG_LEVEL: {
    schema: Type.String({ pattern: `^(${logLevels.join('|')})$` }),
    expects: `one of ${logLevels.join(', ')}`,
    purpose: 'Least severity that is logged.',
    default: 'info',
  },
  CORRIDOR_SANDBOX_STEP_MS: {
    schema: Type.String({ pattern: '^[0-9]{1,6}$' }),
    expects: 'milliseconds, 0 to 999999',
    purpose: 'Pause between the steps of a simulated payment, so that a caller who polls sees each.',
    default: '50',
  },
  CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: {
    schema: switches,
    expects: 'on or off',
    purpose:
      '`on` lets webhooks of sandbox platforms reach this machine and its network, over plain http too, and shows the answers to test webhooks. Who holds a sandbox token can then look round in that network. Unset: on while `HOST` is a loopback address, else off.',
  },
  CORRIDOR_EGRESS_PROXY: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 }),
    expects: 'an http or https address',
    purpose:
      'A proxy that all webhooks and posts of SMS go through. It resolves the names, so it has to refuse addresses of its own network; those in the URL itself are refused before.',
  },
  CORRIDOR_SANDBOX_UMA_DOMAINS: {
    schema: Type.String({
      pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+(,[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+)*$',
      maxLength: 2048,
    }),
    expects: 'host names with commas between them',
    purpose: 'Domains of the simulated UMA receivers, such as `$success.usd@sandbox.uma.money`.',
    default: 'sandbox.uma.money',
  },
  CORRIDOR_JOB_LEASE_MS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{2,6}$' }),
    expects: 'milliseconds, 100 to 9999999',
    purpose:
      'How long a claimed job stays with a process that may have died. Longer than the slowest step of a payment.',
    default: '60000',
  },
  CORRIDOR_RATES: {
    schema: Type.String({ pattern: '^(offline|ecb)$' }),
    expects: 'offline or ecb',
    purpose:
      'Exchange rates of production platforms: the indicative table of the software, or the daily reference rates of the European Central Bank. Sandbox platforms always have the table.',
    default: 'offline',
  },
  CORRIDOR_ECB_SOURCE: {
    schema: Type.String({ minLength: 1, maxLength: 2048 }),
    expects: 'an http or https address, or the path of a file',
    purpose: 'Where `eurofxref-daily.xml` is read, with `CORRIDOR_RATES=ecb`.',
    default: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  },
  CORRIDOR_RATES_FILL: {
    schema: Type.String({ pattern: '^(offline|none)$' }),
    expects: 'offline or none',
    purpose:
      'Where rates of currencies come from that the European Central Bank does not publish, crypto among them: the table of the software, or nowhere, so that they cannot be converted.',
    default: 'none',
  },
  CORRIDOR_ECB_MAX_AGE_DAYS: {
    schema: Type.String({ pattern: '^[1-9][0-9]?$' }),
    expects: 'days, 1 to 99',
    purpose: 'Rates of the European Central Bank that are older than this price nothing.',
    default: '6',
  },
  CORRIDOR_ALLOW_EMBEDDED_PRODUCTION: {
    schema: switches,
    expects: 'on or off',
    purpose: '`on` permits production platforms on the embedded database, which a power cut may damage.',
    default: 'off',
  },
  CORRIDOR_ROLE: {
    schema: Type.String({ pattern: '^(all|api|worker)$' }),
    expects: 'all, api or worker',
    purpose: 'What this process does; `api` and `worker` share a PostgreSQL database.',
    default: 'all',
  },
  CORRIDOR_BLOB_DIR: {
    schema: Type.String({ minLength: 1 }),
    expects: 'a path',
    purpose: 'Files that customers upload, sealed. Unset: `blobs` in the data directory.',
  },
  CORRIDOR_S3_BUCKET: {
    schema: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    expects: 'the name of a bucket',
    purpose: 'Keeps those files in a bucket of an S3-compatible service instead of a folder.',
  },
  CORRIDOR_S3_ENDPOINT: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$' }),
    expects: 'an http or https address without query',
    purpose: 'Address of that service, without the bucket. Unset: Amazon S3 in the region.',
  },
  CORRIDOR_S3_REGION: {
    schema: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    expects: 'the name of a region',
    purpose: 'Region of the bucket; many services take any.',
    default: 'us-east-1',
  },
  CORRIDOR_S3_ACCESS_KEY_ID: {
    schema: Type.String({ pattern: '^[!-~]{1,255}$' }),
    expects: 'visible characters without spaces',
    purpose: 'Key of the bucket: its name.',
  },
  CORRIDOR_S3_SECRET_ACCESS_KEY: {
    schema: Type.String({ pattern: '^[!-~]{1,255}$' }),
    expects: 'visible characters without spaces',
    purpose: 'Key of the bucket: its secret.',
  },
  CORRIDOR_END_USER_TERMS_URL: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 }),
    expects: 'an http or https address',
    purpose:
      'The terms that end users accept, as GET /customers/end-user-terms names them. Unset: a page that says there are none yet.',
  },
  CORRIDOR_SMTP_URL: {
    schema: Type.String({ pattern: '^smtps?://[^\\s]+$' }),
    expects: 'an address like smtp://user:password@host:587, together with CORRIDOR_MAIL_FROM',
    purpose:
      'Mail server for messages of production platforms to their customers. Unset: they get no e-mail.',
  },
  CORRIDOR_MAIL_FROM: {
    schema: Type.String({ pattern: '^[^@<>\\r\\n]*<?[^\\s@<>]+@[^\\s@<>]+>?$', maxLength: 320 }),
    expects: 'an e-mail address, or a name and an address in angle brackets',
    purpose: 'Sender of these e-mails.',
  },
  CORRIDOR_SMTP_TLS: {
    schema: Type.String({ pattern: '^(required|optional)$' }),
    expects: 'required or optional',
    purpose:
      'Whether mail is kept back from a server that offers no TLS. With `optional` it is sent in the clear, codes and password included.',
    default: 'required',
  },
  CORRIDOR_SMS_WEBHOOK_URL: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$' }),
    expects: 'an http or https address, together with CORRIDOR_SMS_WEBHOOK_SECRET',
    purpose:
      'A program that sends SMS: each is posted to it, signed. Unset: customers of production platforms get no SMS.',
  },
  CORRIDOR_SMS_WEBHOOK_SECRET: {
    schema: Type.String({ pattern: '^[!-~]{20,255}$' }),
    expects: '20 to 255 visible characters without spaces',
    purpose: 'Signs these posts, so that the program knows who is asking.',
  },
  CORRIDOR_SMS_WEBHOOK_ALLOW_PRIVATE: {
    schema: switches,
    expects: 'on or off',
    purpose: '`on` lets that address be plain http or in a private network.',
    default: 'off',
  },
} as const satisfies Readonly<Record<string, Variable>>

type VariableName = keyof typeof variables

/** Variables that mean nothing alone. */
const pairs: readonly (readonly [VariableName, VariableName])[] = [
  ['CORRIDOR_SMTP_URL', 'CORRIDOR_MAIL_FROM'],
  ['CORRIDOR_SMS_WEBHOOK_URL', 'CORRIDOR_SMS_WEBHOOK_SECRET'],
]

/** Addresses that come up in answers, logs or errors. */
const shown: readonly VariableName[] = [
  'CORRIDOR_BASE_URL',
  'CORRIDOR_ECB_SOURCE',
  'CORRIDOR_END_USER_TERMS_URL',
  'CORRIDOR_S3_ENDPOINT',
  'CORRIDOR_KMS_ENDPOINT',
  'CORRIDOR_SMS_WEBHOOK_URL',
]

const exclusive: readonly (readonly [VariableName, VariableName])[] = [
  ['CORRIDOR_MASTER_KEY', 'CORRIDOR_KMS_KEY_ID'],
  ['CORRIDOR_NEW_MASTER_KEY', 'CORRIDOR_NEW_KMS_KEY_ID'],
]

/** Addresses that reach this machine alone. */
function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(\.[0-9]{1,3}){3}$/.test(host)
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
  for (const name of ['DATABASE_URL', 'CORRIDOR_MIGRATE_DATABASE_URL', 'CORRIDOR_EGRESS_PROXY'] as const) {
    const value = values[name]
    if (value && !URL.canParse(value)) problems.push(`${name} must be ${variables[name].expects}`)
  }
  for (const name of shown) {
    const value = values[name]
    if (!value || !URL.canParse(value)) continue
    const { username, password } = new URL(value)
    if (username || password) problems.push(`${name} must have no name and password in it`)
  }
  for (const [first, second] of exclusive) {
    if (values[first] && values[second]) problems.push(`${first} and ${second} exclude each other`)
  }
  const port = Number(values.PORT ?? 0)
  if (port > 65_535) problems.push(`PORT must be ${variables.PORT.expects}`)
  if (values.CORRIDOR_ROLE !== 'all' && values.CORRIDOR_ROLE !== undefined && !values.DATABASE_URL) {
    problems.push('CORRIDOR_ROLE must be all without DATABASE_URL: the embedded database serves one process')
  }
  if (values.CORRIDOR_MIGRATE_DATABASE_URL && !values.DATABASE_URL) {
    problems.push('CORRIDOR_MIGRATE_DATABASE_URL means nothing without DATABASE_URL')
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
    throw new StartRefused(`The configuration is wrong:\n${problems.map((line) => `  ${line}`).join('\n')}`)
  }
  return {
    port,
    host: values.HOST!,
    dataDirectory: values.CORRIDOR_DATA_DIR!,
    databaseUrl: values.DATABASE_URL,
    migrateDatabaseUrl: values.CORRIDOR_MIGRATE_DATABASE_URL,
    baseUrl: (values.CORRIDOR_BASE_URL ?? `http://localhost:${port}`).replace(/\/$/, ''),
    masterKey: values.CORRIDOR_MASTER_KEY ? parseMasterKey(values.CORRIDOR_MASTER_KEY) : undefined,
    newMasterKey: values.CORRIDOR_NEW_MASTER_KEY ? parseMasterKey(values.CORRIDOR_NEW_MASTER_KEY) : undefined,
    kms: kmsOf(values.CORRIDOR_KMS_KEY_ID),
    newKms: kmsOf(values.CORRIDOR_NEW_KMS_KEY_ID),
    operatorKey: values.CORRIDOR_OPERATOR_KEY,
    rateLimits:
      values.CORRIDOR_RATE_LIMITS === 'off'
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
    sandboxStepMs: Number(values.CORRIDOR_SANDBOX_STEP_MS),
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
    endUserTermsUrl: values.CORRIDOR_END_USER_TERMS_URL,
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
