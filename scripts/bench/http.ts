import { readFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { CorridorClient } from '../../packages/sdk/src/path-client.ts'
import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  must,
  quoteBody,
} from '../../packages/testkit/src/factories.ts'
import type { LoadRequest, LoadResult, LoadRun } from './load.ts'
import { bundle, runProgram, startProgram } from './programs.ts'
import { type Caller, cpuSecondsOf, createInstallation } from './server.ts'
import { measureProcesses, type Processes } from './two-processes.ts'

export interface HttpResults {
  readonly bare: LoadResult
  readonly quotes: LoadResult
  readonly executes: LoadResult
  readonly executesHot: LoadResult
  readonly createAndExecute: LoadResult
  /** Payments a second from the first request until nothing of any of them is left to do. */
  readonly settledPerSecond: number
  readonly settledHotPerSecond: number
  readonly immediatePerSecond: number
  readonly immediateHotPerSecond: number
  /** The first page of the transactions that this run has made. */
  readonly list: LoadResult
  /** Of few callers, each at once: what one takes. */
  readonly fewTransfers: FewCallers
  readonly fewPayments: FewCallers
  /** Authorizations of cards, one after the other, beside the load of quotes: asked of the process that is loaded. */
  readonly cardDecisions: LoadResult
  /** The same, asked of a second process on the same database that the card network has for itself. */
  readonly cardDecisionsApart: LoadResult
  /** Payments at once, by one API process and by two that share the load. */
  readonly processes: { readonly one: Processes; readonly two: Processes }
  readonly jobsPerSecond: number
  readonly webhooksPerSecond: number
  readonly serverRssMb: number
}

/** What 8 connections get, and what each of their payments takes until nothing of it is left to do. */
export interface FewCallers extends LoadResult, Usage {}

/** Counters of the whole installation, or what they grew by for each payment. */
export interface Usage {
  readonly commits: number
  readonly logBytes: number
  readonly serverCpuSeconds: number
  readonly nodeCpuSeconds: number
}

/** Jobs that wait, and those that ever came to an end: a payment is several, one after the other. */
export interface JobCount {
  readonly due: number
  readonly done: number
}

const customers = 50
/** Cards that are charged in turn, so that no two decisions are about one balance at once. */
type Pair = Record<'source' | 'payee', { readonly id: string }>
const cards = 20
const drainWithinMs = 30_000
/** Callers who wait for each answer, as most do. */
export const fewConnections = 8
export const port = 18_090
const cardPort = 18_091
/** So long a new server compiles what it runs often. */
const warmUpSeconds = 2

/** Runs the load from a process of its own. */
export async function loader(seconds: number, connections: number) {
  const file = await bundle('load')
  return (run: Partial<LoadRun> & Pick<LoadRun, 'origin' | 'requests'>) =>
    runProgram<LoadResult>(file, {
      authorization: '',
      connections,
      seconds,
      repeats: true,
      isIdempotent: true,
      expect: [200, 201],
      ...run,
    } satisfies LoadRun)
}

