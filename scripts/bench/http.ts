import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '../../packages/sdk/src/path-client.ts'
import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  must,
  quoteBody,
} from '../../packages/testkit/src/factories.ts'
import type { LoadResult, LoadRun } from './load.ts'
import { bundle, runProgram, startProgram } from './programs.ts'

export interface HttpResults {
  readonly bare: LoadResult
  readonly quotes: LoadResult
  readonly executes: LoadResult
  readonly executesHot: LoadResult
  readonly createAndExecute: LoadResult
  /** Authorizations of cards, one after the other, beside the load of quotes: asked of the process that is loaded. */
  readonly cardDecisions: LoadResult
  /** The same, asked of a second process on the same database that the card network has for itself. */
  readonly cardDecisionsApart: LoadResult
  readonly jobsPerSecond: number
  readonly webhooksPerSecond: number
  readonly serverRssMb: number
}

/** Jobs that wait, and those that ever came to an end: a payment is several, one after the other. */
export interface JobCount {
  readonly due: number
  readonly done: number
}

const customers = 50
/** Cards that are charged in turn, so that no two decisions are about one balance at once. */
const cards = 20
const drainWithinMs = 30_000
const port = 18_090
const cardPort = 18_091
/** So long a new server compiles what it runs often. */
const warmUpSeconds = 2

/**
 * The server as it is shipped, on the cluster of this run, under load from a process of its own. Requests
 * are measured with `CORRIDOR_ROLE=api`; the jobs that they leave are then drained by a process that has
 * nothing else to do. `createAndExecute` is everything at once in one process.
 */
export async function measureHttp(options: {
  readonly databaseUrl: string
  readonly seconds: number
  readonly connections: number
  readonly countJobs: () => Promise<JobCount>
}): Promise<HttpResults> {
  const { databaseUrl, seconds, connections, countJobs } = options
  const loadFile = await bundle('load')
  const load = (run: Partial<LoadRun> & Pick<LoadRun, 'origin' | 'requests'>) =>
    runProgram<LoadResult>(loadFile, {
      authorization: '',
      connections,
      seconds,
      repeats: true,
      isIdempotent: true,
      expect: [200, 201],
      ...run,
    } satisfies LoadRun)

  const hook = await startReceiver()
  const directory = await mkdtemp(join(tmpdir(), 'corridor-bench-data-'))
  const start = async (role: 'all' | 'api' | 'worker', at = port) => {
    const child = spawn(process.execPath, ['--max-semi-space-size=64', 'apps/server/dist/main.js'], {
      stdio: ['ignore', 'ignore', 'inherit'],
      env: {
        ...process.env,
        DATABASE_URL: databaseUrl,
        PORT: String(at),
        HOST: '127.0.0.1',
        CORRIDOR_DATA_DIR: directory,
        CORRIDOR_RATE_LIMITS: 'off',
        CORRIDOR_SANDBOX_STEP_MS: '0',
        CORRIDOR_LOG_LEVEL: 'warn',
        CORRIDOR_ROLE: role,
      },
    })
    await readiness(child, at)
    return child
  }
  const end = (child: ChildProcess) =>
    new Promise((resolve) => child.once('close', resolve) && child.kill('SIGTERM'))
  let server = await start('all')
  try {
    const credentials = JSON.parse(await readFile(join(directory, 'credentials.json'), 'utf8'))
    const platform = credentials.platforms.find(({ name }: { name: string }) => name === 'breeze')
    const { clientId, clientSecret } = platform
    const baseUrl = new URL(credentials.baseUrl)
    baseUrl.host = `127.0.0.1:${port}`
    const api = createClient({ baseUrl: baseUrl.href, clientId, clientSecret, fetch })
    const authorization = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`

    const pairs = await Promise.all(
      Array.from({ length: customers }, async (_, index) => {
        const customer = await createCustomer(api, { fullName: `Ana Lopez ${index}` })
        const { id: holder } = customer
        const source = await internalAccountOf(api, customer.id, 'USD')
        await fund(api, source.id, 1_000_000_00)
        const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
        return { holder, source, payee }
      }),
    )
    const { origin, pathname } = baseUrl
    const cardRequests = (await issueCards(api, pairs.slice(0, cards))).map((id) => ({
      path: `${pathname}/sandbox/cards/${id}/simulate/authorization`,
      body: { amount: 1, currency: { code: 'USD' }, merchant: { descriptor: 'CORNER CAFE' } },
    }))
    const quoteRequests = (from: typeof pairs, more = {}) =>
      from.map(({ source, payee }) => ({
        path: `${pathname}/quotes`,
        body: quoteBody(source, payee, 1_000, more),
      }))
    const through = { origin, authorization }
    const quoting = { ...through, isIdempotent: false }
    await end(server)
    server = await start('api')

    const bareServer = await startProgram([await bundle('bare-server'), '2000'], {}, 'listening')
    const bareOrigin = `http://127.0.0.1:${/listening (\d+)/.exec(bareServer.printed)![1]}`
    await load({ ...quoting, requests: quoteRequests(pairs), seconds: warmUpSeconds })
    await load({ origin: bareOrigin, requests: quoteRequests(pairs), seconds: 1 })
    const bare = await load({ origin: bareOrigin, requests: quoteRequests(pairs) })
    bareServer.child.kill()
    const quotes = await load({ ...quoting, requests: quoteRequests(pairs) })
    const deciding = { ...quoting, requests: cardRequests, connections: 1, expect: [202] }
    const besideQuotes = async (more = {}) => {
      await load({ ...deciding, ...more, seconds: 0.5 })
      const [decisions] = await Promise.all([
        load({ ...deciding, ...more }),
        load({ ...quoting, requests: quoteRequests(pairs) }),
      ])
      return decisions
    }
    const cardDecisions = await besideQuotes()
    const cardServer = await start('api', cardPort)
    const cardDecisionsApart = await besideQuotes({ origin: `http://127.0.0.1:${cardPort}` })
    await end(cardServer)

    const executing = async (from: typeof pairs, runSeconds: number) => {
      const made = await load({
        ...quoting,
        requests: quoteRequests(from),
        collect: 'id',
        seconds: runSeconds,
      })
      const requests = made.collected.map((id) => ({ path: `${pathname}/quotes/${id}/execute`, body: {} }))
      return load({ ...through, requests, repeats: false, seconds: runSeconds })
    }
    await executing(pairs, 1)
    const executes = await executing(pairs, seconds)
    const executesHot = await executing(pairs.slice(0, 1), seconds)
    await end(server)

    const before = await countJobs()
    server = await start('worker')
    const drainingSince = performance.now()
    while ((await countJobs()).due > 0 && performance.now() - drainingSince < drainWithinMs) {
      await new Promise((resolve) => setTimeout(resolve, 100))
    }
    const drainedSeconds = (performance.now() - drainingSince) / 1000
    await end(server)
    const jobsPerSecond = ((await countJobs()).done - before.done) / drainedSeconds
    server = await start('all')

    await must(api.PATCH('/config', { body: { webhookEndpoint: hook.url } }))
    hook.start()
    const immediately = { immediatelyExecute: true }
    const createAndExecute = await load({ ...through, requests: quoteRequests(pairs, immediately) })
    const webhooksPerSecond = await hook.rateUntilQuiet()
    const status = await readFile(`/proc/${server.pid}/status`, 'utf8').catch(() => '')
    const serverRssMb = Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? Number.NaN) / 1000
    // Whoever audits afterwards sees no payment move.
    await end(server)
    return {
      bare,
      quotes,
      executes,
      executesHot,
      createAndExecute,
      cardDecisions,
      cardDecisionsApart,
      jobsPerSecond,
      webhooksPerSecond,
      serverRssMb,
    }
  } finally {
    server.kill()
    hook.close()
    await rm(directory, { recursive: true, force: true })
  }
}

