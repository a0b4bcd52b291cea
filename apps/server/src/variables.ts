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
      'Address on which the server listens. The default accepts only connections from this machine, because Corridor does not provide TLS. Use `0.0.0.0` in a container or behind a TLS proxy.',
    default: 'localhost',
  },
  CORRIDOR_OPERATOR_PORT: {
    schema: Type.String({ pattern: '^([1-9][0-9]{0,4}|0)$' }),
    expects: 'a port number other than PORT; 0 chooses a free port',
    purpose:
      'Separate port for the operator API and the metrics, for a private network. If unset, the operator API and the metrics use `PORT`.',
  },
  CORRIDOR_OPERATOR_HOST: {
    schema: Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', maxLength: 255 }),
    expects: 'a host name or an address',
    purpose: 'Address on which the server listens for `CORRIDOR_OPERATOR_PORT`.',
    default: 'localhost',
  },
  DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://user:password@host:5432/database',
    purpose:
      'Database in PostgreSQL 15 or later. For a Unix socket, use `postgresql://user@localhost/database?host=/run/postgresql` or `postgresql://user@%2Frun%2Fpostgresql/database`. If unset, Corridor uses the embedded database in the data directory.',
  },
  CORRIDOR_MIGRATE_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://owner:password@host:5432/database',
    purpose:
      'The same database, with the user that owns the tables. Only the migrations at startup use this URL, so the user in `DATABASE_URL` does not have to own the tables. If unset, the migrations use `DATABASE_URL`.',
  },
  CORRIDOR_BACKUP_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://backup:password@host:5432/database',
    purpose:
      'The same database, with a user that can bypass row-level security (for `npm run backup`) and create databases (for `npm run restore-check`). If unset, these commands use `DATABASE_URL`.',
  },
  CORRIDOR_DURABILITY: {
    schema: Type.String({ pattern: '^(disk|standby)$' }),
    expects: 'disk or standby',
    purpose:
      'Required durability of commits before Corridor responds or sends anything. With `disk`, commits must be on the disk of the database server. With `standby`, commits must also be on the disk of a synchronous standby. Corridor does not start if the database provides less durability, and `GET /readyz` fails if this happens later. If unset, Corridor does not check the settings of PostgreSQL.',
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
    purpose: 'Public URL of this installation for links, without the version segment.',
  },
  CORRIDOR_MASTER_KEY: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$' }),
    expects: '32 bytes in hexadecimal or base64',
    purpose:
      'Master key that encrypts keys and hashes secrets. If unset, Corridor uses `master.key` in the data directory and creates it at the first startup.',
  },
  CORRIDOR_NEW_MASTER_KEY: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$' }),
    expects: '32 bytes in hexadecimal or base64',
    purpose: 'New master key, used only by `npm run rotate-master-key`.',
  },
  CORRIDOR_KMS_KEY_ID: {
    schema: Type.String({ pattern: '^[A-Za-z0-9:/_+=,.@-]{1,2048}$' }),
    expects: 'the id, ARN or alias of a symmetric key',
    purpose:
      'Key in AWS KMS or a compatible service that replaces the master key. The server then never holds the key. The AWS client finds its credentials as usual.',
  },
  CORRIDOR_NEW_KMS_KEY_ID: {
    schema: Type.String({ pattern: '^[A-Za-z0-9:/_+=,.@-]{1,2048}$' }),
    expects: 'the id, ARN or alias of a symmetric key',
    purpose: 'New master key, used only by `npm run rotate-master-key`.',
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
    purpose: 'URL of the key service. If unset, Corridor uses AWS in the region.',
  },
  CORRIDOR_OPERATOR_KEY: {
    schema: Type.String({ pattern: '^[!-~]{32,255}$' }),
    expects: '32 to 255 visible characters without spaces',
    purpose:
      'Bearer key of the operator API. Create a random key with `openssl rand -hex 32`, because only its randomness prevents guessing. If unset, Corridor creates a key at the first startup and stores its hash.',
  },
  CORRIDOR_AUDIT_LOG_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps them forever',
    purpose: 'Retention of the audit log, in days. The default is seven years.',
    default: '2557',
  },
  CORRIDOR_EVENT_DAYS: {
    schema: Type.String({ pattern: '^(0|[89]|[1-9][0-9]{1,4})$' }),
    expects: 'a whole number of days from 8; 0 keeps them forever',
    purpose:
      'Retention of events that were delivered, failed permanently or had no endpoint, in days. The minimum is 8, because delivery can take seven days.',
    default: '90',
  },
  CORRIDOR_DELIVERY_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps them forever',
    purpose: 'Retention of endpoint responses to failed attempts, in days.',
    default: '14',
  },
  CORRIDOR_MESSAGE_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps them forever',
    purpose:
      'Retention of messages to end users, in days. In production, Corridor deletes the text as soon as the message is sent.',
    default: '30',
  },
  CORRIDOR_REQUEST_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps them forever',
    purpose:
      'Retention of receiver lookups, signing requests, operator proposals, the request log, and fault hits in sandboxes (at most the latest 10,000 per platform), in days.',
    default: '7',
  },
  CORRIDOR_REQUEST_LOG: {
    schema: Type.String({ pattern: '^(sandbox|all|off)$' }),
    expects: 'sandbox, all or off',
    purpose:
      'Requests that platforms can see in `GET /request-log`. With `sandbox`, platforms see sandbox requests, with `all` also production requests, and with `off` no requests. Corridor keeps at most the latest 10,000 requests per platform and environment for `CORRIDOR_REQUEST_DAYS`.',
    default: 'sandbox',
  },
  CORRIDOR_REVIEW_HOURS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a whole number of hours from 1 to 999',
    purpose: 'Number of hours after a submission until the review is overdue.',
    default: '24',
  },
  CORRIDOR_REVIEW_SECOND_PERSON_ABOVE: {
    schema: Type.String({ pattern: '^(off|0|[1-9][0-9]{0,13})$' }),
    expects: 'a whole number of cents of a US dollar, or off',
    purpose:
      'Monthly volume of a customer above which two people have to decide a review. Corridor uses the upper end of the range that the customer stated. With `off`, one person can decide any review. The default is 10,000.00 USD.',
    default: '1000000',
  },
  CORRIDOR_ANSWER_HOURS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a whole number of hours from 1 to 999',
    purpose:
      'Number of hours for which Corridor can replay the response to an `Idempotency-Key`. The API guarantees 24 hours. Responses of stablecoin operations are always kept for 30 days.',
    default: '24',
  },
  CORRIDOR_RATE_LIMITS: {
    schema: switches,
    expects: 'on or off',
    purpose:
      'With `off`, Corridor does not enforce the following rate limits. Use `off` only for benchmarks.',
    default: 'on',
  },
  CORRIDOR_REQUESTS_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum average number of requests per second of a platform in production. Bursts can be four times as high. The sandbox limit is ten times as high.',
    default: String(defaultLimits.platformPerSecond),
  },
  CORRIDOR_CUSTOMER_WRITES_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of changes per second to one customer in production. The sandbox limit is ten times as high.',
    default: String(defaultLimits.customerWritesPerSecond),
  },
  CORRIDOR_FAILED_LOGINS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of requests per minute with wrong credentials from one address. Above the limit, the response is 429 instead of 401. Correct credentials always work.',
    default: String(defaultLimits.failedLoginsPerMinute),
  },
  CORRIDOR_WALLET_CHALLENGES_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of codes and passkey challenges per minute for one wallet credential. The sandbox limit is twelve times as high.',
    default: String(defaultLimits.walletChallengesPerMinute),
  },
  CORRIDOR_WALLET_FAILURES_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of failed sign-ins per minute with one wallet credential. The sandbox limit is six times as high.',
    default: String(defaultLimits.walletFailuresPerMinute),
  },
  CORRIDOR_CARD_REVEALS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'Maximum number of reveals of a card number per minute and card.',
    default: String(defaultLimits.cardRevealsPerMinute),
  },
  CORRIDOR_REDEMPTIONS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of attempts per minute to redeem device codes from one address. The sandbox limit is ten times as high.',
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
      'Maximum average number of requests per second from one address to unknown paths and to pages without credentials. Bursts can be four times as high.',
    default: String(defaultLimits.anonymousPerSecond),
  },
  CORRIDOR_TRUSTED_PROXIES: {
    schema: Type.String({ pattern: '^[0-9A-Za-z.:/,]+$', maxLength: 2048 }),
    expects:
      'addresses or networks like 10.0.0.0/8, separated by commas, or loopback, linklocal, uniquelocal',
    purpose:
      'Trusted proxies in front of this server, whose X-Forwarded-For header contains the address of the caller. If unset, all callers behind a proxy share one rate limit.',
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
      'With `on`, the sandbox allows forks, snapshots and resets. They affect all platforms, so use `on` only for development and tests. The setting is not possible with a production platform. `corridor dev` sets `on`.',
    default: 'off',
  },
  CORRIDOR_SEED: {
    schema: Type.String({ pattern: '^[0-9]{1,15}$' }),
    expects: 'a number of up to 15 digits',
    purpose:
      'Number from which Corridor derives ids, secrets and codes, so that the same requests to an empty sandbox get the same bytes. The clock starts at 2025-10-13T09:00:00.000Z and moves one millisecond per request. Requests run one at a time, without limits or pauses. Anyone who knows the number can derive all secrets, so Corridor rejects production platforms. If unset, Corridor uses real randomness and time.',
  },
  CORRIDOR_MAX_WORLDS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a number from 1 to 999',
    purpose:
      'Maximum number of forks, and maximum number of snapshots. If unset, the maximum is 8 with the embedded database and 50 with PostgreSQL. An open fork uses up to 6 connections to PostgreSQL.',
  },
  CORRIDOR_SANDBOX_STEP_MS: {
    schema: Type.String({ pattern: '^[0-9]{1,6}$' }),
    expects: 'milliseconds, 0 to 999999',
    purpose:
      'Pause between the steps of a simulated payment. The pause lets you see each step when you poll.',
    default: '50',
  },
  CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: {
    schema: switches,
    expects: 'on or off',
    purpose:
      'With `on`, sandbox platforms can send webhooks to this machine and its network, even over plain http, and see the responses to test webhooks. Anyone with a sandbox token can then explore the network. If unset, the setting is on if `HOST` is a loopback address, and off otherwise.',
  },
  CORRIDOR_EGRESS_PROXY: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 }),
    expects: 'an http or https address',
    purpose:
      'Proxy for all webhooks and SMS requests. The proxy resolves host names, so the proxy must reject private addresses. Corridor rejects private addresses in URLs.',
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
      "Duration of a job's lease. When the lease expires, another process takes over the job. The lease must be longer than the slowest step of a payment.",
    default: '60000',
  },
  CORRIDOR_RATES: {
    schema: Type.String({ pattern: '^(offline|ecb)$' }),
    expects: 'offline or ecb',
    purpose:
      'Source of exchange rates in production. `offline` is the built-in indicative table, and `ecb` the daily reference rates of the European Central Bank. The sandbox always uses the built-in table.',
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
      'Source of rates that the European Central Bank does not publish, including rates of crypto assets. `offline` is the built-in table. With `none`, currencies without a rate cannot be converted.',
    default: 'none',
  },
  CORRIDOR_ECB_MAX_AGE_DAYS: {
    schema: Type.String({ pattern: '^[1-9][0-9]?$' }),
    expects: 'days, 1 to 99',
    purpose: 'Maximum age of rates of the European Central Bank. Corridor does not use older rates.',
    default: '6',
  },
  CORRIDOR_ALLOW_EMBEDDED_PRODUCTION: {
    schema: switches,
    expects: 'on or off',
    purpose: 'With `on`, production platforms can use the embedded database, which a power cut can damage.',
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
    purpose:
      'Folder for uploaded files, which Corridor stores encrypted. If unset, Corridor uses `blobs` in the data directory.',
  },
  CORRIDOR_S3_BUCKET: {
    schema: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    expects: 'the name of a bucket',
    purpose: 'Bucket of an S3-compatible service for uploaded files, instead of a folder.',
  },
  CORRIDOR_S3_ENDPOINT: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$' }),
    expects: 'an http or https address without query',
    purpose:
      'URL of the S3-compatible service, without the bucket. If unset, Corridor uses Amazon S3 in the region.',
  },
  CORRIDOR_S3_REGION: {
    schema: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    expects: 'the name of a region',
    purpose: 'Region of the bucket. Many S3-compatible services accept any value.',
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
      'URL of the terms for end users, which GET /customers/end-user-terms returns. If unset, the URL leads to a page that says that no terms are published yet.',
  },
  CORRIDOR_LND_URL: {
    schema: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2048 }),
    expects: 'an https address, together with CORRIDOR_LND_MACAROON',
    purpose:
      'URL of the REST interface of a Lightning node (LND). In production, Corridor uses the node to settle UMA payments and to pay Lightning invoices. If unset, UMA payments are possible only with institutions that have a bilateral agreement, and Lightning payouts are not possible.',
  },
  CORRIDOR_LND_MACAROON: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{2}){16,2048}$' }),
    expects: 'hexadecimal digits',
    purpose:
      'Macaroon for the Lightning node, with the permissions invoices:read, invoices:write, offchain:read and offchain:write.',
  },
  CORRIDOR_LND_TLS_CERT: {
    schema: Type.String({ pattern: '^[A-Za-z0-9+/]{64,16384}={0,2}$' }),
    expects: 'a PEM file in base64, in one line',
    purpose:
      'Self-signed certificate of the Lightning node (tls.cert). If unset, the node must have a certificate of a public authority.',
  },
  CORRIDOR_SMTP_URL: {
    schema: Type.String({ pattern: '^smtps?://[^\\s]+$' }),
    expects: 'an address like smtp://user:password@host:587, together with CORRIDOR_MAIL_FROM',
    purpose: 'Mail server for messages to customers in production. If unset, Corridor does not send e-mails.',
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
      'With `required`, Corridor does not send e-mails to a server without TLS. With `optional`, it does, and codes and the password cross the network unencrypted.',
    default: 'required',
  },
  CORRIDOR_SMS_WEBHOOK_URL: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$' }),
    expects: 'an http or https address, together with CORRIDOR_SMS_WEBHOOK_SECRET',
    purpose:
      'URL of a program that sends SMS. Corridor posts each message to this URL and signs the request. If unset, Corridor does not send SMS in production.',
  },
  CORRIDOR_SMS_WEBHOOK_SECRET: {
    schema: Type.String({ pattern: '^[!-~]{20,255}$' }),
    expects: '20 to 255 visible characters without spaces',
    purpose: 'Secret with which Corridor signs these requests, so that the program can verify them.',
  },
  CORRIDOR_SMS_WEBHOOK_ALLOW_PRIVATE: {
    schema: switches,
    expects: 'on or off',
    purpose: 'With `on`, `CORRIDOR_SMS_WEBHOOK_URL` can use plain http and private addresses.',
    default: 'off',
  },
} as const satisfies Readonly<Record<string, Variable>>

export type VariableName = keyof typeof variables
