import { expect, test } from 'vitest'
import { parseStrictJson } from './strict-json.ts'

const parse = (text: string) => parseStrictJson(new TextEncoder().encode(text))
const nested = (depth: number) => `{"a":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`

test.each([
  ['[]', 'the body is not a JSON object'],
  ['{"a":1,"a":2}', 'an object contains a key twice'],
  ['{"a":', 'the body is not valid JSON'],
  [nested(65), 'the body is nested too deeply'],
  [nested(200_000), 'the body is nested too deeply'],
  ['{"a":1000.00000000000000001}', 'a number has too many digits'],
  ['{"a":[-0.99999999999999999999e3]}', 'a number has too many digits'],
])('a body is refused with its reason: %.20s', (text, reason) => {
  expect(parse(text)).toEqual({ ok: false, reason })
})

test('numbers keep their value', () => {
  const numbers = '[0.30000000000000004,1000.000000000000000000,33.333333333333336,1e3,0.1]'
  expect(parse(`{"a":${numbers},"b":"1000.00000000000000001"}`)).toEqual({
    ok: true,
    value: { a: [0.30000000000000004, 1000, 33.333333333333336, 1000, 0.1], b: '1000.00000000000000001' },
  })
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

test('a member named like the prototype is left out, at any depth and however it is written', () => {
  const text =
    '{"__proto__":{"a":1},"b":{"\\u005f\\u005fproto__":{"c":2},"d":[{"__proto__":3}]},"e":"__proto__"}'
  const parsed = parse(text)
  expect(parsed).toEqual({ ok: true, value: { b: { d: [{}] }, e: '__proto__' } })
  expect((parsed as { value: Record<string, unknown> }).value.a).toBeUndefined()
})
