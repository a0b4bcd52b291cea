import { routes } from '@corridor/engine/assembly/features.ts'
import { describe, expect, it } from 'vitest'
import { verdictOn } from '../../scripts/tidy/patterns.ts'

/** The patterns of all schemas, wherever they stand in them. */
function patternsOf(schema: unknown, seen: Set<unknown> = new Set(), found: Set<string> = new Set()) {
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return found
  seen.add(schema)
  for (const [keyword, value] of Object.entries(schema)) {
    if (keyword === 'pattern' && typeof value === 'string') found.add(value)
    else patternsOf(value, seen, found)
  }
  return found
}

const patterns = patternsOf(
  routes.map(({ operation: { body, query, params, headers } }) => ({ body, query, params, headers })),
)

describe('every pattern of a schema', () => {
  it('is found', () => {
    expect(patterns.size).toBeGreaterThan(10)
  })

  it.each([...patterns])(
    '%s takes linear time',
    (pattern) => {
      expect(verdictOn(pattern, 'u')).toBe('linear')
    },
    60_000,
  )
})
