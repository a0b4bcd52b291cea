import { Corridor as Client, type Corridor } from '@corridor/sdk'
import type { Terminal } from '../terminal.ts'

/**
 * Makes an event happen in the sandbox, by what leads to it in earnest: customers, money, payments. Nothing is
 * invented, so what the event says can be read from the API afterwards. Answers what it is about.
 */
export type Scenario = (client: Corridor, means: Means) => Promise<string>

/** Time and chance of the terminal. */
export type Means = Pick<Terminal, 'sleep' | 'uuid'>

/** Waits for what the sandbox does by itself: half a minute at most. */
export async function until(means: Means, what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await holds()) return
    await means.sleep(300)
  }
  throw new Client.TimeoutError(`Timed out after 30 seconds. This condition was not met: ${what}.`)
}

/** Letters that are another each time and end in no ending of the sandbox. */
export function ending({ uuid }: Means): string {
  return `${uuid().slice(-12)}x`
}
