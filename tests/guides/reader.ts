import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { freePort } from '@corridor/testkit/free-port.ts'
import { type Block, difference, readGuide, showsLines } from './guide.ts'

/**
 * Follows a guide from its own text, in an empty folder, against a server that has just been started there, and
 * fails at the first block that does not do what the guide says.
 */

const root = join(import.meta.dirname, '../..')
const patienceMs = 120_000

/** Returns how many blocks were run, so that a guide of none is noticed. */
export async function followGuide(name: string): Promise<number> {
  const directory = mkdtempSync(join(tmpdir(), 'corridor-guide-'))
  // What `npm install` would bring; the program finds packages from where it stands.
  symlinkSync(join(root, 'node_modules'), join(directory, 'node_modules'))
  writeFileSync(join(directory, 'package.json'), JSON.stringify({ scripts: builtScripts() }))
  const [port, ownPort] = [await freePort(), await freePort()]
  const environment = {
    PATH: process.env.PATH ?? '',
    HOME: directory,
    PORT: String(port),
    CORRIDOR_LOG_LEVEL: 'warn',
  }
  // The ports that guides name are taken, on a machine that runs tests.
  const withPorts = (text: string) =>
    text.replaceAll(/\b8080\b/g, String(port)).replaceAll(/\b3000\b/g, String(ownPort))
  const server = corridor(directory, environment)
  const terminal = openTerminal(directory, environment)
  const second = openTerminal(directory, environment)
  let printed = ''
  let ran = 0
  const step = async (block: Block): Promise<string | undefined> => {
    const text = withPorts(block.text)
    switch (block.kind) {
      case 'start':
        return server.start(settingsOf(text))
      case 'stop':
        return server.stop()
      case 'save':
        writeFileSync(join(directory, block.fileName), `${text}\n`)
        return undefined
      case 'type':
        printed = await terminal.run(text)
        return undefined
      case 'type-beside':
        second.leave(text)
        return undefined
      case 'prints':
        return difference({ ...block, text }, printed)
      case 'shows-beside':
        return second.shows(text)
    }
  }
  try {
    for (const block of readGuide(name)) {
      if (block.needsPostgresql) continue
      const place = `docs/guides/${name}.md:${block.line}`
      const wrong = await step(block).catch((error: Error) => error.message)
      if (wrong) throw new Error(`${place} ${wrong}\n${server.log()}`)
      ran++
    }
    return ran
  } finally {
    terminal.close()
    second.close()
    await server.stop()
    rmSync(directory, { recursive: true, force: true })
  }
}

/** Of `NAME=value npm start`. */
function settingsOf(text: string): Record<string, string> {
  return Object.fromEntries(
    [...text.matchAll(/^([A-Z_]+)=(\S+) /gm)].map(([, name, value]) => [name!, value!]),
  )
}

/** What `npm run` has in the repository, of the programs that are built already. */
function builtScripts(): Record<string, string> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
    readonly scripts: Readonly<Record<string, string>>
  }
  return Object.fromEntries(
    Object.entries(scripts).flatMap(([name, line]) => {
      const [, program] = /^npm run --silent build && node (\S+)$/.exec(line) ?? []
      return program ? [[name, `node ${join(root, program)}`]] : []
    }),
  )
}

/** The server of a guide: started and stopped as often as the guide does. */
function corridor(directory: string, environment: Record<string, string>) {
  let running: ChildProcess | undefined
  let log = ''
  return {
    log: () => log,
    async start(settings: Record<string, string>): Promise<undefined> {
      const child = spawn(process.execPath, [join(root, 'apps/server/dist/main.js')], {
        cwd: directory,
        env: { ...environment, ...settings },
        stdio: ['ignore', 'pipe', 'ignore'],
      })
      running = child
      child.stdout.on('data', (chunk) => {
        log += chunk
      })
      const deadline = Date.now() + patienceMs
      while (!(await isReady(Number(environment.PORT)))) {
        if (child.exitCode !== null || Date.now() > deadline) throw new Error('the server does not start')
        await wait(50)
      }
    },
    async stop(): Promise<undefined> {
      if (!running || running.exitCode !== null) return
      running.kill('SIGTERM')
      await once(running, 'exit')
    },
  }
}

async function isReady(port: number): Promise<boolean> {
  return fetch(`http://localhost:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
}

const endMark = '@@corridor-block-ended@@'

/** A shell that keeps its variables, and ends with the first command that fails or variable that is not set. */
function openTerminal(cwd: string, env: Record<string, string>) {
  const shell = spawn('bash', ['--noprofile', '--norc'], { cwd, env, stdio: 'pipe', detached: true })
  let output = ''
  let errors = ''
  shell.stdout.on('data', (chunk) => {
    output += chunk
  })
  shell.stderr.on('data', (chunk) => {
    errors += chunk
  })
  shell.stdin.on('error', () => {})
  shell.stdin.write('set -euo pipefail\n')
  const until = async (isDone: () => boolean, what: string): Promise<void> => {
    const deadline = Date.now() + patienceMs
    while (!isDone()) {
      if (shell.exitCode !== null) throw new Error(`fails:\n${errors}\n${output}`)
      if (Date.now() > deadline)
        throw new Error(`${what} within ${patienceMs / 1000} s:\n${errors}\n${output}`)
      await wait(20)
    }
  }
  return {
    /** What the block printed. */
    async run(text: string): Promise<string> {
      output = ''
      shell.stdin.write(`{ ${text}\n} </dev/null\nprintf '\\n%s\\n' '${endMark}'\n`)
      await until(() => output.includes(endMark), 'does not end')
      return output.slice(0, output.indexOf(endMark))
    },
    leave(text: string): void {
      shell.stdin.write(`{ ${text}\n} </dev/null\n`)
    },
    async shows(text: string): Promise<undefined> {
      await until(() => showsLines(text, output), `does not show\n${text}\n`)
    },
    close(): void {
      // The whole group: what the guide left running is a child of the shell.
      if (shell.pid && shell.exitCode === null) process.kill(-shell.pid, 'SIGKILL')
    },
  }
}
