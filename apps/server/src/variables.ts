import { defaultLimits } from '@corridor/engine/mechanisms/http/rate-limits.ts'
import Type, { type TString } from 'typebox'

/** One environment variable: its schema, in words (`expects`), and what it is for. */
export interface Variable {
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
    expects: 'a port number; 0 chooses a free port',
    purpose: 'Port of the API.',
    default: '8080',
  },
  HOST: {
    schema: Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', maxLength: 255 }),
    expects: 'a host name or an address',
    purpose:
      'Address to listen on. The default accepts only connections from this machine, because Corridor itself speaks no TLS. Use `0.0.0.0` in a container or behind a TLS proxy.',
    default: 'localhost',
  },
  CORRIDOR_OPERATOR_PORT: {
    schema: Type.String({ pattern: '^([1-9][0-9]{0,4}|0)$' }),
    expects: 'a port number other than PORT; 0 chooses a free port',
    purpose:
      'Separate port for the operator API and the metrics, for a private network. They are then not available on `PORT`. Unset: they are on `PORT`.',
  },
  CORRIDOR_OPERATOR_HOST: {
    schema: Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', maxLength: 255 }),
    expects: 'a host name or an address',
    purpose: 'Address for that port.',
    default: 'localhost',
  },
  DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://user:password@host:5432/database',
    purpose:
      'PostgreSQL 15 or later. For a Unix socket use `postgresql://user@localhost/database?host=/run/postgresql` or `postgresql://user@%2Frun%2Fpostgresql/database`. Unset: the embedded database, in the data directory.',
  },
  CORRIDOR_MIGRATE_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://owner:password@host:5432/database',
    purpose:
      'The same database with the user that owns the tables. Only the migrations at the start use it, so the user of `DATABASE_URL` does not have to own anything. Unset: the user of `DATABASE_URL` migrates.',
  },
  CORRIDOR_BACKUP_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://backup:password@host:5432/database',
    purpose:
      'The same database with a user that bypasses row-level security, for `npm run backup`, and can create databases, for `npm run restore-check`. Unset: the user of `DATABASE_URL`.',
  },
  CORRIDOR_DURABILITY: {
    schema: Type.String({ pattern: '^(disk|standby)$' }),
    expects: 'disk or standby',
    purpose:
      'Required durability of commits. `disk`: on the disk of the server. `standby`: also on the disk of a synchronous standby, before Corridor responds or sends anything. Corridor does not start on a database that provides less, and `GET /readyz` fails if it does later. Unset: the settings of PostgreSQL apply without a check.',
  },
  CORRIDOR_DATA_DIR: {
    schema: Type.String({ minLength: 1 }),
    expects: 'a path',
    purpose: 'Folder for keys, the first credentials and the embedded database.',
    default: './data',
  },
  CORRIDOR_BASE_URL: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$', maxLength: 2048 }),
    expects: 'an http or https address without query',
    purpose: 'Public URL of this installation, used in links. Without the version segment.',
  },
  CORRIDOR_MASTER_KEY: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$' }),
    expects: '32 bytes in hexadecimal or base64',
    purpose:
      'Seals keys and hashes secrets. Unset: `master.key` in the data directory, created at the first start.',
  },
  CORRIDOR_NEW_MASTER_KEY: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$' }),
    expects: '32 bytes in hexadecimal or base64',
    purpose: 'New master key for `npm run rotate-master-key`; not used otherwise.',
  },
  CORRIDOR_KMS_KEY_ID: {
    schema: Type.String({ pattern: '^[A-Za-z0-9:/_+=,.@-]{1,2048}$' }),
    expects: 'the id, ARN or alias of a symmetric key',
    purpose:
      'Key in AWS KMS or a compatible service, used instead of a master key. This process then never holds the key. The AWS client finds its credentials as usual.',
  },
  CORRIDOR_NEW_KMS_KEY_ID: {
    schema: Type.String({ pattern: '^[A-Za-z0-9:/_+=,.@-]{1,2048}$' }),
    expects: 'the id, ARN or alias of a symmetric key',
    purpose: 'New master key for `npm run rotate-master-key`; not used otherwise.',
  },
  CORRIDOR_KMS_REGION: {
    schema: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    expects: 'the name of a region',
    purpose: 'Region of the key service.',
    default: 'us-east-1',
  },
  CORRIDOR_KMS_ENDPOINT: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s@]+/?$' }),
    expects: 'an http or https address without path',
    purpose: 'URL of the key service. Unset: AWS in the region.',
  },
  CORRIDOR_OPERATOR_KEY: {
    schema: Type.String({ pattern: '^[!-~]{32,255}$' }),
    expects: '32 to 255 visible characters without spaces',
    purpose:
      'Bearer key of the operator API. Create a random one with `openssl rand -hex 32`, because only its randomness prevents guessing. Unset: created at the first start and stored as a hash.',
  },
  CORRIDOR_AUDIT_LOG_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps them forever',
    purpose: 'Days to keep the audit log. The default is seven years.',
    default: '2557',
  },
  CORRIDOR_EVENT_DAYS: {
    schema: Type.String({ pattern: '^(0|[89]|[1-9][0-9]{1,4})$' }),
    expects: 'a whole number of days from 8; 0 keeps them forever',
    purpose:
      'Days to keep events that were delivered, failed for good or had no endpoint. At least 8, because delivery can take seven days.',
    default: '90',
  },
  CORRIDOR_DELIVERY_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps them forever',
    purpose: 'Days to keep the responses of endpoints to failed attempts.',
    default: '14',
  },
  CORRIDOR_MESSAGE_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps them forever',
    purpose:
      'Days to keep messages to end users. In production the text is deleted as soon as the message is sent.',
    default: '30',
  },
  CORRIDOR_REQUEST_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps them forever',
    purpose:
      'Days to keep finished requests: receiver lookups, signing requests, proposals of operators, the request log, and fault hits of sandboxes (at most the latest 10,000 per platform).',
    default: '7',
  },
  CORRIDOR_REQUEST_LOG: {
    schema: Type.String({ pattern: '^(sandbox|all|off)$' }),
    expects: 'sandbox, all or off',
    purpose:
      'Requests that platforms can see in `GET /request-log`: of the sandbox, of both environments, or none. Kept for `CORRIDOR_REQUEST_DAYS`, at most the latest 10,000 per platform and environment.',
    default: 'sandbox',
  },
  CORRIDOR_REVIEW_HOURS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a whole number of hours from 1 to 999',
    purpose: 'Hours from submission until a review is shown as overdue.',
    default: '24',
  },
  CORRIDOR_REVIEW_SECOND_PERSON_ABOVE: {
    schema: Type.String({ pattern: '^(off|0|[1-9][0-9]{0,13})$' }),
    expects: 'a whole number of cents of a US dollar, or off',
    purpose:
      "Monthly volume of a customer above which two people have to decide a review. The upper end of the customer's stated range counts. `off`: one person can decide any review. The default is 10,000.00 USD.",
    default: '1000000',
  },
  CORRIDOR_ANSWER_HOURS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a whole number of hours from 1 to 999',
    purpose:
      'Hours to keep the response for an `Idempotency-Key` and replay it. The API promises 24. Responses of stablecoin operations are always kept for 30 days.',
    default: '24',
  },
  CORRIDOR_RATE_LIMITS: {
    schema: switches,
    expects: 'on or off',
    purpose: '`off` disables the following limits, for benchmarks.',
    default: 'on',
  },
  CORRIDOR_REQUESTS_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Average requests of a platform in production. Bursts can be four times as high. The sandbox allows ten times as many.',
    default: String(defaultLimits.platformPerSecond),
  },
  CORRIDOR_CUSTOMER_WRITES_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'Changes of one customer in production. The sandbox allows ten times as many.',
    default: String(defaultLimits.customerWritesPerSecond),
  },
  CORRIDOR_FAILED_LOGINS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Requests with wrong credentials from one address. Above the limit the response is 429 instead of 401. Correct credentials always work.',
    default: String(defaultLimits.failedLoginsPerMinute),
  },
  CORRIDOR_WALLET_CHALLENGES_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Codes and passkey challenges of one wallet credential. The sandbox allows twelve times as many.',
    default: String(defaultLimits.walletChallengesPerMinute),
  },
  CORRIDOR_WALLET_FAILURES_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'Failed sign-ins with one wallet credential. The sandbox allows six times as many.',
    default: String(defaultLimits.walletFailuresPerMinute),
  },
  CORRIDOR_CARD_REVEALS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'Reveals of the number of one card.',
    default: String(defaultLimits.cardRevealsPerMinute),
  },
  CORRIDOR_REDEMPTIONS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Attempts to redeem device codes of agents from one address. For codes of the sandbox, ten times as many.',
    default: String(defaultLimits.redemptionsPerMinute),
  },
  CORRIDOR_OPENID_ISSUERS: {
    schema: Type.String({ pattern: '^(https://[!-+.-~-]+(,https://[!-+.-~-]+)*)?$', maxLength: 4096 }),
    expects: 'https addresses, separated by commas',
    purpose: 'Issuers of OpenID tokens that can unlock wallets, in addition to Google and Apple.',
    default: '',
  },
  CORRIDOR_ANONYMOUS_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Average requests from one address to unknown paths and to pages without credentials. Bursts can be four times as high.',
    default: String(defaultLimits.anonymousPerSecond),
  },
  CORRIDOR_TRUSTED_PROXIES: {
    schema: Type.String({ pattern: '^[0-9A-Za-z.:/,]+$', maxLength: 2048 }),
    expects:
      'addresses or networks like 10.0.0.0/8, separated by commas, or loopback, linklocal, uniquelocal',
    purpose:
      'Trusted proxies in front of this server; their X-Forwarded-For contains the address of the caller. Without this setting all callers behind a proxy share one rate limit.',
  },
  CORRIDOR_LOG_LEVEL: {
    schema: Type.String({ pattern: `^(${logLevels.join('|')})$` }),
    expects: `one of ${logLevels.join(', ')}`,
    purpose: 'Minimum severity of log lines.',
    default: 'info',
  },
  CORRIDOR_WORLDS: {
    schema: switches,
    expects: 'on or off',
    purpose:
      '`on` allows forks, snapshots and resets of the sandbox. They affect all platforms, so use them only on machines of developers and in tests. Not possible with a production platform. `corridor dev` sets it.',
    default: 'off',
  },
  CORRIDOR_SEED: {
    schema: Type.String({ pattern: '^[0-9]{1,15}$' }),
    expects: 'a number of up to 15 digits',
    purpose:
      'Makes an empty sandbox repeatable: the same requests get the same bytes. Corridor derives ids, secrets and codes from this number. The clock starts at 2025-10-13T09:00:00.000Z and moves one millisecond per request. Requests run one at a time, without limits or pauses. Anyone who knows the number can derive all secrets, so Corridor refuses production platforms. Unset: real randomness and time.',
  },
  CORRIDOR_MAX_WORLDS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a number from 1 to 999',
    purpose:
      'Maximum number of forks, and of snapshots. Unset: 8 with the embedded database, 50 with PostgreSQL. An open fork uses up to 6 connections to PostgreSQL.',
  },
  CORRIDOR_SANDBOX_STEP_MS: {
    schema: Type.String({ pattern: '^[0-9]{1,6}$' }),
    expects: 'milliseconds, 0 to 999999',
    purpose: 'Pause between the steps of a simulated payment, so that you can see each step when you poll.',
    default: '50',
  },
  CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: {
    schema: switches,
    expects: 'on or off',
    purpose:
      '`on` allows webhooks of sandbox platforms to this machine and its network, also over plain http, and shows the responses to test webhooks. A sandbox token can then be used to explore that network. Unset: on if `HOST` is a loopback address, otherwise off.',
  },
  CORRIDOR_EGRESS_PROXY: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 }),
    expects: 'an http or https address',
    purpose:
      'Proxy for all webhooks and SMS requests. The proxy resolves host names, so it must reject private addresses. Corridor itself rejects private addresses in URLs.',
  },
  CORRIDOR_SANDBOX_UMA_DOMAINS: {
    schema: Type.String({
      pattern: '^[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+(,[A-Za-z0-9-]+(\\.[A-Za-z0-9-]+)+)*$',
      maxLength: 2048,
    }),
    expects: 'host names, separated by commas',
    purpose: 'Domains of the simulated UMA receivers, such as `$success.usd@sandbox.uma.money`.',
    default: 'sandbox.uma.money',
  },
  CORRIDOR_JOB_LEASE_MS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{2,6}$' }),
    expects: 'milliseconds, 100 to 9999999',
    purpose:
      'Lease of a job. When it expires, another process takes the job over. Must be longer than the slowest step of a payment.',
    default: '60000',
  },
  CORRIDOR_RATES: {
    schema: Type.String({ pattern: '^(offline|ecb)$' }),
    expects: 'offline or ecb',
    purpose:
      'Exchange rates in production: the built-in indicative table, or the daily reference rates of the European Central Bank. The sandbox always uses the table.',
    default: 'offline',
  },
  CORRIDOR_ECB_SOURCE: {
    schema: Type.String({ minLength: 1, maxLength: 2048 }),
    expects: 'an http or https address, or the path of a file',
    purpose: 'Location of `eurofxref-daily.xml`, for `CORRIDOR_RATES=ecb`.',
    default: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  },
  CORRIDOR_RATES_FILL: {
    schema: Type.String({ pattern: '^(offline|none)$' }),
    expects: 'offline or none',
    purpose:
      'Rates for currencies that the European Central Bank does not publish, including crypto: the built-in table, or none. Without a rate a currency cannot be converted.',
    default: 'none',
  },
  CORRIDOR_ECB_MAX_AGE_DAYS: {
    schema: Type.String({ pattern: '^[1-9][0-9]?$' }),
    expects: 'days, 1 to 99',
    purpose: 'Maximum age of rates of the European Central Bank; older rates are not used.',
    default: '6',
  },
  CORRIDOR_ALLOW_EMBEDDED_PRODUCTION: {
    schema: switches,
    expects: 'on or off',
    purpose: '`on` allows production platforms on the embedded database, which a power cut can damage.',
    default: 'off',
  },
  CORRIDOR_ROLE: {
    schema: Type.String({ pattern: '^(all|api|worker)$' }),
    expects: 'all, api or worker',
    purpose: 'Role of this process. `api` and `worker` processes share a PostgreSQL database.',
    default: 'all',
  },
  CORRIDOR_BLOB_DIR: {
    schema: Type.String({ minLength: 1 }),
    expects: 'a path',
    purpose: 'Folder for uploaded files, sealed. Unset: `blobs` in the data directory.',
  },
  CORRIDOR_S3_BUCKET: {
    schema: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    expects: 'the name of a bucket',
    purpose: 'Bucket of an S3-compatible service for uploaded files, instead of the folder.',
  },
  CORRIDOR_S3_ENDPOINT: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$' }),
    expects: 'an http or https address without query',
    purpose: 'URL of that service, without the bucket. Unset: Amazon S3 in the region.',
  },
  CORRIDOR_S3_REGION: {
    schema: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    expects: 'the name of a region',
    purpose: 'Region of the bucket; many services accept any value.',
    default: 'us-east-1',
  },
  CORRIDOR_S3_ACCESS_KEY_ID: {
    schema: Type.String({ pattern: '^[!-~]{1,255}$' }),
    expects: 'visible characters without spaces',
    purpose: 'Access key id for the bucket.',
  },
  CORRIDOR_S3_SECRET_ACCESS_KEY: {
    schema: Type.String({ pattern: '^[!-~]{1,255}$' }),
    expects: 'visible characters without spaces',
    purpose: 'Secret access key for the bucket.',
  },
  CORRIDOR_END_USER_TERMS_URL: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 }),
    expects: 'an http or https address',
    purpose:
      'URL of the terms for end users, returned by GET /customers/end-user-terms. Unset: a page that says that no terms are published yet.',
  },
  CORRIDOR_LND_URL: {
    schema: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2048 }),
    expects: 'an https address, together with CORRIDOR_LND_MACAROON',
    purpose:
      'REST interface of a Lightning node (LND), used in production to settle UMA payments and to pay Lightning invoices. Unset: UMA payments only with institutions that have a bilateral agreement, and no Lightning payouts.',
  },
  CORRIDOR_LND_MACAROON: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{2}){16,2048}$' }),
    expects: 'hexadecimal digits',
    purpose: 'Macaroon for the node, with invoices:read, invoices:write, offchain:read and offchain:write.',
  },
  CORRIDOR_LND_TLS_CERT: {
    schema: Type.String({ pattern: '^[A-Za-z0-9+/]{64,16384}={0,2}$' }),
    expects: 'a PEM file in base64, in one line',
    purpose:
      'Self-signed certificate of the node (tls.cert). Unset: the certificate comes from a public authority.',
  },
  CORRIDOR_SMTP_URL: {
    schema: Type.String({ pattern: '^smtps?://[^\\s]+$' }),
    expects: 'an address like smtp://user:password@host:587, together with CORRIDOR_MAIL_FROM',
    purpose: 'Mail server for messages to customers in production. Unset: Corridor sends no e-mail.',
  },
  CORRIDOR_MAIL_FROM: {
    schema: Type.String({ pattern: '^[^@<>\\r\\n]*<?[^\\s@<>]+@[^\\s@<>]+>?$', maxLength: 320 }),
    expects: 'an e-mail address, or a name and an address in angle brackets',
    purpose: 'Sender of the e-mails.',
  },
  CORRIDOR_SMTP_TLS: {
    schema: Type.String({ pattern: '^(required|optional)$' }),
    expects: 'required or optional',
    purpose:
      '`required`: Corridor sends no mail to a server without TLS. `optional`: it does, and codes and the password cross the network unencrypted.',
    default: 'required',
  },
  CORRIDOR_SMS_WEBHOOK_URL: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$' }),
    expects: 'an http or https address, together with CORRIDOR_SMS_WEBHOOK_SECRET',
    purpose:
      'URL of a program that sends SMS. Corridor posts each message to it, signed. Unset: Corridor sends no SMS in production.',
  },
  CORRIDOR_SMS_WEBHOOK_SECRET: {
    schema: Type.String({ pattern: '^[!-~]{20,255}$' }),
    expects: '20 to 255 visible characters without spaces',
    purpose: 'Secret that signs these requests, so that the program can verify them.',
  },
  CORRIDOR_SMS_WEBHOOK_ALLOW_PRIVATE: {
    schema: switches,
    expects: 'on or off',
    purpose: '`on` allows plain http and private addresses for that URL.',
    default: 'off',
  },
} as const satisfies Readonly<Record<string, Variable>>

export type VariableName = keyof typeof variables
