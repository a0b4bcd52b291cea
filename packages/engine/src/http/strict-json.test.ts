import { expect, test } from 'vitest'
import { parseStrictJson } from './strict-json.ts'

const parse = (text: string) => parseStrictJson(new TextEncoder().encode(text))
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

test.each([
  ['[]', 'the body is not a JSON object'],
  ['{"a":1,"a":2}', 'an object names a key twice'],
  ['{"a":', 'the body is not valid JSON'],
  [nested(65), 'the body is nested too deeply'],
  [nested(200_000), 'the body is nested too deeply'],
])('a body is refused with its reason: %.20s', (text, reason) => {
  expect(parse(text)).toEqual({ ok: false, reason })
})

test('brackets in texts and flat structures do not count as depth', () => {
  for (const text of [
    nested(64),
    `{"a":"${'['.repeat(100)}\\"${'{'.repeat(100)}"}`,
    `{"a":[${'[],'.repeat(99)}[]]}`,
  ]) {
    expect(parse(text).ok).toBe(true)
  }
})
