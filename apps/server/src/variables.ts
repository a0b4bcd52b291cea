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
    expects: 'a host name or an IP address',
    purpose:
      'Address to listen on. The default accepts connections from this machine only, because Corridor does not support TLS. Use `0.0.0.0` in a container or behind a TLS proxy.',
    default: 'localhost',
  },
  CORRIDOR_OPERATOR_PORT: {
    schema: Type.String({ pattern: '^([1-9][0-9]{0,4}|0)$' }),
    expects: 'a port number other than PORT; 0 chooses a free port',
    purpose:
      'Port for the operator API and the metrics on a private network. If set, the operator API and the metrics are not available on `PORT`. Unset: `PORT`.',
  },
  CORRIDOR_OPERATOR_HOST: {
    schema: Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', maxLength: 255 }),
    expects: 'a host name or an IP address',
    purpose: 'Address to listen on for `CORRIDOR_OPERATOR_PORT`.',
    default: 'localhost',
  },
  DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'a URL like postgresql://user:password@host:5432/database',
    purpose:
      'Connection to PostgreSQL 15 or later. For a Unix socket, use `postgresql://user@localhost/database?host=/run/postgresql` or `postgresql://user@%2Frun%2Fpostgresql/database`. Unset: Corridor uses the embedded database in the data directory.',
  },
  CORRIDOR_MIGRATE_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'a URL like postgresql://owner:password@host:5432/database',
    purpose:
      'Connection to the database of `DATABASE_URL` as the user that owns the tables. Corridor uses it only for migrations at startup, so the user of `DATABASE_URL` does not have to own the tables. Unset: `DATABASE_URL`.',
  },
  CORRIDOR_BACKUP_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'a URL like postgresql://backup:password@host:5432/database',
    purpose:
      'Connection to the database of `DATABASE_URL` as a user that bypasses row-level security (for `npm run backup`) and can create databases (for `npm run restore-check`). Unset: `DATABASE_URL`.',
  },
  CORRIDOR_DURABILITY: {
    schema: Type.String({ pattern: '^(disk|standby)$' }),
    expects: 'disk or standby',
    purpose:
      'Required durability of commits. `disk`: a commit is on the disk of the database server before Corridor responds or sends anything. `standby`: a commit is also on the disk of a synchronous standby. Corridor does not start if the database provides less. If the database provides less later, `GET /readyz` fails. Unset: Corridor does not check the settings of PostgreSQL.',
  },
  CORRIDOR_DATA_DIR: {
    schema: Type.String({ minLength: 1 }),
    expects: 'a path',
    purpose: 'Folder for keys, the first credentials and the embedded database.',
    default: './data',
  },
  CORRIDOR_BASE_URL: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$', maxLength: 2048 }),
    expects: 'an http or https URL without query',
    purpose: 'Public URL of this installation without the version segment. Corridor uses this URL in links.',
  },
  CORRIDOR_MASTER_KEY: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$' }),
    expects: '32 bytes in hexadecimal or base64',
    purpose:
      'Master key, which seals keys and hashes secrets. Unset: Corridor uses `master.key` in the data directory, and creates the file at the first startup.',
  },
  CORRIDOR_NEW_MASTER_KEY: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{64}|[A-Za-z0-9+/_-]{43}=?)$' }),
    expects: '32 bytes in hexadecimal or base64',
    purpose: 'New master key, which only `npm run rotate-master-key` uses.',
  },
  CORRIDOR_KMS_KEY_ID: {
    schema: Type.String({ pattern: '^[A-Za-z0-9:/_+=,.@-]{1,2048}$' }),
    expects: 'the id, ARN or alias of a symmetric key',
    purpose:
      'Key in AWS KMS or a compatible service to use instead of a master key. The key never leaves the service. The AWS client reads its credentials from its standard sources.',
  },
  CORRIDOR_NEW_KMS_KEY_ID: {
    schema: Type.String({ pattern: '^[A-Za-z0-9:/_+=,.@-]{1,2048}$' }),
    expects: 'the id, ARN or alias of a symmetric key',
    purpose: 'New master key, which only `npm run rotate-master-key` uses.',
  },
  CORRIDOR_KMS_REGION: {
    schema: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    expects: 'the name of a region',
    purpose: 'Region of the key service.',
    default: 'us-east-1',
  },
  CORRIDOR_KMS_ENDPOINT: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s@]+/?$' }),
    expects: 'an http or https URL without path',
    purpose: 'URL of the key service. Unset: AWS KMS in `CORRIDOR_KMS_REGION`.',
  },
  CORRIDOR_OPERATOR_KEY: {
    schema: Type.String({ pattern: '^[!-~]{32,255}$' }),
    expects: '32 to 255 visible characters without spaces',
    purpose:
      'Bearer key of the operator API. Use a random key that cannot be guessed, such as the output of `openssl rand -hex 32`. Unset: Corridor creates a key at the first startup and stores its hash.',
  },
  CORRIDOR_AUDIT_LOG_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps the data forever',
    purpose: 'Days to keep the audit log. The default is seven years.',
    default: '2557',
  },
  CORRIDOR_EVENT_DAYS: {
    schema: Type.String({ pattern: '^(0|[89]|[1-9][0-9]{1,4})$' }),
    expects: 'a whole number of days, at least 8; 0 keeps the events forever',
    purpose:
      'Days to keep events that were delivered, failed permanently or had no endpoint. The minimum is 8, because delivery can take seven days.',
    default: '90',
  },
  CORRIDOR_DELIVERY_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps the data forever',
    purpose: 'Days to keep the responses from webhook endpoints to failed attempts.',
    default: '14',
  },
  CORRIDOR_MESSAGE_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 keeps the data forever',
    purpose:
      'Days to keep messages to end users. In production, Corridor deletes the text of a message as soon as the message is sent.',
    default: '30',
  },
  CORRIDOR_REQUEST_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 for no time limit',
    purpose:
      'Days to keep completed requests: receiver lookups, signing requests, operator proposals, the request log, and hits of sandbox faults (at most the latest 10,000 per platform).',
    default: '7',
  },
  CORRIDOR_REQUEST_LOG: {
    schema: Type.String({ pattern: '^(sandbox|all|off)$' }),
    expects: 'sandbox, all or off',
    purpose:
      'Requests that platforms can see in `GET /request-log`: sandbox requests, all requests or none. Corridor keeps them for `CORRIDOR_REQUEST_DAYS`, at most the latest 10,000 per platform and environment.',
    default: 'sandbox',
  },
  CORRIDOR_REVIEW_HOURS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a whole number of hours from 1 to 999',
    purpose: 'Hours after submission at which an undecided review counts as overdue.',
    default: '24',
  },
  CORRIDOR_REVIEW_SECOND_PERSON_ABOVE: {
    schema: Type.String({ pattern: '^(off|0|[1-9][0-9]{0,13})$' }),
    expects: 'a whole number of US cents, or off',
    purpose:
      "Monthly volume above which a customer's review needs two people to decide. The upper end of the range that the customer stated counts. `off`: one person can decide any review. The default is 10,000.00 USD.",
    default: '1000000',
  },
  CORRIDOR_ANSWER_HOURS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a whole number of hours from 1 to 999',
    purpose:
      'Hours to keep and replay the response for an `Idempotency-Key`. The API documentation promises 24 hours. Responses of stablecoin operations are always kept for 30 days.',
    default: '24',
  },
  CORRIDOR_RATE_LIMITS: {
    schema: switches,
    expects: 'on or off',
    purpose: '`off` disables the rate limits below, for benchmarks.',
    default: 'on',
  },
  CORRIDOR_REQUESTS_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Average number of requests per second from one platform in production. Bursts can be four times as high. The sandbox allows ten times as many.',
    default: String(defaultLimits.platformPerSecond),
  },
  CORRIDOR_CUSTOMER_WRITES_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of changes per second for one customer in production. The sandbox allows ten times as many.',
    default: String(defaultLimits.customerWritesPerSecond),
  },
  CORRIDOR_FAILED_LOGINS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of requests per minute with wrong credentials from one IP address. Above the limit, the response is 429 instead of 401. The limit never blocks correct credentials.',
    default: String(defaultLimits.failedLoginsPerMinute),
  },
  CORRIDOR_WALLET_CHALLENGES_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of codes and passkey challenges per minute for one wallet credential. The sandbox allows twelve times as many.',
    default: String(defaultLimits.walletChallengesPerMinute),
  },
  CORRIDOR_WALLET_FAILURES_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of failed sign-ins per minute for one wallet credential. The sandbox allows six times as many.',
    default: String(defaultLimits.walletFailuresPerMinute),
  },
  CORRIDOR_CARD_REVEALS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose: 'Maximum number of times per minute that the number of one card can be revealed.',
    default: String(defaultLimits.cardRevealsPerMinute),
  },
  CORRIDOR_REDEMPTIONS_PER_MINUTE: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Maximum number of attempts per minute to redeem device codes of agents from one IP address. The sandbox allows ten times as many.',
    default: String(defaultLimits.redemptionsPerMinute),
  },
  CORRIDOR_OPENID_ISSUERS: {
    schema: Type.String({ pattern: '^(https://[!-+.-~-]+(,https://[!-+.-~-]+)*)?$', maxLength: 4096 }),
    expects: 'https URLs, separated by commas',
    purpose: 'Issuers of OpenID tokens that can unlock wallets, in addition to Google and Apple.',
    default: '',
  },
  CORRIDOR_ANONYMOUS_PER_SECOND: {
    schema: Type.String({ pattern: wholeNumber }),
    expects: 'a whole number up to 999999; 0 for no limit',
    purpose:
      'Average number of requests per second from one IP address to unknown paths and to pages that need no credentials. Bursts can be four times as high.',
    default: String(defaultLimits.anonymousPerSecond),
  },
  CORRIDOR_TRUSTED_PROXIES: {
    schema: Type.String({ pattern: '^[0-9A-Za-z.:/,]+$', maxLength: 2048 }),
    expects:
      'IP addresses, networks such as 10.0.0.0/8, or the names loopback, linklocal and uniquelocal, separated by commas',
    purpose:
      'Trusted proxies in front of this server, whose X-Forwarded-For header contains the address of the caller. Unset: all callers behind a proxy share one rate limit.',
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
      '`on` allows forks, snapshots and resets of the sandbox. These operations affect all platforms, so allow them only on development machines and in tests. They are not possible if the installation has a production platform. `corridor dev` sets `on`.',
    default: 'off',
  },
  CORRIDOR_SEED: {
    schema: Type.String({ pattern: '^[0-9]{1,15}$' }),
    expects: 'a number of up to 15 digits',
    purpose:
      'Seed that makes an empty sandbox repeatable: the same requests get the same response bytes. Corridor derives ids, secrets and codes from the seed. The clock starts at 2025-10-13T09:00:00.000Z and advances by one millisecond per request. Requests run one at a time. Rate limits are off, and simulated payments do not pause between steps. Anyone who knows the seed can derive all secrets, so production platforms are not possible. Unset: real randomness and time.',
  },
  CORRIDOR_MAX_WORLDS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a number from 1 to 999',
    purpose:
      'Maximum number of forks, and maximum number of snapshots. An open fork uses up to 6 connections to PostgreSQL. Unset: 8 with the embedded database, 50 with PostgreSQL.',
  },
  CORRIDOR_SANDBOX_STEP_MS: {
    schema: Type.String({ pattern: '^[0-9]{1,6}$' }),
    expects: 'milliseconds, 0 to 999999',
    purpose: 'Pause between the steps of a simulated payment, which lets you see each step when you poll.',
    default: '50',
  },
  CORRIDOR_SANDBOX_PRIVATE_WEBHOOKS: {
    schema: switches,
    expects: 'on or off',
    purpose:
      '`on` allows sandbox platforms to send webhooks to this machine and its network, also over plain http, and shows the platforms the responses to test webhooks. Anyone with a sandbox token can then explore that network. Unset: `on` if `HOST` is a loopback address, otherwise `off`.',
  },
  CORRIDOR_EGRESS_PROXY: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$', maxLength: 2048 }),
    expects: 'an http or https URL',
    purpose:
      'Proxy for all webhooks and SMS requests. The proxy resolves host names, so the proxy must reject names that resolve to private addresses. Corridor itself rejects only URLs with a private IP address.',
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
      'Time for which a process leases a job. When the lease expires, another process takes over the job. The lease must be longer than the slowest step of a payment.',
    default: '60000',
  },
  CORRIDOR_RATES: {
    schema: Type.String({ pattern: '^(offline|ecb)$' }),
    expects: 'offline or ecb',
    purpose:
      'Source of exchange rates in production: the built-in indicative table (`offline`), or the daily reference rates of the European Central Bank (`ecb`). The sandbox always uses the table.',
    default: 'offline',
  },
  CORRIDOR_ECB_SOURCE: {
    schema: Type.String({ minLength: 1, maxLength: 2048 }),
    expects: 'an http or https URL, or the path of a file',
    purpose: 'Location of `eurofxref-daily.xml` if `CORRIDOR_RATES` is `ecb`.',
    default: 'https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml',
  },
  CORRIDOR_RATES_FILL: {
    schema: Type.String({ pattern: '^(offline|none)$' }),
    expects: 'offline or none',
    purpose:
      'Source of rates for currencies that the European Central Bank does not publish, including cryptocurrencies: the built-in table (`offline`) or `none`. A currency without a rate cannot be converted.',
    default: 'none',
  },
  CORRIDOR_ECB_MAX_AGE_DAYS: {
    schema: Type.String({ pattern: '^[1-9][0-9]?$' }),
    expects: 'days, 1 to 99',
    purpose: 'Maximum age of rates from the European Central Bank. Corridor does not use older rates.',
    default: '6',
  },
  CORRIDOR_ALLOW_EMBEDDED_PRODUCTION: {
    schema: switches,
    expects: 'on or off',
    purpose: '`on` allows production platforms on the embedded database, which a power failure can damage.',
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
    purpose: 'Folder for uploaded files, which are stored encrypted. Unset: `blobs` in the data directory.',
  },
  CORRIDOR_S3_BUCKET: {
    schema: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    expects: 'the name of a bucket',
    purpose:
      'Bucket of an S3-compatible service for uploaded files. If set, Corridor does not use `CORRIDOR_BLOB_DIR`.',
  },
  CORRIDOR_S3_ENDPOINT: {
    schema: Type.String({ pattern: '^https?://[^/?#\\s]+(/[^?#\\s]*)?$' }),
    expects: 'an http or https URL without query',
    purpose:
      'URL of the S3-compatible service, without the bucket. Unset: Amazon S3 in `CORRIDOR_S3_REGION`.',
  },
  CORRIDOR_S3_REGION: {
    schema: Type.String({ pattern: '^[a-z0-9-]{1,40}$' }),
    expects: 'the name of a region',
    purpose: 'Region of the bucket. Many services accept any value.',
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
    expects: 'an http or https URL',
    purpose:
      'URL of the terms for end users, which GET /customers/end-user-terms returns. Unset: URL of a page that says that no terms have been published yet.',
  },
  CORRIDOR_LND_URL: {
    schema: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2048 }),
    expects: 'an https URL, together with CORRIDOR_LND_MACAROON',
    purpose:
      'URL of the REST interface of a Lightning node (LND). In production, Corridor uses the node to settle UMA payments and to pay Lightning invoices. Unset: UMA payments work only with institutions that have a bilateral agreement, and Lightning payouts are not available.',
  },
  CORRIDOR_LND_MACAROON: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{2}){16,2048}$' }),
    expects: 'hexadecimal digits',
    purpose:
      'Macaroon for the Lightning node with the permissions invoices:read, invoices:write, offchain:read and offchain:write.',
  },
  CORRIDOR_LND_TLS_CERT: {
    schema: Type.String({ pattern: '^[A-Za-z0-9+/]{64,16384}={0,2}$' }),
    expects: 'a PEM file in base64, in one line',
    purpose:
      'Self-signed certificate of the Lightning node (tls.cert). Unset: the node must have a certificate from a public authority.',
  },
  CORRIDOR_SMTP_URL: {
    schema: Type.String({ pattern: '^smtps?://[^\\s]+$' }),
    expects: 'a URL like smtp://user:password@host:587, together with CORRIDOR_MAIL_FROM',
    purpose: 'Mail server for messages to customers in production. Unset: Corridor sends no e-mail.',
  },
  CORRIDOR_MAIL_FROM: {
    schema: Type.String({ pattern: '^[^@<>\\r\\n]*<?[^\\s@<>]+@[^\\s@<>]+>?$', maxLength: 320 }),
    expects: 'an e-mail address, or a name and an address in angle brackets',
    purpose: 'Sender of e-mails to customers.',
  },
  CORRIDOR_SMTP_TLS: {
    schema: Type.String({ pattern: '^(required|optional)$' }),
    expects: 'required or optional',
    purpose:
      '`required`: Corridor sends no e-mail to a mail server without TLS. `optional`: Corridor also sends e-mails without TLS, and codes and the password then cross the network unencrypted.',
    default: 'required',
  },
  CORRIDOR_SMS_WEBHOOK_URL: {
    schema: Type.String({ pattern: '^https?://[^\\s]+$' }),
    expects: 'an http or https URL, together with CORRIDOR_SMS_WEBHOOK_SECRET',
    purpose:
      'URL of a program that sends SMS. Corridor sends each message to this URL in a signed `POST` request. Unset: Corridor sends no SMS in production.',
  },
  CORRIDOR_SMS_WEBHOOK_SECRET: {
    schema: Type.String({ pattern: '^[!-~]{20,255}$' }),
    expects: '20 to 255 visible characters without spaces',
    purpose: 'Secret with which Corridor signs the requests to `CORRIDOR_SMS_WEBHOOK_URL`.',
  },
  CORRIDOR_SMS_WEBHOOK_ALLOW_PRIVATE: {
    schema: switches,
    expects: 'on or off',
    purpose: '`on` allows plain http and private addresses in `CORRIDOR_SMS_WEBHOOK_URL`.',
    default: 'off',
  },
} as const satisfies Readonly<Record<string, Variable>>

export type VariableName = keyof typeof variables
