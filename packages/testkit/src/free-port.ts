import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

/**
 * A port for a program that is about to start. Systems hand out the ports from 32768 on for port 0 and for connections, so between
 * the choice and the start another program of the machine could take one of those.
 */
export async function freePort(choose = () => randomInt(lowest, highest)): Promise<number> {
  for (;;) {
    const port = choose()
    if (!given.has(port) && (await isFree(port))) {
      given.add(port)
      return port
    }
  }
}

/** Browsers and `fetch` refuse some ports below. */
const lowest = 11_000
const highest = 32_000
const given = new Set<number>()

async function isFree(port: number): Promise<boolean> {
  // On every address: what listens on one of them is found as well.
  const probe = createServer().listen(port)
  const isListening = await once(probe, 'listening').then(
    () => true,
    () => false,
  )
  if (!isListening) return false
  probe.close()
  await once(probe, 'close')
  return true
}
