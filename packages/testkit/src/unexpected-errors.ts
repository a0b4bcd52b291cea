import { appendFileSync, existsSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Log, silentLog } from '@corridor/kernel'
import { madeOnceVariable } from './database.ts'

/**
 * Errors outside of any request, of this worker's servers and of every process that its tests start. Such a server lives on, so
 * the file of the test fails for them (`fail-on-unexpected.ts`).
 */

const fileVariable = 'CORRIDOR_TEST_UNEXPECTED'
const watch = join(import.meta.dirname, 'watched-process.cjs')

/** Makes processes that this worker starts report their errors. */
export function watchProcesses(): void {
  if (process.env[fileVariable]) return
  const directory = process.env[madeOnceVariable] ?? tmpdir()
  process.env[fileVariable] = join(directory, `unexpected-errors-${process.pid}`)
  process.env.CORRIDOR_TEST_WORKER = String(process.pid)
  process.env.NODE_OPTIONS = `${process.env.NODE_OPTIONS ?? ''} --require ${watch}`
  createRequire(import.meta.url)(watch)
}

/** What came up since the last call. A test that provokes such an error takes it. */
export function takeUnexpectedErrors(): string[] {
  const file = process.env[fileVariable]!
  if (!existsSync(file)) return []
  const lines = readFileSync(file, 'utf8').trimEnd().split('\n')
  rmSync(file)
  return lines
}

/** Throws for what came up and was not taken. */
export function failOnUnexpectedErrors(): void {
  const found = takeUnexpectedErrors()
  if (found.length > 0)
    throw new Error(`unexpected errors outside of requests:\n${found.slice(0, 3).join('\n')}`)
}

/** The log of a server in this process: it says nothing, and reports what a process would. */
export const watchingLog: Log = {
  ...silentLog,
  error(fields, message) {
    if (message !== 'unexpected error outside a request') return
    const { error, ...rest } = fields as { readonly error?: unknown }
    const line = `${JSON.stringify({ ...rest, error })}\n`
    const file = process.env[fileVariable]
    if (file) return appendFileSync(file, line)
    // A program that has a server in itself, such as the generator.
    process.stderr.write(line)
    process.exitCode = 1
  },
}
