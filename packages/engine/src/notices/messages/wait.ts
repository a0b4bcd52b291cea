import { failed, type Instant, ok, type Result } from '@corridor/kernel'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import { bookKey, type Scope } from '../../vocabulary/scope.ts'
import { listNewer, type Message } from './store.ts'

/** Each looks at the database all the time: few of a platform, and few of a process. */
const mostOfBook = 20
const mostInAll = 60
const lookEveryMs = 50
/** Once what is waited for did not come at once. */
const lookLaterEveryMs = 200
const atOnceMs = 5_000
/** Messages to others than is asked for, by who is asked for alone; the description of the operation says so. */
const mostLookedAt = 1_000

/** Who waits, by book, in all worlds of the process: forks of its own are no more room for a platform. */
const waiting = new Map<string, number>()
let inAll = 0

export interface Awaited {
  readonly to?: string
  readonly purpose?: string
  readonly customerId?: string
  readonly channel?: Message['channel']
  readonly after?: string
  readonly seconds: number
}

/**
 * The first message that fits and came at an instant or later, once it is there; undefined when none came in `seconds` of real
 * time, or until it is over. RATE_LIMITED where too many wait.
 */
export async function waitForMessage(
  engine: Engine,
  scope: Scope,
  asked: Awaited,
  over: AbortSignal,
): Promise<Result<Message | undefined, Failure>> {
  const { world, settings } = engine
  const after = asked.after === undefined ? scope.now : Date.parse(asked.after)
  // Requests of a seeded server come one after the other: what is waited for would wait for this one.
  const until = world.now() + (settings.isSeeded ? 0 : asked.seconds) * 1000
  const key = bookKey(scope)
  const mine = waiting.get(key) ?? 0
  if (mine >= mostOfBook || inAll >= mostInAll) {
    return failed({ ...fail('RATE_LIMITED'), retryAfterSeconds: 1 })
  }
  waiting.set(key, mine + 1)
  inAll++
  try {
    return ok(await lookUntil(engine, scope, { asked, after, until, over }))
  } finally {
    inAll--
    const left = waiting.get(key)! - 1
    if (left > 0) waiting.set(key, left)
    else waiting.delete(key)
  }
}

async function lookUntil(
  engine: Engine,
  scope: Scope,
  {
    asked,
    after,
    until,
    over,
  }: {
    readonly asked: Awaited
    readonly after: Instant
    readonly until: Instant
    readonly over: AbortSignal
  },
): Promise<Message | undefined> {
  const { to, customerId, channel, purpose } = asked
  const filters = {
    ...(customerId === undefined ? {} : { customerId }),
    ...(channel === undefined ? {} : { channel }),
    ...(purpose === undefined ? {} : { purpose }),
  }
  const except: string[] = []
  const { world } = engine
  const laterFrom = world.now() + atOnceMs
  for (;;) {
    const found = await listNewer(engine, scope, after, { ...filters, except })
    // Whom it goes to is sealed: the database cannot compare it.
    const first = found.find(({ content }) => to === undefined || content?.to === to)
    if (first || except.length >= mostLookedAt) return first
    except.push(...found.map(({ id }) => id))
    const now = world.now()
    if (over.aborted || now >= until) return undefined
    if (found.length === 0) await world.sleep(now < laterFrom ? lookEveryMs : lookLaterEveryMs, over)
    if (over.aborted) return undefined
  }
}
