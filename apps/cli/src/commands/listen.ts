import { hostname } from 'node:os'
import { Corridor, type Item } from '@corridor/sdk'
import type { Command, Context } from '../command.ts'
import { misused } from '../exit.ts'
import { printable } from '../output.ts'
import type { Terminal } from '../terminal.ts'
import { matchingTypes } from './event-types.ts'

/**
 * `corridor listen`: the server hands out what is to be delivered, this posts it unchanged to a program beside it and
 * reports how that went. All state is with the server, so stopping and starting either loses nothing.
 */

type Delivery = Item<'nextListenerDeliveries'>

interface Result {
  readonly id: string
  readonly attempt: number
  readonly status: number | null
  readonly error?: string
  readonly body: string
  readonly milliseconds: number
}

/** Events of different resources are posted side by side, so many at a time. */
const postsAtATime = 8
/** Between two questions when there was nothing to do, and between two tries of a server that is away. */
const pauseMs = 500
const longestPauseMs = 2_000
/** What is kept of an answer: it is only read by the server where it decides something. */
const keptCharacters = 65_536
/** How often the last results are tried to be said once it is to end and the server is away. */
const lastTries = 5

export const listen: Command = {
  words: ['listen'],
  says: 'Forward webhooks to a program on this machine: corridor listen --forward-to localhost:3000/hooks',
  flags: {
    'forward-to': { type: 'string', says: 'address of your program, such as localhost:3000/hooks' },
    events: {
      type: 'string',
      says: 'event types, separated by commas; * matches anything: OUTGOING_PAYMENT.*',
    },
    name: {
      type: 'string',
      says: 'name of the listener; the same name resumes where it stopped (default: name of this machine)',
    },
    'only-here': {
      type: 'boolean',
      says: 'while listening, do not send these events to the configured endpoint',
    },
  },
  async run(context) {
    const url = addressOf(context)
    const name =
      context.text('name') ??
      hostname()
        .replace(/[^A-Za-z0-9._-]/g, '-')
        .slice(0, 64)
    const pattern = context.text('events')
    const types = pattern === undefined ? undefined : matchingTypes(pattern)
    const client = context.client()
    const open = async () =>
      await client.webhookListeners.open({
        name,
        ...(types ? { types } : {}),
        onlyHere: context.isSet('only-here'),
      })
    const opened = await open()
    context.terminal.note(`Listening as "${name}", which ${placeOf(opened)} → ${url}`)
    await forward(context, client, { opened, open }, url)
    return undefined
  },
}

function addressOf(context: Context): string {
  const text = context.text('forward-to')
  if (text === undefined) {
    throw misused('--forward-to is missing.', 'corridor listen --forward-to localhost:3000/hooks')
  }
  const url = /^https?:\/\//.test(text) ? text : `http://${text}`
  if (!URL.canParse(url)) throw misused(`${text} is not a URL.`)
  return url
}

interface Opened {
  readonly id: string
  readonly session: string
  readonly waiting: number
  readonly resumed: boolean
}

const placeOf = ({ resumed, waiting }: Opened) =>
  `${resumed ? 'continues where it stopped' : 'starts now'} (${waiting} events waiting)`

/** Until it is ended. Where the sandbox was restored meanwhile the listener is opened anew, and says so. */
async function forward(
  context: Context,
  client: Corridor,
  { opened, open }: { readonly opened: Opened; readonly open: () => Promise<Opened> },
  url: string,
): Promise<void> {
  const { terminal } = context
  const ended = terminal.untilStopped()
  const patience = createPatience(terminal)
  let listener = opened
  while (!ended.aborted) {
    const isRestored = await forwardUntilRestored(context, client, { listener, ended, patience, url })
    if (!isRestored) continue
    await terminal.sleep(pauseMs)
    const again = await patience.ask(ended, open)
    if (!again) return
    listener = again
    terminal.note(`⟳ The sandbox was restored. The listener ${placeOf(listener)}`)
  }
}

/** One round. Answers whether the server does not know this session any more because its sandbox was restored. */
async function forwardUntilRestored(
  context: Context,
  client: Corridor,
  {
    listener: { id, session },
    ended,
    patience,
    url,
  }: { listener: Opened; ended: AbortSignal; patience: ReturnType<typeof createPatience>; url: string },
): Promise<boolean> {
  const { terminal } = context
  let deliveries: readonly Delivery[] | undefined
  try {
    deliveries = await patience.ask(
      ended,
      async () => (await client.webhookListeners.next(id, { session })).data,
    )
  } catch (error) {
    if (isOfBefore(error)) return true
    throw error
  }
  if (!deliveries || deliveries.length === 0) {
    if (!ended.aborted) await terminal.sleep(pauseMs)
    return false
  }
  const stopping = new AbortController()
  const reporter = createReporter(async (results) => {
    const said = await patience
      .insist(ended, () => client.webhookListeners.report(id, { session, results: results as never }))
      .catch((error) => {
        if (!isOfBefore(error)) throw error
        stopping.abort()
        return undefined
      })
    for (const result of results) {
      const delivery = deliveries.find((each) => each.id === result.id)!
      show(context, delivery, result, said?.data.find((each) => each.id === result.id)?.retryAt)
    }
  })
  await deliverAll(deliveries, AbortSignal.any([ended, stopping.signal]), async (delivery) =>
    reporter.add(await post(terminal, url, delivery)),
  )
  await reporter.done()
  return stopping.signal.aborted
}

