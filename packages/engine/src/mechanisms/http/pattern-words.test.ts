import { expect, it } from 'vitest'
import { operations } from '../../assembly/features.ts'
import { patternInWords } from './pattern-words.ts'

it('every pattern of what is sent is told in words', () => {
  const patterns = new Set<string>()
  const collect = (part: unknown): void => {
    if (typeof part !== 'object' || part === null) return
    if ('pattern' in part && typeof part.pattern === 'string') patterns.add(part.pattern)
    for (const member of Object.values(part)) collect(member)
  }
  for (const { body, query, params, headers } of operations) collect([body, query, params, headers])
  expect(patterns.size).toBeGreaterThan(15)
  const untold = [...patterns].filter((pattern) => !/^must /.test(patternInWords(pattern)))
  expect(untold).toEqual([])
})

it.each([
  ['^Customer:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', 'must be an id that begins with Customer:'],
  [
    '^(ExternalAccount|InternalAccount):[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
    'must be an id that begins with ExternalAccount: or InternalAccount:',
  ],
  ['^\\d{2,6}$', 'must be 2 to 6 digits'],
])('%s', (pattern, words) => {
  expect(patternInWords(pattern)).toBe(words)
})
