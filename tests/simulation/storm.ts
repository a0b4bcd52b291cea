import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type CorridorClient, createClient } from '@corridor/sdk/path-client.ts'
import { freePort } from '@corridor/testkit/free-port.ts'
import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  quoteBody,
} from '@corridor/testkit/index.ts'

/**
 * A storm of payments in the middle of which something is taken away, and what became of every payment and
 * of every answer. Each payment is repeated under its key until it is answered, as the documentation tells
 * callers to do.
 */
export interface StormOptions {
  /** The built program: `apps/server/dist/main.js` of any release. */
  readonly program: string
  /** Absent: the embedded database. */
  readonly databaseUrl?: string
  readonly payments: number
  readonly callers: number
  /** Takes something away and gives it back; called once a third of the payments has been acknowledged. */
  readonly disturb: (server: StormServer, marks: Marks) => Promise<void>
}

/** When, in milliseconds since the disturbance began. */
export interface Marks {
  /** What was taken away has been given back. */
  restored(): void
}

export interface StormReport {
  /** How often each status was answered; `none`: the connection broke, because nobody listened. */
  readonly answers: Readonly<Record<string, number>>
  readonly longestAnswerMs: number
  /** From the disturbance to the first answer 503 of a caller whose credentials nobody knows. */
  readonly to503Ms: number | undefined
  readonly toUnreadyMs: number | undefined
  /** From the moment in which all was given back to the first payment that was taken, and to /readyz. */
  readonly toServiceMs: number | undefined
  readonly toReadyMs: number | undefined
  readonly refusedStarts: number
  readonly completed: number
  readonly leftMinor: number
  readonly problems: readonly unknown[]
  readonly sound: boolean
}

const amountMinor = 100
/** How long a claimed job stays with a dead process. */
const usualLeaseMs = 1_000
/** A caller's own patience with one answer. */
const answerLimitMs = 100_000

export async function storm(options: StormOptions): Promise<StormReport> {
  const server = new StormServer(options.program, options.databaseUrl)
  try {
    await server.start()
    return await play(server, options)
  } finally {
    await server.remove()
  }
}

async function play(server: StormServer, options: StormOptions): Promise<StormReport> {
  const { api, operatorKey } = server.connect()
  const customer = await createCustomer(api)
  const usd = await internalAccountOf(api, customer.id, 'USD')
  await fund(api, usd.id, options.payments * amountMinor)
  const payee = await createPayee(api, 'PHP', '1234567890', { customerId: customer.id })
  const quotes: string[] = []
  for (let made = 0; made < options.payments; made += options.callers) {
    const some = Math.min(options.callers, options.payments - made)
    const batch = Array.from({ length: some }, () => createQuote(api, quoteBody(usd, payee, amountMinor)))
    quotes.push(...(await Promise.all(batch)).map(({ id }) => id))
  }

  const answers: Record<string, number> = {}
  let longestAnswerMs = 0
  let acknowledged = 0
  let begun: number | undefined
  let restored: number | undefined
  let to503Ms: number | undefined
  let toUnreadyMs: number | undefined
  let toServiceMs: number | undefined
  let toReadyMs: number | undefined
  let isOver = false
  const since = (moment: number) => Math.round(performance.now() - moment)

  async function observed(call: () => Promise<number>): Promise<number | undefined> {
    const startedAt = performance.now()
    const status = await call().catch(() => undefined)
    const name = String(status ?? 'none')
    answers[name] = (answers[name] ?? 0) + 1
    longestAnswerMs = Math.max(longestAnswerMs, since(startedAt))
    return status
  }

  let disturbance: Promise<void> | undefined
  function startDisturbance(): void {
    begun = performance.now()
    disturbance = options.disturb(server, {
      restored() {
        restored = performance.now()
      },
    })
  }

  async function probe(): Promise<void> {
    while (!isOver) {
      const [status, ready] = await Promise.all([
        observed(() => server.status('/2025-10-13/config', `Basic ${btoa(`nobody:${performance.now()}`)}`)),
        server.status('/readyz').catch(() => undefined),
      ])
      if (begun !== undefined) {
        if (status === 503) to503Ms ??= since(begun)
        if (ready === 503) toUnreadyMs ??= since(begun)
      }
      if (restored !== undefined && ready === 200) toReadyMs ??= since(restored)
      await wait(50)
    }
  }

  async function pay(id: string): Promise<void> {
    const isDone = (status: number | undefined) => status !== undefined && status < 300
    for (;;) {
      const askedAt = performance.now()
      const status = await observed(() => server.execute(id))
      if (!isDone(status)) {
        await wait(100)
        continue
      }
      acknowledged++
      if (restored !== undefined && askedAt >= restored) toServiceMs ??= since(restored)
      if (acknowledged * 3 >= options.payments && !disturbance) startDisturbance()
      return
    }
  }

  const probing = probe()
  const queue = [...quotes]
  // The last third is kept until all has been given back, so that there is something to be served then.
  const later = queue.splice(Math.floor((queue.length * 2) / 3))
  const work = async () => {
    for (let id = queue.shift(); id !== undefined; id = queue.shift()) await pay(id)
  }
  await Promise.all(Array.from({ length: options.callers }, work))
  await disturbance
  queue.push(...later)
  await Promise.all(Array.from({ length: options.callers }, work))
  const completed = await untilCompleted(server, options.payments)
  isOver = true
  await probing

  const left = await internalAccountOf(server.connect().api, customer.id, 'USD')
  const audit = (await server.audit(operatorKey)) as { sound: boolean; problems: unknown[] }
  return {
    answers,
    longestAnswerMs,
    to503Ms,
    toUnreadyMs,
    toServiceMs,
    toReadyMs,
    refusedStarts: server.refusedStarts,
    completed,
    leftMinor: left.totalBalance.amount,
    ...audit,
  }
}

