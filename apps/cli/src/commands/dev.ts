import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Corridor } from '@corridor/sdk'
import type { Command } from '../command.ts'
import { CommandFailure, exit, misused } from '../exit.ts'
import { readCredentials } from '../profile.ts'
import { scenarioOf } from '../scenarios/index.ts'
import { exportLine, type Terminal } from '../terminal.ts'
import { serverProgram } from './installation.ts'
import { seedFile } from './report.ts'

/** A sandbox on this machine: starts it, and reads its log. */

const firstScenario = 'OUTGOING_PAYMENT.COMPLETED'
const startsWithinMs = 60_000
const pollMs = 100
const lastPort = 65_535

export const dev: Command = {
  words: ['dev'],
  says: 'Start a sandbox on this machine and make a first payment; no network is needed',
  flags: {
    port: { type: 'string', says: 'port of the API (default 7171)' },
    data: { type: 'string', says: 'data folder, or "memory" to keep nothing (default .corridor)' },
    scenario: {
      type: 'string',
      says: 'event to trigger after the start, such as OUTGOING_PAYMENT.FAILED (default: a completed payment)',
    },
    seed: {
      type: 'string',
      says: 'number that makes an empty sandbox repeatable: the same requests get the same responses',
    },
  },
  async run(context) {
    const { terminal } = context
    const port = context.text('port') ?? '7171'
    if (!/^\d{1,5}$/.test(port) || Number(port) > lastPort)
      throw misused(`--port must be a number from 0 to ${lastPort}.`, 'Use 0 for any free port.')
    const seed = context.text('seed')
    if (seed !== undefined && !/^\d{1,15}$/.test(seed))
      throw misused('--seed must be a number of up to 15 digits.')
    if (context.text('data') === '') throw misused('--data must be a folder or "memory".')
    const wanted = context.text('scenario')
    const scenario = scenarioOf(wanted ?? firstScenario)
    await refuseTaken(Number(port))
    const stopping = new AbortController()
    const stop = () => stopping.abort()
    // From before there is anything to leave behind.
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop)
    terminal.whenUnread?.(stop)
    const isPassing = context.text('data') === 'memory'
    const folder = isPassing
      ? mkdtempSync(join(tmpdir(), 'corridor-dev-'))
      : resolve(terminal.directory, context.text('data') ?? '.corridor')
    // Where the other commands look for what dev left. Of data that pass nothing stays there.
    const found = isPassing ? resolve(terminal.directory, '.corridor') : folder
    let takeBack = () => {}
    const isFirst = !existsSync(join(folder, 'credentials.json'))
    // Before anything is started that would be of no use without them.
    if (!isFirst) readCredentials(join(folder, 'credentials.json'))
    const logPath = join(folder, 'server.log')
    const log = writing(folder, () => openSync(logPath, 'a', 0o600))
    const logged = statSync(logPath).size
    const startedAt = terminal.now()
    const child = spawn(process.execPath, [serverProgram(terminal, 'main.js'), '--ends-with-its-parent'], {
      env: {
        ...process.env,
        PORT: port,
        HOST: 'localhost',
        CORRIDOR_DATA_DIR: folder,
        CORRIDOR_LOG_LEVEL: 'info',
        // Everything in it is somebody's to try.
        CORRIDOR_WORLDS: process.env.CORRIDOR_WORLDS ?? 'on',
        ...(seed === undefined ? {} : { CORRIDOR_SEED: seed }),
      },
      // The server ends with the channel, however this process comes to its end.
      stdio: ['ignore', log, log, 'ipc'],
    })
    closeSync(log)
    const ended = new Promise<number>((resolve) =>
      child.once('close', (code) => resolve(code ?? exit.serverFault)),
    )
    let hasEnded = false
    void ended.then(() => {
      hasEnded = true
    })
    let isEnding = false
    const end = () => {
      // A second one would cut its orderly end short.
      if (!isEnding) child.kill('SIGTERM')
      isEnding = true
    }
    // However this process comes to its end, the server is not left behind.
    process.once('exit', end)
    if (stopping.signal.aborted) end()
    else stopping.signal.addEventListener('abort', end)
    try {
      await begin()
      return await ended
    } catch (error) {
      // What was under way found no server any more: that is what was asked for, and no failure.
      if (stopping.signal.aborted) return exit.interrupted
      throw error
    } finally {
      end()
      await ended
      takeBack()
      if (isPassing) rmSync(folder, { recursive: true, force: true })
    }

    async function begin(): Promise<void> {
      const address = await listening(terminal, { folder, path: logPath, from: logged }, () => hasEnded)
      const { platforms, baseUrl } = readCredentials(join(folder, 'credentials.json'))
      const acme = platforms[0]!
      const base = `${address}${new URL(baseUrl).pathname}`
      const lines = {
        CORRIDOR_BASE_URL: base,
        CORRIDOR_CLIENT_ID: acme.clientId,
        CORRIDOR_CLIENT_SECRET: acme.clientSecret,
      }
      const text = Object.entries(lines).map(([name, value]) => exportLine(name, value))
      const isFound = leaveThere(`${text.join('\n')}\n`)
      const took = ((terminal.now() - startedAt) / 1_000).toFixed(1)
      terminal.note(`✓ ready       ${address}   in ${took} s   data in ${folder}`)
      if (seed !== undefined) terminal.note(`  seed        ${seed}`)
      if (isFirst || wanted !== undefined) {
        const client = new Corridor({
          baseUrl: base,
          ...acme,
          runtime: {
            // Its idempotency keys as well, which the log of requests tells apart.
            ...(seed === undefined ? {} : { uuid: repeating(terminal, `${seed} keys`).uuid }),
            sleep: (ms, signal) =>
              terminal.sleep(ms, AbortSignal.any([stopping.signal, ...(signal ? [signal] : [])])),
          },
        })
        const id = await scenario(client, seed === undefined ? terminal : repeating(terminal, seed))
        if (wanted !== undefined && wanted !== firstScenario) {
          terminal.note(`✓ first event ${wanted} for ${id}`)
        } else {
          const { status } = await client.transactions.waitFor(id)
          terminal.note(`✓ payment     1,000.00 USD to a bank in Germany: ${status}  ${id}`)
        }
      }
      const link = await startLink(address, acme)
      if (link !== undefined) {
        const linkPath = join(folder, 'console-link')
        if (!terminal.showsNotes) write(linkPath, `${link}\n`)
        const shown = terminal.showsNotes ? link : `the link is in ${linkPath}`
        terminal.note(`  console     ${shown}   (valid once, for ten minutes)`)
      }
      terminal.note(`  docs        ${address}/docs`)
      for (const line of text) {
        terminal.out(line)
        // Whoever wanted the first alone, as `head -1`, is gone by the next, which is how that is noticed.
        await terminal.sleep(pollMs)
      }
      terminal.note(`  ${isFound ? `(also in ${join(found, 'env')})   ` : ''}Press Ctrl-C to stop`)
    }

    /** Whether other commands find it there. Data that pass need no folder in which anything may be written. */
    function leaveThere(env: string): boolean {
      try {
        const taken = leave(found, { env, ...(seed === undefined ? {} : { [seedFile]: `${seed}\n` }) })
        if (isPassing) takeBack = taken
        return true
      } catch (error) {
        if (isPassing) return false
        throw error
      }
    }
  },
}

