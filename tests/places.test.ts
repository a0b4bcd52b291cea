import { readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inBrowser, onBothDatabases, onEmbedded, onServer } from './places.ts'

const root = join(import.meta.dirname, '..')

/** `a/{b,c*}.ts` as `a/b.ts` and `a/c*.ts`. */
function alternatives(pattern: string): string[] {
  const [before = '', inner, after = ''] = pattern.split(/[{}]/)
  return inner === undefined ? [before] : inner.split(',').map((each) => before + each + after)
}

function hasFile(pattern: string): boolean {
  const start = join(root, pattern.split('*')[0]!)
  const folder = pattern.includes('*') && start.endsWith('/') ? start : dirname(start)
  return readdirSync(folder, { recursive: true }).some((name) => {
    const path = join(folder, String(name))
    return path.startsWith(start) && path.endsWith('.test.ts')
  })
}

describe('each pattern of where tests run', () => {
  it.each([...inBrowser, ...onEmbedded, ...onServer, ...onBothDatabases].flatMap(alternatives))(
    'takes a file: %s',
    (pattern) => {
      expect(hasFile(pattern)).toBe(true)
    },
  )
})