/** Whether what was opened belongs to what the sandbox was before it was restored. */
function isOfBefore(error: unknown): boolean {
  if (!(error instanceof Corridor.Error)) return false
  return error.status === 404 || error.details.reason === 'SANDBOX_RESTORED'
}

/** Those of one resource one after the other, each when the one before has an answer. */
async function deliverAll(
  deliveries: readonly Delivery[],
  ended: AbortSignal,
  deliver: (delivery: Delivery) => Promise<void>,
): Promise<void> {
  const byResource = new Map<string, Delivery[]>()
  for (const delivery of deliveries) {
    const chain = byResource.get(delivery.resourceId)
    if (chain) chain.push(delivery)
    else byResource.set(delivery.resourceId, [delivery])
  }
  const chains = [...byResource.values()]
  async function work() {
    for (let chain = chains.shift(); chain; chain = chains.shift()) {
      for (const delivery of chain) {
        if (ended.aborted) return
        await deliver(delivery)
      }
    }
  }
  await Promise.all(Array.from({ length: postsAtATime }, work))
}

async function post({ fetch, now }: Terminal, url: string, delivery: Delivery): Promise<Result> {
  const { id, attempt, headers, body, timeoutMs } = delivery
  const startedAt = now()
  const made = { id, attempt }
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    return {
      ...made,
      status: answer.status,
      body: await firstCharacters(answer.body),
      milliseconds: now() - startedAt,
    }
  } catch (error) {
    const { name, message, cause } = error as Error & { cause?: { code?: string } }
    const why = name === 'TimeoutError' ? 'timeout' : (cause?.code ?? message)
    return { ...made, status: null, error: why.slice(0, 200), body: '', milliseconds: now() - startedAt }
  }
}

/** As much of a body as is kept. A program that answers without an end fills no memory. */
export async function firstCharacters(body: ReadableStream<Uint8Array> | null): Promise<string> {
  let text = ''
  if (!body) return text
  const decoder = new TextDecoder()
  try {
    for await (const piece of body) {
      text += decoder.decode(piece.subarray(0, keptCharacters), { stream: true })
      if (text.length >= keptCharacters) break
    }
  } catch {
    // Where it breaks off, the rest is what came.
  }
  return text.slice(0, keptCharacters)
}

/** Says results as they come, all that wait at once, one report at a time and in order. */
function createReporter(report: (results: readonly Result[]) => Promise<void>) {
  let waiting: Result[] = []
  let running: Promise<void> | undefined
  async function run() {
    while (waiting.length > 0) {
      const results = waiting
      waiting = []
      await report(results)
    }
    running = undefined
  }
  return {
    add(result: Result) {
      waiting.push(result)
      running ??= run()
      // Whoever waits for the end hears of it; until then nobody may.
      running.catch(() => {})
    },
    done: async () => running,
  }
}

/** Tries again while the server is away or busy; says once that it is, and that it is back. */
function createPatience(terminal: Terminal) {
  let lostAt: number | undefined

  /** The answer, or undefined where the listener was ended, or `tries` were in vain. */
  async function ask<T>(ended: AbortSignal, request: () => Promise<T>, lastTry = 0): Promise<T | undefined> {
    for (let tries = 1, pause = pauseMs; ; tries++, pause = Math.min(longestPauseMs, pause * 2)) {
      try {
        const answer = await request()
        if (lostAt !== undefined)
          terminal.note(`⟳ connected again at ${timeOf(terminal.now())}, no events missed`)
        lostAt = undefined
        return answer
      } catch (error) {
        if (!isPassing(error)) throw error
        if (lostAt === undefined) {
          lostAt = terminal.now()
          terminal.note(`⟳ connection lost at ${timeOf(lostAt)}: ${(error as Error).message}`)
        }
        if (ended.aborted && tries > lastTry) return undefined
        await terminal.sleep(pause)
      }
    }
  }

  return {
    ask,
    /** The same for what must not be lost: tried a few times more when the listener was ended. */
    async insist<T>(ended: AbortSignal, request: () => Promise<T>): Promise<T | undefined> {
      const answer = await ask(ended, request, lastTries)
      if (answer === undefined)
        terminal.note('✕ The server did not receive the last responses. It will deliver those events again.')
      return answer
    },
  }
}

function isPassing(error: unknown): boolean {
  if (error instanceof Corridor.ConnectionError) return true
  return error instanceof Corridor.Error && (error.status >= 500 || error.status === 429)
}

const timeOf = (instant: number) => new Date(instant).toISOString().slice(11, 19)

function show(
  { terminal, output }: Context,
  delivery: Delivery,
  result: Result,
  retryAt: string | undefined,
): void {
  const { id, type, attempt } = delivery
  const { status, error, milliseconds, body } = result
  if (output.json || output.jsonl) {
    const { body: _, ...said } = result
    terminal.out(
      JSON.stringify({ type, resourceId: delivery.resourceId, ...said, ...(retryAt ? { retryAt } : {}) }),
    )
    return
  }
  if (output.quiet) {
    terminal.out(id)
    return
  }
  const what = `${timeOf(terminal.now())}  ${type.padEnd(34)} …${id.slice(-6)}  → ${status ?? error}  ${milliseconds} ms`
  const again = retryAt === undefined ? '' : `   attempt ${attempt}, next at ${retryAt} (sandbox time)`
  terminal.out(what + again)
  if (retryAt !== undefined && body !== '')
    terminal.out(`          your response: ${printable(body.slice(0, 300))}`)
}
