import { expect, it } from 'vitest'
import { longestFirst } from './longest-first.ts'

it('starts the files that take longest first, by their limit if they have no figure', () => {
  const recorded: Readonly<Record<string, number>> = { short: 2, long: 90, middle: 30 }
  const limits: Readonly<Record<string, number>> = { story: 120 }
  const sorted = longestFirst(
    ['short', 'new', 'long', 'newer', 'story', 'middle'],
    (file) => recorded[file],
    {
      limitOf: (file) => limits[file] ?? 25,
    },
  )
  expect(sorted).toEqual(['story', 'long', 'middle', 'new', 'newer', 'short'])
})
