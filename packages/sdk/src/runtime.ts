/**
 * Time, chance and settings of the place in which the client runs: Node, Deno, Bun, a worker, a browser. Tests
 * pass others.
 */
export interface Runtime {
  /** Milliseconds since 1970. */
  readonly now: () => number
  /** Ends early, without an error, when the signal is given. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** From 0 to 1, without 1. */
  readonly random: () => number
  readonly uuid: () => string
  /** A variable of the environment, where there is one. */
  readonly variable: (name: string) => string | undefined
}

interface WithProcess {
  readonly process?: { readonly env?: Readonly<Record<string, string | undefined>> }
}

export const platformRuntime: Runtime = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        resolve()
      }
      const timer = setTimeout(done, ms)
      if (signal?.aborted) done()
      else signal?.addEventListener('abort', done)
    }),
  random: () => Math.random(),
  uuid: () => crypto.randomUUID(),
  variable: (name) => (globalThis as WithProcess).process?.env?.[name],
}