/** The first page of the caller's transactions, with the filters of nobody. */
export const listOf = ({ authorization, prefix }: Pick<Caller, 'authorization' | 'prefix'>) => ({
  authorization,
  isIdempotent: false,
  requests: [{ path: `${prefix}/transactions` }],
})

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
  readonly countUsage: () => Promise<Omit<Usage, 'nodeCpuSeconds'>>
}): Promise<HttpResults> {
  const { databaseUrl, seconds, connections, countJobs } = options
  const load = await loader(seconds, connections)

  const hook = await startReceiver()
  const { origin, start, end, caller, remove } = await createInstallation(databaseUrl, port)
  let server = await start('all')
  try {
    const breeze = await caller('breeze')
    const { api, authorization, prefix: pathname } = breeze

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
    const cardRequests = (await issueCards(api, pairs.slice(0, cards))).map((id) => ({
      path: `${pathname}/sandbox/cards/${id}/simulate/authorization`,
      body: { amount: 1, currency: { code: 'USD' }, merchant: { descriptor: 'CORNER CAFE' } },
    }))
    const quoteRequests = (from: readonly Pair[], more = {}) =>
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

    /** The requests that execute the quotes which are made in that time. */
    const quoted = async (from: typeof pairs, runSeconds: number) => {
      const requests = quoteRequests(from)
      const made = await load({ ...quoting, requests, collect: 'id', seconds: runSeconds })
      return made.collected.map((id) => ({ path: `${pathname}/quotes/${id}/execute`, body: {} }))
    }
    const executing = async (from: typeof pairs, runSeconds: number) => {
      const requests = await quoted(from, runSeconds)
      return load({ ...through, requests, repeats: false, seconds: runSeconds })
    }
    await executing(pairs, 1)
    const executes = await executing(pairs, seconds)
    const executesHot = await executing(pairs.slice(0, 1), seconds)
    const besideIt = await start('api', cardPort)
    const processes = await measureProcesses({
      load,
      requests: quoteRequests(pairs, { immediatelyExecute: true }),
      connections,
      turns: 3,
      processes: [
        [server, origin],
        [besideIt, `http://127.0.0.1:${cardPort}`],
      ],
      run: { authorization },
      serverCpuSeconds: async () => (await options.countUsage()).serverCpuSeconds,
    })
    await end(besideIt)
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

    // Whatever was begun is over, and so is the second in which statistics are refreshed.
    const settle = async () => {
      while ((await countJobs()).due > 0) await new Promise((resolve) => setTimeout(resolve, 20))
    }
    /** Payments a second, of all that were begun, until the last of them is over. */
    const untilSettled = async (begin: () => Promise<LoadResult>) => {
      const since = performance.now()
      const { count } = await begin()
      await settle()
      return (count * 1000) / (performance.now() - since)
    }
    const settledOf = async (from: typeof pairs) => {
      const requests = await quoted(from, seconds)
      return untilSettled(() => load({ ...through, requests, repeats: false }))
    }
    const immediate = (from: readonly Pair[]) => quoteRequests(from, { immediatelyExecute: true })
    await load({ ...through, requests: immediate(pairs), seconds: warmUpSeconds / 2 })
    await settle()
    const settledPerSecond = await settledOf(pairs)
    const settledHotPerSecond = await settledOf(pairs.slice(0, 1))
    const immediatePerSecond = await untilSettled(() => load({ ...through, requests: immediate(pairs) }))
    const immediateHotPerSecond = await untilSettled(() =>
      load({ ...through, requests: immediate(pairs.slice(0, 1)) }),
    )
    const list = await load({ origin, ...listOf(breeze) })

    const usage = async (): Promise<Usage> => ({
      ...(await options.countUsage()),
      nodeCpuSeconds: await cpuSecondsOf(server.pid!),
    })
    const fewCallers = async (requests: readonly LoadRequest[]): Promise<FewCallers> => {
      const before = await usage()
      const result = await load({ ...through, requests, connections: fewConnections })
      await settle()
      const after = await usage()
      const each = (name: keyof Usage) => (after[name] - before[name]) / result.count
      return {
        ...result,
        commits: each('commits'),
        logBytes: each('logBytes'),
        serverCpuSeconds: each('serverCpuSeconds'),
        nodeCpuSeconds: each('nodeCpuSeconds'),
      }
    }
    const others = pairs.map(({ source }, index) => ({
      source,
      payee: pairs[(index + 1) % pairs.length]!.source,
    }))
    const transfers = immediate(others)
    await load({ ...through, requests: transfers, seconds: warmUpSeconds / 2 })
    const fewTransfers = await fewCallers(transfers)
    const fewPayments = await fewCallers(immediate(pairs))

    await must(api.PATCH('/config', { body: { webhookEndpoint: hook.url } }))
    hook.start()
    const createAndExecute = await load({ ...through, requests: immediate(pairs) })
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
      settledPerSecond,
      settledHotPerSecond,
      immediatePerSecond,
      immediateHotPerSecond,
      list,
      fewTransfers,
      fewPayments,
      cardDecisions,
      cardDecisionsApart,
      processes,
      jobsPerSecond,
      webhooksPerSecond,
      serverRssMb,
    }
  } finally {
    server.kill()
    hook.close()
    await remove()
  }
}

/** A card for each, which the issuer has made. */
async function issueCards(
  api: CorridorClient,
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
