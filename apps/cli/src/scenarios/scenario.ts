import { Corridor as Client, type Corridor } from '@corridor/sdk'

/**
 * Makes an event happen in the sandbox, by what leads to it in earnest: customers, money, payments. Nothing is
 * invented, so what the event says can be read from the API afterwards. Answers what it is about.
 */
export type Scenario = (client: Corridor, sleep: Sleep) => Promise<string>

export type Sleep = (ms: number) => Promise<void>

/** Waits for what the sandbox does by itself: half a minute at most. */
export async function until(sleep: Sleep, what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 100; tries++) {
    if (await holds()) return
    await sleep(300)
  }
  throw new Client.TimeoutError(`It did not happen within 30 seconds that ${what}.`)
}

/** Letters that are another each time and end in no ending of the sandbox. */
export function ending(): string {
  return `${crypto.randomUUID().slice(0, 13)}x`
}
