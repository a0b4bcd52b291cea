import { createInterface } from 'node:readline/promises'
import { CommandFailure, exit } from './exit.ts'

/** Where the command line reads and writes. Tests pass another. */
export interface Terminal {
  /** Data. */
  out(text: string): void
  /** Everything else: progress, hints, warnings. */
  note(text: string): void
  /** Shows this in place of what was drawn before; nothing takes it away. Absent: lines alone, as in CI. */
  readonly draw?: (text: string) => void
  /** Calls again and again after so many milliseconds, until what it answers is called. Absent: nobody waits that long. */
  readonly every?: (ms: number, call: () => void) => () => void
  /** True if the notes go to a terminal. Secrets must not reach a CI log. Default: false. */
  readonly showsNotes?: boolean
  /** Whether a person sees the data, so that a table may be shortened. */
  readonly isPerson: boolean
  readonly hasColour: boolean
  /** Whether somebody can be asked. */
  readonly canAsk: boolean
  ask(question: string): Promise<string>
  /** All of standard input. */
  read(): Promise<string>
  now(): number
  /** Ends early, without an error, when the signal is given. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  uuid(): string
  /** To programs on this machine; the server is asked through the SDK. */
  readonly fetch: typeof fetch
  /** Aborts when the person wants an end (Ctrl-C), so that what is under way can be finished. */
  untilStopped(): AbortSignal
  /** Calls when something is printed that nobody reads any more, as after `| head -1`. Absent: somebody always does. */
  readonly whenUnread?: (call: () => void) => void
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly directory: string
  /** The packed or the built server. */
  readonly home: string
}

/** Whether whoever reads it wants neither colour nor anything that moves. */
function isUnmoved(env: NodeJS.ProcessEnv): boolean {
  return env.NO_COLOR !== undefined || env.TERM === 'dumb' || env.CI !== undefined
}

/**
 * Text as a stream gets it. On a terminal, names and messages that others wrote cannot move the cursor, rename the window
 * or turn the direction of reading. A file or a pipe gets the text as it is.
 */
export function shownOn({ isTTY }: { readonly isTTY?: boolean }, text: string): string {
  return isTTY ? text.replace(commands, '\ufffd') : text
}

/** Controls but for tabs and new lines, those of eight bits included, and marks of direction. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are the ones to replace
const commands = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** A line of a shell that sets a variable, whatever stands in the text: `eval` runs it. */
export function exportLine(name: string, text: string): string {
  const isPlain = /^[\w.:/=+-]*$/.test(text)
  return `export ${name}=${isPlain ? text : `'${text.replaceAll("'", `'\\''`)}'`}`
}

/** The terminal of this process. */
export function processTerminal(): Terminal {
  const { env, stdout, stderr, stdin } = process
  const isPlain = !stdout.isTTY || isUnmoved(env)
  // Whoever read has what they wanted, as `head -1` has: that is an end, and no failure.
  let whenUnread: () => void = () => process.exit(exit.done)
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error
      whenUnread()
    })
  }
  return {
    out: (text) => stdout.write(`${shownOn(stdout, text)}\n`),
    note: (text) => stderr.write(`${shownOn(stderr, text)}\n`),
    ...(stderr.isTTY && !isUnmoved(env)
      ? { draw: (text) => stderr.write(`\r\u001b[K${shownOn(stderr, text)}`) }
      : {}),
    every(ms, call) {
      const timer = setInterval(call, ms)
      return () => clearInterval(timer)
    },
    showsNotes: stderr.isTTY === true,
    isPerson: stdout.isTTY === true,
    hasColour: !isPlain,
    canAsk: stdin.isTTY === true && process.stderr.isTTY === true,
    ask: (question) => askOn({ input: stdin, output: process.stderr }, question),
    async read() {
      const chunks: Buffer[] = []
      for await (const chunk of stdin) chunks.push(chunk as Buffer)
      return Buffer.concat(chunks).toString('utf8')
    },
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
    uuid: () => crypto.randomUUID(),
    fetch,
    untilStopped() {
      const stopping = new AbortController()
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort())
      return stopping.signal
    },
    whenUnread(call) {
      whenUnread = call
    },
    environment: env,
    directory: process.cwd(),
    home: import.meta.dirname,
  }
}

/** One question and its answer, a line. Ctrl-C and Ctrl-D are no answer, and end what asked. */
export async function askOn(
  { input, output }: { readonly input: NodeJS.ReadableStream; readonly output: NodeJS.WritableStream },
  question: string,
): Promise<string> {
  const reader = createInterface({ input, output })
  try {
    return await new Promise<string>((resolve, reject) => {
      // The line with the question stands unfinished.
      const stop = () => {
        output.write('\n')
        reject(new CommandFailure(exit.interrupted, 'Stopped at a prompt.'))
      }
      reader.once('SIGINT', stop)
      reader.once('close', stop)
      reader.question(question).then((answer) => {
        reader.off('close', stop)
        resolve(answer)
      }, reject)
    })
  } finally {
    reader.removeAllListeners('close')
    reader.close()
  }
}
