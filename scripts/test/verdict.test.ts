import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { statementsMissing, verdictOf } from './verdict.ts'

type Tests = readonly { fullName: string; status: string; needs?: string; message?: string }[]

function report(tests: Tests, status = 'passed', message = '') {
  const assertionResults = tests.map(({ needs, message: failure, ...test }) => ({
    ...test,
    meta: needs ? { needs } : {},
    failureMessages: failure ? [failure] : [],
  }))
  return {
    testResults: [{ name: join(process.cwd(), 'tests/a.test.ts'), status, message, assertionResults }],
  }
}

const passing = report([{ fullName: 'pays', status: 'passed' }])
const onServer = report([{ fullName: 'draws', status: 'passed' }])
const skipped = (needs: string) => report([{ fullName: 'draws', status: 'skipped', needs }])

describe('the verdict of both parts', () => {
  it('counts what passed, and takes what one part skipped and the other ran', () => {
    expect(verdictOf({ node: skipped('Chromium'), server: onServer })).toEqual({
      passed: 1,
      failed: 0,
      problems: [],
    })
  })

  it.each([
    [{ node: skipped('Chromium'), server: passing }, 'not run: tests/a.test.ts: draws needs Chromium'],
    [{ node: passing, server: undefined }, 'server: no report'],
    [
      { node: passing, server: report([], 'failed', 'cannot be read\nat a') },
      'server: tests/a.test.ts: cannot be read',
    ],
    [
      { node: report([{ fullName: 'pays', status: 'failed', message: 'no\nat b' }], 'failed') },
      'node: tests/a.test.ts: pays: no',
    ],
  ])('names the problem of %j', (reports, problem) => {
    expect(verdictOf(reports).problems).toEqual([problem])
  })

  it('lets be what no run can have', () => {
    expect(verdictOf({ node: skipped('a user other than root') }).problems).toEqual([])
  })
})

describe('statements that never reached a server', () => {
  it.each([
    ['a\nb\n', 'b\na\n', []],
    ['a\nb\n', 'a\n', ['b']],
    ['testkit.rows 1\ntest.works 1\n', '', []],
    ['testament.find\n', '', ['testament.find']],
    ['', 'a\n', []],
  ])('of %j with %j are %j', (embedded, server, missing) => {
    expect(statementsMissing(embedded, server)).toEqual(missing)
  })
})
