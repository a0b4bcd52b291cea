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
  CORRIDOR_OPERATOR_PORT: {
    schema: Type.String({ pattern: '^([1-9][0-9]{0,4}|0)$' }),
    expects: 'a port number other than PORT; 0 takes any that is free',
    purpose:
      'Port of the operator API and the metrics, which are then unknown on the other port: for a network of your own. Unset: they are on `PORT`.',
  },
  CORRIDOR_OPERATOR_HOST: {
    schema: Type.String({ pattern: '^[A-Za-z0-9.:_-]+$', maxLength: 255 }),
    expects: 'a host name or an address',
    purpose: 'Address that this port listens on.',
    default: 'localhost',
  },
  DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://user:password@host:5432/database',
    purpose:
      'PostgreSQL 15 or later. Over the socket of a server on this machine: `postgresql://user@localhost/database?host=/run/postgresql`, or with the directory in the place of the host, `postgresql://user@%2Frun%2Fpostgresql/database`. Unset: the embedded database, in the data directory.',
  },
  CORRIDOR_MIGRATE_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://owner:password@host:5432/database',
    purpose:
      'The same database under the user that owns the tables. Migrations run under it at the start and nothing else does, so that the user of `DATABASE_URL` need own nothing. Unset: that user migrates, too.',
  },
  CORRIDOR_BACKUP_DATABASE_URL: {
    schema: Type.String({ pattern: '^postgres(ql)?://' }),
    expects: 'an address like postgresql://backup:password@host:5432/database',
    purpose:
      'The same database under a user who may read past its policies, for `npm run backup`; and who may make a database beside it, for `npm run restore-check`. Unset: the user of `DATABASE_URL`.',
  },
  CORRIDOR_DURABILITY: {
    schema: Type.String({ pattern: '^(disk|standby)$' }),
    expects: 'disk or standby',
    purpose:
      'Durability that the database has to give. `disk`: a commit is on the disk of the server. `standby`: a commit is on the disk of a synchronous standby as well, and nothing leaves Corridor before that. Corridor refuses to start on a database that gives less, and `GET /readyz` says so later. Unset: as the settings of PostgreSQL have it, and no check.',
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
    schema: Type.String({ pattern: '^[!-~]{32,255}$' }),
    expects: '32 to 255 visible characters without spaces',
    purpose:
      'Bearer key of the operator API. Nothing but its randomness stops guesses: make it with `openssl rand -hex 32`. Unset: made on first start and kept as a hash.',
  },
  CORRIDOR_AUDIT_LOG_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 for ever',
    purpose: 'How long the log of who did what is kept. The default is seven years.',
    default: '2557',
  },
  CORRIDOR_EVENT_DAYS: {
    schema: Type.String({ pattern: '^(0|[89]|[1-9][0-9]{1,4})$' }),
    expects: 'a whole number of days from 8; 0 for ever',
    purpose:
      'How long events are kept that were told, were given up or had no endpoint. At least 8, so that none goes that may still be told.',
    default: '90',
  },
  CORRIDOR_DELIVERY_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 for ever',
    purpose: 'How long it is kept what endpoints answered to attempts that failed.',
    default: '14',
  },
  CORRIDOR_MESSAGE_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 for ever',
    purpose:
      'How long messages to end users are kept; where they really leave, their text goes once they are sent.',
    default: '30',
  },
  CORRIDOR_REQUEST_DAYS: {
    schema: Type.String({ pattern: '^(0|[1-9][0-9]{0,4})$' }),
    expects: 'a whole number of days; 0 for ever',
    purpose:
      'How long requests are kept that are over: lookups of receivers, what was to be signed, proposals of operators, the log of requests, and what failed on purpose in a sandbox, of which the latest 10,000 of each platform stay.',
    default: '7',
  },
  CORRIDOR_REQUEST_LOG: {
    schema: Type.String({ pattern: '^(sandbox|all|off)$' }),
    expects: 'sandbox, all or off',
    purpose:
      'Whose requests platforms see in `GET /request-log`: those of sandboxes, of production too, or none. Kept for `CORRIDOR_REQUEST_DAYS`, the latest 10,000 of each platform and environment.',
    default: 'sandbox',
  },
  CORRIDOR_REVIEW_HOURS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a whole number of hours from 1 to 999',
    purpose: 'How long after its submission a review is to be decided; then it is shown as overdue.',
    default: '24',
  },
  CORRIDOR_REVIEW_SECOND_PERSON_ABOVE: {
    schema: Type.String({ pattern: '^(off|0|[1-9][0-9]{0,13})$' }),
    expects: 'a whole number of cents of a US dollar, or off',
    purpose:
      'Above how much a decision about a review takes two people: what the customer says that it will move in a month, by the most that this may come to. `off`: one person decides about any amount. The default is 10,000.00 USD.',
    default: '1000000',
  },
  CORRIDOR_ANSWER_HOURS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a whole number of hours from 1 to 999',
    purpose:
      'How long the answer to a request with an `Idempotency-Key` is kept, and repeated. The API promises 24; those of stablecoin operations are kept for 30 days in any case.',
    default: '24',
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
    purpose:
      'Requests with wrong credentials from one address. More get 429 in place of 401; right credentials are never refused.',
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
  CORRIDOR_WORLDS: {
    schema: switches,
    expects: 'on or off',
    purpose:
      'Whether the sandbox can be forked, restored and reset. A copy holds all platforms, and a restore sets all of them back: for machines of developers and tests, and refused as soon as there is a production platform. `corridor dev` sets it.',
    default: 'off',
  },
  CORRIDOR_SEED: {
    schema: Type.String({ pattern: '^[0-9]{1,15}$' }),
    expects: 'a number of up to 15 digits',
    purpose:
      'Makes an empty sandbox answer the same requests with the same bytes: ids, secrets and codes are drawn from this number, the clock stands at 2025-10-13T09:00:00.000Z and each request adds a millisecond, requests are taken one at a time, and there are no limits and no pauses. Whoever knows the number knows the secrets, so production platforms are refused. Unset: chance, and the clock of the machine.',
  },
  CORRIDOR_MAX_WORLDS: {
    schema: Type.String({ pattern: '^[1-9][0-9]{0,2}$' }),
    expects: 'a number from 1 to 999',
    purpose:
      'How many forks there may be, and how many snapshots. Unset: 8 of the embedded database, 50 of PostgreSQL, where each open fork takes up to 6 connections.',
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
  CORRIDOR_LND_URL: {
    schema: Type.String({ pattern: '^https://[^\\s]+$', maxLength: 2048 }),
    expects: 'an https address, together with CORRIDOR_LND_MACAROON',
    purpose:
      'REST interface of a Lightning node like LND, over which production platforms settle UMA payments and pay Lightning invoices. Unset: UMA payments with institutions that have a bilateral agreement alone, and no payouts over Lightning.',
  },
  CORRIDOR_LND_MACAROON: {
    schema: Type.String({ pattern: '^([0-9a-fA-F]{2}){16,2048}$' }),
    expects: 'hexadecimal digits',
    purpose: 'Opens the node: invoices:read, invoices:write, offchain:read and offchain:write suffice.',
  },
  CORRIDOR_LND_TLS_CERT: {
    schema: Type.String({ pattern: '^[A-Za-z0-9+/]{64,16384}={0,2}$' }),
    expects: 'a PEM file in base64, in one line',
    purpose:
      'The certificate that the node has made for itself (tls.cert). Unset: one of a public authority.',
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

export type VariableName = keyof typeof variables
