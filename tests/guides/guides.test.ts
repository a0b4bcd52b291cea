import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Block, difference, readGuide, showsLines } from './guide.ts'
import { followGuide } from './reader.ts'

const names = readdirSync(join(import.meta.dirname, '../../docs/guides'))
  .filter((file) => file.endsWith('.md'))
  .map((file) => file.slice(0, -'.md'.length))
const runnable = names.filter((name) => readGuide(name).some(({ kind }) => kind === 'start'))

describe('guides', () => {
  beforeAll(buildServer, 180_000)

  it.each(runnable)('%s does what it says', { timeout: 600_000 }, async (name) => {
    expect(await followGuide(name)).toBeGreaterThan(1)
  })
})

describe('what a guide says', () => {
  const block = (language: string, text: string): Block => ({
    kind: 'prints',
    language,
    text,
    line: 1,
    fileName: '',
    needsPostgresql: false,
  })

  it.each([
    ['text', 'Customer:…', 'Customer:0199\n', true],
    ['text', 'Customer:…', 'undefined\n', false],
    ['text', 'COMPLETED', 'COMPLETED and more', false],
    ['json', '{"status": "PENDING", "id": "Quote:…"}', '{"id":"Quote:1","status":"PENDING","more":1}', true],
    ['json', '{"amount": 100}', '{"amount":101}', false],
    ['json', '{"data": [{"id": "a"}]}', '{"data":[{"id":"a"},{"id":"b"}]}', false],
    ['json', '{"customer": {"id": "…"}}', '{"customer":null}', false],
    ['json', '{"settledAt": null}', '{}', false],
    ['json', '{}', 'no JSON', false],
  ])('is compared: %s %s with %s', (language, said, printed, isTrue) => {
    expect(difference(block(language, said), printed) === undefined).toBe(isTrue)
  })

  it.each([
    ['PENDING\nCOMPLETED', 'PENDING\nPROCESSING\nCOMPLETED\n', true],
    ['COMPLETED\nPENDING', 'PENDING\nPROCESSING\nCOMPLETED\n', false],
    ['listening on …', 'listening on 3000', true],
  ])('is looked for in the second terminal: %j in %j', (said, shown, isTrue) => {
    expect(showsLines(said, shown)).toBe(isTrue)
  })
})
