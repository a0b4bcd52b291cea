import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { Corridor } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { CommandFailure, exit, misused } from '../exit.ts'
import { showOne } from '../output.ts'
import { exportLine } from '../terminal.ts'

/** Copies of the whole sandbox: one for a test, and one to come back to. */

export const fork: Command = {
  words: ['fork'],
  takes: 'NAME [-- COMMAND …]',
  says: 'Fork the sandbox, or run a command in a temporary fork: corridor fork t1 -- npm test',
  flags: { from: { type: 'string', says: 'snapshot to fork (default: the current state)' } },
  async run(context) {
    const { terminal, output, positionals } = context
    const name = context.argument(0, 'NAME')
    const [program, ...given] = positionals.slice(1)
    const from = context.text('from')
    const client = context.client()
    const world = await client.sandbox.worlds.create({ name, ...(from ? { from } : {}) })
    // Reached as the sandbox is, whatever the server takes for its own address.
    const baseUrl = new URL(new URL(world.baseUrl).pathname, client.baseUrl).href
    if (program === undefined) {
      if (output.json || output.quiet) showOne(terminal, output, world)
      else terminal.out(exportLine('CORRIDOR_BASE_URL', baseUrl))
      return undefined
    }
    try {
      // All that the SDK needs to be the same platform there, wherever it was found here.
      const { clientId, clientSecret } = context.profile()
      return await ranIn(program, given, {
        CORRIDOR_BASE_URL: baseUrl,
        CORRIDOR_CLIENT_ID: clientId,
        CORRIDOR_CLIENT_SECRET: clientSecret,
      })
    } finally {
      await client.sandbox.worlds.delete(name)
    }
  },
}

function ranIn(
  program: string,
  given: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<number> {
  const child = spawn(program, given, {
    stdio: 'inherit',
    env: { ...process.env, ...variables },
  })
  const stop = (signal: NodeJS.Signals) => child.kill(signal)
  for (const signal of endings) process.on(signal, stop)
  return new Promise<number>((resolve, reject) => {
    child.once('error', ({ code }: NodeJS.ErrnoException) => {
      reject(misused(`${program} cannot be run: ${reasons[code ?? ''] ?? code}.`))
    })
    // As shells say of what a signal has ended.
    child.once('close', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]))
  }).finally(() => {
    for (const signal of endings) process.removeListener(signal, stop)
  })
}

/** Handed on to the command, so that the copy is removed when it has ended. */
const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'program not found',
  EACCES: 'you have no permission',
}

export const snapshot: Command = {
  words: ['snapshot'],
  takes: 'NAME',
  says: 'Take a snapshot of the sandbox',
  async run(context) {
    const made = await context.client().sandbox.snapshots.create({ name: context.argument(0, 'NAME') })
    showOne(context.terminal, context.output, made)
    return undefined
  },
}

const yes = { yes: { type: 'boolean', says: 'skip the confirmation' } } as const

export const restore: Command = {
  words: ['restore'],
  takes: 'NAME',
  says: 'Restore a snapshot; later changes are lost',
  flags: yes,
  async run(context) {
    const name = context.argument(0, 'NAME')
    await context.confirm(`This discards all changes since ${name}, for all platforms. Restore it?`)
    showOne(context.terminal, context.output, await context.client().sandbox.snapshots.restore(name))
    return undefined
  },
}

export const reset: Command = {
  words: ['reset'],
  says: 'Reset the sandbox, including its credentials, to the state after the first startup',
  flags: yes,
  async run(context) {
    await context.confirm('This deletes everything in the sandbox, for all platforms. Reset it?')
    const made = await context
      .client()
      .sandbox.reset()
      .catch((error: unknown) => {
        throw isWithoutStart(error) ? withoutStart() : error
      })
    showOne(context.terminal, context.output, made)
    return undefined
  },
}

const isWithoutStart = (error: unknown) =>
  error instanceof Corridor.Error &&
  error.code === 'REFERENCE_NOT_FOUND' &&
  (error.details as { resourceType?: unknown }).resourceType === 'SandboxSnapshot'

/** It is made at the first start alone, where worlds are on. */
const withoutStart = () =>
  new CommandFailure(
    exit.refused,
    'The snapshot `start` does not exist, because CORRIDOR_WORLDS was off at the first startup.',
    'Run `corridor snapshot start` to use the current state for later resets.',
  )
