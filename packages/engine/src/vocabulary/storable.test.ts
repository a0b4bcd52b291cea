import { expect, test } from 'vitest'
import { parseOutsideJson, storable } from './storable.ts'

test('text of third parties has no character that the database cannot store', () => {
  const said = String.raw`{"a\u0000":["x\u0000","\ud800y","😀"],"b":{"c":"\udc00"},"d":1,"e":null}`
  expect(parseOutsideJson(said)).toEqual({
    'a\ufffd': ['x\ufffd', '\ufffdy', '😀'],
    b: { c: '\ufffd' },
    d: 1,
    e: null,
  })
  expect(() => parseOutsideJson('{')).toThrow(SyntaxError)
})

test('what is no plain object stays as it is', () => {
  const file = new Date()
  expect(storable({ file }).file).toBe(file)
})
