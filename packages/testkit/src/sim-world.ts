import { exchangeOver } from '@corridor/adapters/messaging/webhook-sender.ts'
import { type Exchange, type Instant, type Log, makeWorld, silentLog, type World } from '@corridor/kernel'

export interface SimWorld extends World {
  /** Moves real time, for everything in this World, and ends the sleeps that are over by then. Sandbox clocks move through the API instead. */
  passMs(ms: number): void
}

/** 13 October 2025, 09:00 UTC: a Monday. */
const start: Instant = 1_760_346_000_000

/**
 * A World from a seed: time stands still until it is moved, ids and secrets repeat from run to run, and
 * the network is whatever function the test passes.
 */
export function simWorld(
  seed: number,
  { network = noNetwork, log = silentLog }: { network?: typeof fetch; log?: Log } = {},
): SimWorld {
  let now = start
  const sleepers = new Set<{ until: Instant; wake: () => void }>()
  const random = xorshift(seed)
  const world = makeWorld({
    now: () => now,
    randomBytes(count) {
      const bytes = new Uint8Array(count)
      for (let index = 0; index < count; index++) bytes[index] = random() & 0xff
      return bytes
    },
    fetch: network,
    exchange: exchangeInNoTime(network),
    log,
    sleep(ms, signal) {
      return new Promise((resolve) => {
        const sleeper = { until: now + ms, wake }
        function wake() {
          sleepers.delete(sleeper)
          signal?.removeEventListener('abort', wake)
          resolve()
        }
        if (ms <= 0 || signal?.aborted) return resolve()
        sleepers.add(sleeper)
        signal?.addEventListener('abort', wake, { once: true })
      })
    },
  })
  return Object.assign(world, {
    passMs(ms: number) {
      now += ms
      for (const { until, wake } of [...sleepers]) if (until <= now) wake()
    },
  })
}

/** Over the network of a test, where no time passes: its parts take none. */
function exchangeInNoTime(network: typeof fetch): Exchange {
  const exchange = exchangeOver({ fetch: network })
  return async ({ onMeasured, ...request }) => {
    const answer = await exchange(request)
    const tls = request.url.startsWith('https:') ? 0 : null
    onMeasured?.({ dns: 0, connect: 0, tls, wait: 0, isReused: false })
    return answer
  }
}

const noNetwork = (async () => {
  throw new Error('this test has no network')
}) as unknown as typeof fetch

/** A small generator with a period far beyond any test. */
function xorshift(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0 || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state >>> 8
  }
}