/** Says at once what the server would find only after its start. */
async function refuseTaken(port: number): Promise<void> {
  const probe = createServer()
  try {
    // As the server does: where localhost has two addresses, on the first of them.
    await once(probe.listen(port, 'localhost'), 'listening')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EADDRINUSE')
      throw misused(
        `Port ${port} is in use by another program.`,
        'Stop that program or choose another port with --port.',
      )
    if (code === 'EACCES')
      throw misused(`You have no permission to open port ${port}.`, 'Choose one above 1023 with --port.')
    throw error
  }
  probe.close()
  await once(probe, 'close')
}

const folderTroubles: Readonly<Record<string, string>> = {
  EACCES: 'you have no permission',
  EPERM: 'you have no permission',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is exceeded',
  ENOENT: 'the location does not accept files',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
}

/** One after the other: where nothing can be made, as in /proc, Node tries without end to make all of them at once. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/** Makes the folder where it is missing, and does there what may be refused. */
function writing<T>(folder: string, write: () => T): T {
  try {
    makeFolder(folder)
    // All of it is secret or large: nothing of it belongs into a repository.
    const ignoring = join(folder, '.gitignore')
    // In a folder of somebody's project it is theirs.
    if (!existsSync(ignoring)) writeFileSync(ignoring, '*\n')
    return write()
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw misused(
      `Cannot write to the data folder ${folder}: ${folderTroubles[code] ?? message}.`,
      'Choose another folder with --data, or use --data memory to keep nothing.',
    )
  }
}

