import { execFile, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { failOnUnexpectedErrors, takeUnexpectedErrors, watchingLog } from './unexpected-errors.ts'

const directory = mkdtempSync(join(tmpdir(), 'corridor-unexpected-'))
afterAll(() => rmSync(directory, { recursive: true, force: true }))

function program(name: string, text: string): string {
  const path = join(directory, name)
  mkdirSync(join(path, '..'), { recursive: true })
  writeFileSync(path, text)
  return path
}

const line = (where: string) =>
  `{"level":"error","where":"${where}","msg":"unexpected error outside a request"}`
const logger = program(
  'logger.mjs',
  `import fs from 'node:fs'
fs.writeSync(1, ${JSON.stringify(`{"level":"info","msg":"ready"}\n${line('spawned')}\n`)})`,
)
/** Starts the other with an environment of its own, as `corridor dev` and the SDK's testing part do. */
const starter = program(
  'starter.mjs',
  `import { spawn } from 'node:child_process'
spawn(process.execPath, [${JSON.stringify(logger)}], { env: { PATH: process.env.PATH }, stdio: 'inherit' })`,
)
const environment = { env: { PATH: process.env.PATH ?? '' } }

describe('an unexpected error outside a request', () => {
  it.each<[how: string, start: () => unknown]>([
    ['spawn', () => once(spawn(process.execPath, [logger]), 'close')],
    ['spawn with an environment', () => once(spawn(process.execPath, [logger], environment), 'close')],
    ['execFileSync', () => execFileSync(process.execPath, [logger], environment)],
    ['a promised execFile', () => promisify(execFile)(process.execPath, [logger], environment)],
    ['a shell', () => once(spawn('bash', ['-c', `${process.execPath} ${logger}`], environment), 'close')],
    ['a process that a test starts', () => once(spawn(process.execPath, [starter], environment), 'close')],
    [
      'a process that logs into a file',
      () => execFileSync('bash', ['-c', `${process.execPath} ${logger} > ${directory}/log`], environment),
    ],
  ])('fails the test file of a process that is started by %s', async (_how, start) => {
    await start()
    expect(failOnUnexpectedErrors).toThrow('"where":"spawned"')
    expect(failOnUnexpectedErrors).not.toThrow()
  })

  it('fails the test file of a server in its own process', () => {
    watchingLog.error({ where: 'jobs', error: { message: 'x is not a function' } }, 'background work')
    expect(takeUnexpectedErrors()).toEqual([])
    watchingLog.error({ where: 'jobs', error: { message: 'no' } }, 'unexpected error outside a request')
    expect(failOnUnexpectedErrors).toThrow('"where":"jobs"')
  })

  it.each([
    ['throw new Error("out of turn")', 'uncaughtException'],
    ['void Promise.reject(new Error("out of turn"))', 'unhandledRejection'],
  ])('fails the test file of a program of ours that dies of it: %s', (text, origin) => {
    const path = program(`node_modules/corridor/cli.mjs`, `setTimeout(() => { ${text} })`)
    expect(() => execFileSync(process.execPath, [path], { ...environment, stdio: 'ignore' })).toThrow()
    expect(failOnUnexpectedErrors).toThrow(new RegExp(`${origin} in .*cli.mjs: Error: out of turn`))
  })

  it('leaves programs of others alone', () => {
    const path = program('other.mjs', 'throw new Error("as it is meant")')
    expect(() => execFileSync(process.execPath, [path], { ...environment, stdio: 'ignore' })).toThrow()
    expect(takeUnexpectedErrors()).toEqual([])
  })
})
