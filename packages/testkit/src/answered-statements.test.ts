import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { noteStatement, writeStatements } from './answered-statements.ts'

it('notes the statements of modules that a test has loaded anew, and each under a name without its number', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'corridor-statements-'))
  vi.stubEnv('CORRIDOR_STATEMENTS', join(folder, 'statements'))
  vi.resetModules()
  const anew = await import('./answered-statements.ts')
  expect(anew.noteStatement).not.toBe(noteStatement)
  anew.noteStatement('test.list #12 page')
  anew.noteStatement('test.list #7 page')
  noteStatement('test.long name #3')
  writeStatements()
  const lines = readFileSync(join(folder, 'statements'), 'utf8').split('\n')
  expect(lines.filter((name) => name.startsWith('test.l'))).toEqual(['test.list page', 'test.long name'])
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true })
})