function write(path: string, text: string): void {
  writeFileSync(path, text, { mode: 0o600 })
  chmodSync(path, 0o600)
}

/** Writes files that only their owner may read; what it answers takes them back, and restores what was there before. */
function leave(folder: string, files: Readonly<Record<string, string>>): () => void {
  const isNew = !existsSync(folder)
  const textOf = (name: string) =>
    existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : undefined
  const before = Object.keys(files).map((name) => [name, textOf(name)] as const)
  writing(folder, () => {
    for (const [name, text] of Object.entries(files)) write(join(folder, name), text)
  })
  return () => {
    for (const [name, text] of before) {
      // It is another's by now, as of a dev that was started after this one.
      if (textOf(name) !== files[name]) continue
      if (text === undefined) rmSync(join(folder, name))
      else write(join(folder, name), text)
    }
    const isEmpty = isNew && readdirSync(folder).every((name) => name === '.gitignore')
    if (isEmpty) rmSync(folder, { recursive: true })
  }
}

/** A link that signs in to the console; undefined where the server makes none. */
async function startLink(
  address: string,
  { clientId, clientSecret }: { readonly clientId: string; readonly clientSecret: string },
): Promise<string | undefined> {
  const credential = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
  const headers = { authorization: `Basic ${credential}`, 'x-corridor-console': '1' }
  const answer = await fetch(`${address}/console/start-link`, { method: 'POST', headers })
  if (!answer.ok) return undefined
  const { path } = (await answer.json()) as { path: string }
  return address + path
}

/** What the first payment is made of is drawn from the seed as well. */
function repeating(terminal: Terminal, seed: string): Terminal {
  let drawn = 0
  return {
    ...terminal,
    uuid() {
      const hex = createHash('sha256').update(`${seed} ${drawn++}`).digest('hex')
      return hex.slice(0, 32).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-')
    },
  }
}

/** The address in the line of the log that says it is ready. */
async function listening(
  terminal: Terminal,
  { folder, path, from }: { readonly folder: string; readonly path: string; readonly from: number },
  hasEnded: () => boolean,
): Promise<string> {
  for (const until = terminal.now() + startsWithinMs; terminal.now() < until; await terminal.sleep(pollMs)) {
    const lines = readFileSync(path).subarray(from).toString('utf8').split('\n')
    const ready = lines.find((line) => line.includes('"msg":"ready"') && line.endsWith('}'))
    if (ready) return (JSON.parse(ready) as { listening: string }).listening
    if (hasEnded()) {
      // Not always the last line: who has the folder logs to the same file.
      const [, holder] = / is in use by process (\w+)/.exec(lines.join('\n')) ?? []
      if (holder !== undefined) {
        throw misused(
          `The data folder ${folder} is in use by process ${holder}, perhaps another corridor dev.`,
          'Stop that process or choose another folder with --data.',
        )
      }
      throw new CommandFailure(
        exit.serverFault,
        `The server did not start: ${lines.filter(Boolean).at(-1) ?? 'it printed nothing'}`,
        `Full output: ${path}`,
      )
    }
  }
  throw new CommandFailure(
    exit.timedOut,
    `The server is not ready after ${startsWithinMs / 1000} s.`,
    `Full output: ${path}`,
  )
}

export const logs: Command = {
  words: ['logs'],
  says: 'Print the log of corridor dev',
  flags: {
    follow: { type: 'boolean', says: 'continue to print new lines' },
    data: { type: 'string', says: 'data folder (default .corridor)' },
  },
  async run(context) {
    const { terminal } = context
    const path = resolve(terminal.directory, context.text('data') ?? '.corridor', 'server.log')
    if (!existsSync(path)) throw misused(`No log found at ${path}.`, 'Start corridor dev first.')
    let read = 0
    do {
      const bytes = readFileSync(path)
      const end = bytes.lastIndexOf(10) + 1
      if (end > read) terminal.out(bytes.subarray(read, end - 1).toString('utf8'))
      read = Math.max(read, end)
      if (context.isSet('follow')) await terminal.sleep(pollMs * 3)
    } while (context.isSet('follow'))
    return undefined
  },
}
