import { Corridor, type CorridorOptions, type Item, moveClock, TimeoutError } from '../index.ts'
import { type ReceivedEvents, receiveEvents } from './event-receiver.ts'
import { type ServerSettings, type StartedPlatform, startServerProcess } from './server-process.ts'

type Message = Item<'listSandboxInbox'>

export interface StartOptions extends ServerSettings {
  /** Which of the three first platforms: `acme` (the default), `breeze` (no paperwork) or `civic` (regulated). */
  readonly platform?: string
  /** Of the client, beside its address and credentials. */
  readonly client?: Omit<CorridorOptions, 'baseUrl' | 'clientId' | 'clientSecret'>
}

export interface MessageWaiting {
  readonly customerId?: string
  readonly channel?: Message['channel']
  /** Which of them is meant; default: any. */
  readonly where?: (message: Message) => boolean
  /** In real time. Default: 10 seconds. */
  readonly timeoutMs?: number
}

/** A whole Corridor inside a test. */
export interface RunningCorridor {
  /** Signed in as the platform. */
  readonly client: Corridor
  readonly baseUrl: string
  readonly platforms: readonly StartedPlatform[]
  readonly operatorKey: string
  /** What came to the endpoint of the platform, which is one of the test. */
  readonly events: ReceivedEvents
  readonly clock: {
    now(): Promise<Date>
    /** Moves the sandbox on: `'6m'`, `'7d'`, or milliseconds. Ends when all that fell due has happened. */
    advance(time: string | number): Promise<Date>
  }
  readonly inbox: {
    /** The newest message that matches. Fails with TimeoutError. */
    wait(waiting?: MessageWaiting): Promise<Message>
  }
  /** Another client: of another platform, or with other settings. */
  as(platform: string): Corridor
  stop(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const unitsMs: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const pollMs = 100

/** `'1d 6h'`, `'90s'`, or milliseconds, as whole seconds. */
export function secondsOf(time: string | number): number {
  if (typeof time === 'number') return Math.ceil(time / 1000)
  const parts = [...time.matchAll(/\s*(\d{1,9})(s|m|h|d)\s*/gy)]
  if (parts.length === 0 || parts.map(([whole]) => whole).join('') !== time) {
    throw new RangeError(`${JSON.stringify(time)} is no time like 90s, 6m, 12h or 7d`)
  }
  return parts.reduce((sum, [, count, unit]) => sum + (Number(count) * unitsMs[unit!]!) / 1000, 0)
}

/**
 * Starts a Corridor on this machine, without a network: an empty sandbox of its own, about two seconds. Needs the
 * package `corridor` beside this one.
 */
export async function startCorridor(options: StartOptions = {}): Promise<RunningCorridor> {
  const { platform = 'acme', client: clientOptions, ...settings } = options
  const server = await startServerProcess(settings)
  const as = (name: string) => {
    const found = server.platforms.find((each) => each.name === name)
    if (!found) throw new RangeError(`there is no platform ${name}`)
    const { clientId, clientSecret } = found
    return new Corridor({ ...clientOptions, baseUrl: server.baseUrl, clientId, clientSecret })
  }
  const receiver = await receiveEvents(() => client)
  const stop = async () => {
    await receiver.close()
    await server.stop()
  }
  let client: Corridor
  try {
    client = as(platform)
    await client.config.update({ webhookEndpoint: receiver.url })
    await receiver.events.waitFor('TEST')
  } catch (error) {
    await stop()
    throw error
  }
  return {
    client,
    baseUrl: server.baseUrl,
    platforms: server.platforms,
    operatorKey: server.operatorKey,
    events: receiver.events,
    clock: {
      now: async () => new Date((await client.sandbox.clock.get()).now),
      advance: async (time) => new Date((await moveClock(client, { seconds: secondsOf(time) })).now),
    },
    inbox: {
      async wait({ where = () => true, timeoutMs = 10_000, ...filters } = {}) {
        for (let left = timeoutMs; ; left -= pollMs) {
          for await (const message of client.sandbox.inbox.list({ ...filters, limit: 100 } as never)) {
            if (where(message)) return message
          }
          if (left <= 0) throw new TimeoutError(`no such message came within ${timeoutMs} ms`)
          await new Promise((resolve) => setTimeout(resolve, pollMs))
        }
      },
    },
    as,
    stop,
    [Symbol.asyncDispose]: stop,
  }
}
