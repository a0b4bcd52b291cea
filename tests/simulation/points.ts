import { setTimeout as wait } from 'node:timers/promises'
import { endLeasesOfTheDead } from '@corridor/engine/mechanisms/jobs/claims.ts'
import { endEventLeases } from '@corridor/engine/mechanisms/outbox/store.ts'
import { migrateUrl } from '@corridor/testkit/database.ts'
import { execute, type Quote } from '@corridor/testkit/index.ts'
import { createTrap, type Moment } from './moments.ts'
import { type Outside, openPlatform, startProcess } from './outside.ts'
import { ask, type Replicas, until } from './replicas.ts'

/** What a payment needs, in order. `readLost` asks for a payment whose acknowledgement was lost. */
type Step = 'quote' | 'execute' | 'jobs' | 'relay' | 'replay' | 'readLost'
type Where = { readonly process: 'first' | 'second'; readonly moment: Moment } | { readonly call: Call }
type Call = 'payout' | 'webhook'

/** A point of a payment at which the primary dies. */
interface Point {
  readonly name: string
  readonly done: readonly Step[]
  readonly step: Step
  readonly before: Where
  readonly after: Where
}

/** The primary dies before or after the point, or some time after the standby was frozen there. */
export type Mode = 'before' | 'after' | 'frozen'

const at = (
  process: 'first' | 'second',
  when: 'before' | 'after',
  lane: Moment['lane'],
  statement?: string,
) => ({
  process,
  moment: { when, lane, ...(statement ? { statement } : {}) },
})
const around = (process: 'first' | 'second', lane: Moment['lane'], statement?: string) => ({
  before: at(process, 'before', lane, statement),
  after: at(process, 'after', lane, statement),
})

/** The first process serves requests, and the second one does background work. */
export const points: readonly Point[] = [
  { name: 'commit of the quote', done: [], step: 'quote', ...around('first', 'write') },
  { name: 'acknowledgement of the execution', done: ['quote'], step: 'execute', ...around('first', 'write') },
  {
    name: 'claim of the job',
    done: ['quote', 'execute'],
    step: 'jobs',
    ...around('second', 'system', 'jobs.claimDue'),
  },
  {
    name: 'call of the rail',
    done: ['quote', 'execute'],
    step: 'jobs',
    before: at('second', 'before', 'read'),
    after: { call: 'payout' },
  },
  { name: 'completion of the job', done: ['quote', 'execute'], step: 'jobs', ...around('second', 'write') },
  {
    name: 'attempt of the webhook',
    done: ['quote', 'execute', 'jobs'],
    step: 'relay',
    before: at('second', 'after', 'write'),
    after: { call: 'webhook' },
  },
  {
    name: 'idempotent replay',
    done: ['quote', 'execute'],
    step: 'replay',
    ...around('second', 'read', 'idempotency.find'),
  },
  {
    name: 'read after a lost acknowledgement',
    done: ['quote'],
    step: 'readLost',
    ...around('second', 'read'),
  },
]

/** Half the time that a server has to answer. */
const patience = 0.5
/** Longer than sessions wait for an answer, so that their end makes commits visible that no standby has. */
const frozenMs = 7_000
const opening = 1_000_000

