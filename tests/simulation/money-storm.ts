import { setTimeout as wait } from 'node:timers/promises'
import pg from 'pg'
import { openMoney } from './money-actions.ts'
import { type BalanceVersion, contradictions, versionsWithGaps } from './money-checks.ts'
import type { Answer, Caller } from './money-stage.ts'
import { generator } from './random.ts'
import { StormServer } from './storm.ts'

/**
 * A storm of everything that moves money, with returns, freezes, suspense and receivables, while the server is killed without
 * warning and started again. Each call is repeated under its key until it is answered.
 */
export interface MoneyStormOptions {
  readonly program: string
  readonly databaseUrl: string
  readonly seed: number
  readonly acts: number
  readonly callers: number
  readonly kills: number
}

export interface MoneyStormReport {
  /** How often each operation was answered with which status. */
  readonly answers: Readonly<Record<string, number>>
  /** Calls whose connection broke, or which met a server that was not ready. */
  readonly repeated: number
  readonly payments: number
  /** Payments that a caller was told of and that are not over. */
  readonly unfinished: readonly string[]
  /** What was lost, doubled or left unexplained. */
  readonly contradictions: readonly string[]
  readonly problems: readonly unknown[]
}

const patienceMs = 60_000
/** Long enough for a busy machine: a lease that ends in a living process counts as an attempt that took its process along. */
const leaseMs = 4_000

export async function moneyStorm(options: MoneyStormOptions): Promise<MoneyStormReport> {
  const server = new StormServer(options.program, options.databaseUrl, leaseMs)
  const client = new pg.Client({ connectionString: options.databaseUrl })
  try {
    await server.start()
    await client.connect()
    return await play(server, client, options)
  } finally {
    await client.end()
    await server.remove()
  }
}

async function play(
  server: StormServer,
  client: pg.Client,
  { seed, acts, callers, kills }: MoneyStormOptions,
): Promise<MoneyStormReport> {
  const random = generator(seed)
  const { acme, operatorKey } = server.credentials()
  let repeated = 0

  /** Repeats a call until it is answered, as the documentation tells callers to do. */
  async function persist(url: string, init: RequestInit): Promise<Answer> {
    const until = performance.now() + patienceMs
    for (;;) {
      const response = await fetch(url, { ...init, signal: AbortSignal.timeout(20_000) }).catch(
        () => undefined,
      )
      const text = await response?.text().catch(() => undefined)
      const isAnswered = text !== undefined && response!.status !== 503 && response!.status !== 425
      // The first request with the key may still be running in a process that is dead by now.
      const isStill =
        isAnswered && response!.status === 409 && /"(REQUEST_IN_PROGRESS|CONCURRENT_UPDATE)"/.test(text)
      if (isAnswered && !isStill)
        return { status: response!.status, body: text === '' ? undefined : JSON.parse(text) }
      if (performance.now() > until) throw new Error(`${url} was never answered: ${text}`)
      repeated++
      await wait(50)
    }
  }
  const origin = server.baseUrl.replace(/\/[^/]*$/, '')
  const operate: Caller['operate'] = (method, path, body) =>
    send(`${origin}/operator${path}`, `Bearer ${operatorKey}`, method, body)
  function send(url: string, authorization: string, method: string, body?: object, key?: string) {
    return persist(url, {
      method,
      headers: {
        authorization,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(key ? { 'idempotency-key': key } : {}),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    })
  }
  const authorization = `Basic ${btoa(`${acme.clientId}:${acme.clientSecret}`)}`
  /** What was made under each key: the same thing however often it was asked for. */
  const quotes = new Set<string>()
  const call: Caller['call'] = async (method, path, body, key) => {
    const answer = await send(`${server.baseUrl}${path}`, authorization, method, body, key)
    if (path === '/quotes' && answer.status < 300) quotes.add(answer.body.id)
    return answer
  }

  const platforms = (await operate('GET', '/platforms')).body.data as { id: string; name: string }[]
  const platformId = platforms.find(({ name }) => name === 'acme')!.id.replace(/^.*:/, '')
  const rows = async <R>(text: string, parameters: readonly unknown[]) =>
    (await client.query(text, [...parameters])).rows as R[]
  const [before] = await rows<{ count: string }>('select count(*) from quotes where platform_id = $1', [
    platformId,
  ])
  const money = await openMoney({ call, operate, platformId }, random, {
    returnsAfter: [1, 2, 4],
    hasCards: false,
  })

  let left = acts
  const work = async () => {
    while (left-- > 0) await money.act()
  }
  const storm = Promise.all(Array.from({ length: callers }, work))
  // A kill after each part of the storm, so that every kill meets calls and jobs.
  for (let round = 1; round <= kills; round++) {
    while (left > acts - (round * acts) / (kills + 1)) await wait(5)
    server.kill()
    await server.restart()
  }
  await storm

  // Whatever waits for an account goes on, and every outcome and return comes in.
  await money.release()
  const unfinished = await settle(call, money.acknowledged)
  const [after] = await rows<{ count: string }>('select count(*) from quotes where platform_id = $1', [
    platformId,
  ])
  const made = Number(after!.count) - Number(before!.count)
  const audit = (await server.audit(operatorKey)) as { problems: unknown[] }
  return {
    answers: money.answers,
    repeated,
    payments: money.acknowledged.size,
    unfinished,
    contradictions: [
      ...(made === quotes.size ? [] : [`${made} quotes were made for ${quotes.size} that were answered`]),
      ...(await contradictions(rows, platformId)),
      ...(await versionsOf(call, money.accounts())),
    ],
    problems: audit.problems,
  }
}

/** Lets the leases of the dead end, and the clock go on until nothing is left to do. Returns payments that are not over then. */
async function settle(call: Caller['call'], acknowledged: ReadonlySet<string>): Promise<string[]> {
  for (let round = 1; ; round++) {
    await wait(leaseMs + 500)
    await call('POST', '/sandbox/clock/advance', { until: 'QUIET', seconds: 86_400 })
    const unfinished = await unfinishedOf(call, acknowledged)
    if (round >= 2 && (unfinished.length === 0 || round >= 8)) return unfinished
  }
}

async function unfinishedOf(call: Caller['call'], acknowledged: ReadonlySet<string>): Promise<string[]> {
  const unfinished: string[] = []
  for (const id of acknowledged) {
    const { status, body } = await call('GET', `/transactions/${id}`)
    if (!['COMPLETED', 'FAILED', 'EXPIRED', 'REJECTED'].includes(body.status))
      unfinished.push(`${id} ${status} ${body.status}`)
  }
  return unfinished
}

async function versionsOf(
  call: Caller['call'],
  accounts: readonly { readonly id: string }[],
): Promise<string[]> {
  const found: string[] = []
  for (const { id } of accounts) {
    const events: BalanceVersion[] = []
    for (let cursor = ''; ; ) {
      const { body } = await call('GET', `/webhook-events?resourceId=${id}&limit=100${cursor}`)
      for (const event of body.data) {
        const { payload } = (await call('GET', `/webhook-events/${event.id}`)).body
        events.push(payload.data)
      }
      if (!body.hasMore) break
      cursor = `&cursor=${encodeURIComponent(body.nextCursor)}`
    }
    found.push(...versionsWithGaps(events, [(await call('GET', `/internal-accounts/${id}`)).body]))
  }
  return found
}