async function untilCompleted(server: StormServer, wanted: number): Promise<number> {
  const { api } = server.connect()
  const query = { status: 'COMPLETED', type: 'OUTGOING', limit: 1 } as const
  for (let round = 0, count = 0; ; round++) {
    const page = await api.GET('/transactions', { params: { query } }).catch(() => undefined)
    count = page?.data?.totalCount ?? count
    if (count >= wanted || round >= 400) return count
    await wait(100)
  }
}

interface Credentials {
  readonly operatorKey: string
  readonly platforms: readonly { readonly name: string; clientId: string; clientSecret: string }[]
}

/** A server whose parent never asks for the exit code of its child, as in a container without an init. */
export class StormServer {
  readonly #directory = mkdtempSync(join(tmpdir(), 'corridor-storm-'))
  readonly #program: string
  readonly #leaseMs: number
  readonly #databaseUrl: string | undefined
  #port = 0
  #credentials: Credentials | undefined
  #parents: ChildProcess[] = []
  #pid = 0
  refusedStarts = 0

  constructor(program: string, databaseUrl: string | undefined, leaseMs = usualLeaseMs) {
    this.#leaseMs = leaseMs
    this.#program = program
    this.#databaseUrl = databaseUrl
  }

  async start(): Promise<void> {
    if (this.#port === 0) this.#port = await freePort()
    const parent = spawn(
      'sh',
      ['-c', '"$@" & echo "pid $!"; exec sleep 3600', 'sh', process.execPath, this.#program],
      {
        env: {
          PATH: process.env.PATH ?? '',
          CORRIDOR_DATA_DIR: this.#directory,
          ...(this.#databaseUrl ? { DATABASE_URL: this.#databaseUrl } : {}),
          PORT: String(this.#port),
          CORRIDOR_RATE_LIMITS: 'off',
          CORRIDOR_SANDBOX_STEP_MS: '0',
          CORRIDOR_JOB_LEASE_MS: String(this.#leaseMs),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    this.#parents.push(parent)
    let said = ''
    await new Promise<void>((resolve, reject) => {
      let isReady = false
      const hear = (chunk: Buffer) => {
        if (isReady) return
        said += chunk
        this.#pid = Number(/^pid (\d+)$/m.exec(said)?.[1] ?? 0)
        if (said.includes('"msg":"ready"')) {
          isReady = true
          resolve()
        } else if (/in use by process|already in use/.test(said)) {
          isReady = true
          reject(new Error(said))
        }
      }
      parent.stdout.on('data', hear)
      parent.stderr.on('data', hear)
    })
  }

  /** SIGKILL: the process has no say in it, and stays unburied. */
  kill(): void {
    process.kill(this.#pid, 'SIGKILL')
  }

  /** As a supervisor does it: again and again until it is up. */
  async restart(): Promise<void> {
    for (;;) {
      try {
        return await this.start()
      } catch {
        this.refusedStarts++
        await wait(500)
        if (this.refusedStarts >= 10) this.#parents[0]?.kill('SIGKILL')
      }
    }
  }

  async status(path: string, authorization?: string): Promise<number> {
    const response = await fetch(`http://localhost:${this.#port}${path}`, {
      headers: authorization ? { authorization } : {},
      signal: AbortSignal.timeout(answerLimitMs),
    })
    await response.arrayBuffer()
    return response.status
  }

  /** Without the SDK, so that every answer is seen. */
  async execute(quoteId: string): Promise<number> {
    const { authorization } = this.credentials()
    const response = await fetch(`${this.baseUrl}/quotes/${quoteId}/execute`, {
      method: 'POST',
      headers: { authorization, 'idempotency-key': quoteId },
      signal: AbortSignal.timeout(answerLimitMs),
    })
    await response.arrayBuffer()
    return response.status
  }

  connect(): { api: CorridorClient; operatorKey: string } {
    const { acme, operatorKey } = this.credentials()
    return { api: createClient({ baseUrl: this.baseUrl, ...acme }), operatorKey }
  }

  credentials() {
    this.#credentials ??= JSON.parse(
      readFileSync(join(this.#directory, 'credentials.json'), 'utf8'),
    ) as Credentials
    const { platforms, operatorKey } = this.#credentials
    const acme = platforms.find(({ name }) => name === 'acme')!
    return { acme, operatorKey, authorization: `Basic ${btoa(`${acme.clientId}:${acme.clientSecret}`)}` }
  }

  get baseUrl(): string {
    return `http://localhost:${this.#port}/2025-10-13`
  }

  async audit(operatorKey: string): Promise<unknown> {
    const response = await fetch(`http://localhost:${this.#port}/operator/audit`, {
      headers: { authorization: `Bearer ${operatorKey}` },
    })
    return response.json()
  }

  async remove(): Promise<void> {
    if (this.#pid) {
      try {
        this.kill()
      } catch {
        // It has ended already.
      }
    }
    for (const parent of this.#parents) parent.kill('SIGKILL')
    rmSync(this.#directory, { recursive: true, force: true, maxRetries: 3 })
  }
}