/** An installation of two processes that pays through failovers, and what its callers and third parties were told. */
export async function openPayments(replicas: Replicas) {
  await migrateUrl(replicas.url('postgres'))
  let onCall: { readonly call: Call; readonly act: () => Promise<void> } | undefined
  const outside: Outside = {
    webhooks: new Set(),
    payouts: new Set(),
    async meet(id) {
      if (!onCall || !id.startsWith(onCall.call)) return
      const { act } = onCall
      onCall = undefined
      await act()
    },
  }
  const traps = { first: createTrap(), second: createTrap() }
  const start = ({ watch }: (typeof traps)['first']) =>
    startProcess(replicas.url('postgres'), outside, patience, watch)
  const processes = { first: await start(traps.first), second: await start(traps.second) }
  const { second } = processes
  // A busy machine may be too slow for half the patience, once.
  let opened: Awaited<ReturnType<typeof openPlatform>> | undefined
  await until(async () => {
    opened = await openPlatform(processes.first, opening).catch(() => undefined)
    return opened !== undefined
  })
  const { platform, api, quoteOf, balance } = opened!
  const beside = second.client(platform)
  const told = { quotes: new Set<string>(), transactions: new Set<string>() }
  let payments = 0

  /** Tells when the point has come, so that a point that never comes is not taken for one that was survived. */
  function stopAt(where: Where, act: () => Promise<void>): Promise<void> {
    return new Promise((resolve) => {
      const stop = () => act().finally(resolve)
      if ('call' in where) onCall = { call: where.call, act: stop }
      else traps[where.process].set(where.moment, stop)
    })
  }

  async function pay(quote: Quote, by = api): Promise<number> {
    const { response } = await execute(by, quote.id, { 'idempotency-key': quote.id })
    if (response.ok) told.transactions.add(quote.transactionId)
    return response.status
  }

  async function read({ transactionId }: Quote): Promise<void> {
    const { response } = await beside.GET('/transactions/{transactionId}', {
      params: { path: { transactionId } },
    })
    if (response.ok) told.transactions.add(transactionId)
  }

  async function idsOf(table: string): Promise<Set<string>> {
    const { rows } = await ask(replicas.primary, `select id from ${table}`)
    return new Set(rows.map(({ id }) => id as string))
  }

  /** What somebody was told and does not exist. */
  async function lost(): Promise<string[]> {
    const [quotes, transactions, events] = [
      await idsOf('quotes'),
      await idsOf('transactions'),
      await idsOf('events'),
    ]
    const absent = (what: string, ids: Set<string>, from: Set<string>) =>
      [...ids].filter((id) => !from.has(id)).map((id) => `${what} ${id}`)
    return [
      ...absent('quote', told.quotes, quotes),
      ...absent('transaction', told.transactions, transactions),
      ...absent('payout of', outside.payouts, transactions),
      ...absent('webhook', outside.webhooks, events),
    ]
  }

  /** Pays once, with the death of the primary at a point. Returns what was lost. */
  async function survive(point: Point, mode: Mode): Promise<string[]> {
    let quote: Quote | undefined
    const steps: Record<Step, () => Promise<unknown>> = {
      async quote() {
        quote = await quoteOf().catch(() => undefined)
        if (quote) told.quotes.add(quote.id)
      },
      execute: () => pay(quote!),
      jobs: () => second.engine.jobs.runDue(second.engine),
      relay: () => second.engine.relay.runDue(second.engine),
      replay: () => pay(quote!, beside),
      readLost: () => read(quote!),
    }
    // A busy machine may be too slow for half the patience, once.
    const isDone = {
      quote: () => quote !== undefined,
      execute: () => told.transactions.has(quote!.transactionId),
    }
    for (const step of point.done) {
      await until(async () => {
        await steps[step]()
        return step === 'quote' || step === 'execute' ? isDone[step]() : true
      })
    }
    if (point.step === 'readLost') {
      await replicas.freezeStandby()
      await pay(quote!)
    }
    let dead = Promise.resolve()
    const die = async () => {
      if (mode !== 'frozen') return replicas.killPrimary()
      await replicas.freezeStandby()
      dead = wait(frozenMs).then(() => replicas.killPrimary())
    }
    const came = stopAt(mode === 'after' ? point.after : point.before, die)
    const step = steps[point.step]().catch(() => {})
    await Promise.race([
      came,
      wait(60_000).then(() => Promise.reject(new Error(`the ${point.name} never came`))),
    ])
    await dead
    // A response that still waits may come until the standby has taken over, and counts.
    await replicas.failOver()
    await step
    const found = await lost()
    await replicas.addStandby()
    await finish(quote)
    return found
  }

  /** The payment is repeated under its key until it is accepted, and comes to its end once. */
  async function finish(begun: Quote | undefined): Promise<void> {
    let quote = begun
    await until(async () => {
      quote ??= await quoteOf().catch(() => undefined)
      return quote !== undefined && (await pay(quote)) === 200
    })
    payments++
    const isEnded = async () => {
      const { engine } = second
      await endLeasesOfTheDead(engine)
      await endEventLeases(engine.database, Date.now())
      await engine.jobs.runDue(engine)
      await engine.relay.runDue(engine)
      const path = { transactionId: quote!.transactionId }
      const { data } = await api.GET('/transactions/{transactionId}', { params: { path } })
      return data?.status === 'COMPLETED'
    }
    await until(() => isEnded().catch(() => false))
  }

  return {
    survive,
    /** What was paid, and whether the balance and the ledger agree with it. */
    async audit() {
      await second.expectSoundLedger()
      const left = await balance()
      return { payments, left, isWhole: left === opening - payments * 1_000 }
    },
    async close() {
      for (const server of Object.values(processes)) await server.close({ audited: false })
    },
  }
}
