import { AsyncLocalStorage } from 'node:async_hooks'
import { createCipheriv, createHash } from 'node:crypto'
import { type Instant, makeWorld, scheduleOf, type World } from '@corridor/kernel'

/** A World in which everything that is made is made again by the same requests. */
export interface SeededWorld extends World {
  readonly within: NonNullable<World['within']>
  readonly asHere: NonNullable<World['asHere']>
  /** One millisecond passes, and what is made from here on is the next request's. */
  nextRequest(): void
}

/** 13 October 2025, 09:00 UTC: a Monday. */
const start: Instant = Date.UTC(2025, 9, 13, 9)

/**
 * Randomness is drawn from the seed by purpose: a request by its number, a job and an event by its id, so nothing
 * depends on what else runs meanwhile. Time stands still but for the requests. Network, log and pauses are `real`.
 */
export function seededWorld(real: World, seed: string): SeededWorld {
  const { fetch, exchange, log, sleep } = real
  const outside = { fetch, log, sleep, ...(exchange ? { exchange } : {}) }
  let requests = 0
  const now = () => start + requests
  const purposes = new AsyncLocalStorage<Source>()
  const sourceOf = (purpose: string): Source => {
    const randomBytes = bytesOf(`${seed} ${purpose}`)
    return makeWorld({ ...outside, now, randomBytes })
  }
  // Bodies arrive in callbacks of the socket, which are part of no request that could be told: there is one at a time.
  let current = sourceOf('setup')
  const source = () => purposes.getStore() ?? current
  const world = makeWorld({
    ...outside,
    now,
    randomBytes: (count) => {
      const world = source()
      return world.randomBytes(count)
    },
    uuid: () => source().uuid(),
  })
  return {
    ...world,
    isFrozen: true,
    within: (purpose, work) => purposes.run(sourceOf(purpose), work),
    asHere() {
      const here = source()
      return (work) => purposes.run(here, work)
    },
    nextRequest() {
      current = sourceOf(`request ${++requests}`)
    },
  }
}

/** Runs `work` with randomness of its own, where the World repeats it. */
export function apart<T>(world: World, purpose: string, work: () => T): T {
  return scheduleOf(world).run(purpose, work)
}

type Source = Pick<World, 'randomBytes' | 'uuid'>

/** The key stream of a cipher whose key is the text. */
function bytesOf(text: string): World['randomBytes'] {
  const key = createHash('sha256').update(text).digest()
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return (count) => new Uint8Array(cipher.update(Buffer.alloc(count)))
}