/** A card for each, which the issuer has made. */
async function issueCards(
  api: ReturnType<typeof createClient>,
  holders: readonly { readonly holder: string; readonly source: { readonly id: string } }[],
): Promise<string[]> {
  const issued = await Promise.all(
    holders.map(({ holder, source }) => {
      const body = { cardholderId: holder, form: 'VIRTUAL', fundingSources: [source.id] }
      return must(api.POST('/cards', { body: body as never }))
    }),
  )
  const isActive = async (id: string) =>
    (await must(api.GET('/cards/{id}', { params: { path: { id } } }))).state === 'ACTIVE'
  const ids = issued.map(({ id }) => id)
  while (!(await Promise.all(ids.map(isActive))).every(Boolean)) {
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return ids
}

/** Waits until a server of any role answers that it is ready. */
async function readiness(child: ChildProcess, at: number): Promise<void> {
  while (child.exitCode === null) {
    const answer = await fetch(`http://127.0.0.1:${at}/readyz`).catch(() => undefined)
    if (answer?.ok) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`the server ended with ${child.exitCode}`)
}

/** Counts webhooks until none has come for three seconds. */
async function startReceiver() {
  let received = 0
  let startedAt = 0
  let lastAt = 0
  const server = createServer((request, response) => {
    request.resume()
    request.on('end', () => {
      received++
      lastAt = performance.now()
      response.writeHead(200).end()
    })
  })
  const url = await new Promise<string>((resolve) =>
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? `http://127.0.0.1:${address.port}/hook` : '')
    }),
  )
  return {
    url,
    start() {
      received = 0
      startedAt = performance.now()
      lastAt = startedAt
    },
    async rateUntilQuiet() {
      const loadEndedAt = performance.now()
      const isBusy = (now: number) =>
        now - Math.max(lastAt, loadEndedAt) < 3_000 && now - loadEndedAt < 30_000
      while (isBusy(performance.now())) await new Promise((resolve) => setTimeout(resolve, 100))
      return received === 0 ? 0 : received / ((lastAt - startedAt) / 1000)
    },
    close: () => server.close(),
  }
}
