import { expect, it } from 'vitest'
import { longestFirst } from './longest-first.ts'

it('starts the files that take longest first, and those without a figure by name', () => {
  const costs: Readonly<Record<string, number>> = { short: 2, long: 90, middle: 30 }
  const files = ['zero', 'short', 'long', 'another', 'middle'].map((moduleId) => ({ moduleId }))
  const sorted = longestFirst(files, ({ moduleId }) => costs[moduleId] ?? 0)
  expect(sorted.map(({ moduleId }) => moduleId)).toEqual(['long', 'middle', 'short', 'another', 'zero'])
})
