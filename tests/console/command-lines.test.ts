import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { commands } from '../../apps/cli/src/cli.ts'

const root = join(import.meta.dirname, '../../apps/console/src')

it('shows only commands beside an empty list that the command line has', () => {
  const known = new Set(commands.map(({ words }) => words.join(' ')))
  const shown = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.tsx'))
    .flatMap((name) => [...readFileSync(join(root, name), 'utf8').matchAll(/cli="corridor ([^"]+)"/g)])
    .map(([, line]) => line!)
  expect(shown.length).toBeGreaterThan(20)
  const isKnown = (line: string) =>
    line.split(' ').some((_, index, words) => known.has(words.slice(0, index + 1).join(' ')))
  expect(shown.filter((line) => !isKnown(line))).toEqual([])
})
