import { expect, it } from 'vitest'
import { testsOf } from './changed.ts'

const file = (path: string, ...targets: string[]) => ({
  path,
  imports: targets.map((target) => ({ specifier: target, target, isType: false, line: 1 })),
})

const files = [
  file('packages/a/src/rule.ts'),
  file('packages/a/src/rule.test.ts', 'packages/a/src/rule.ts'),
  file('packages/a/src/beside.test.ts'),
  file('packages/b/src/server.ts', 'packages/a/src/rule.ts'),
  file('tests/e2e/pays.test.ts', 'packages/b/src/server.ts'),
  file('tests/e2e/rule.test.ts', 'packages/a/src/rule.ts'),
  file('tests/e2e/other.test.ts'),
]

it.each([
  [
    ['packages/a/src/rule.ts'],
    ['packages/a/src/rule.test.ts', 'packages/a/src/beside.test.ts', 'tests/e2e/rule.test.ts'],
    1,
  ],
  [['packages/b/src/server.ts'], ['tests/e2e/pays.test.ts'], 0],
  [['tests/e2e/other.test.ts'], ['tests/e2e/other.test.ts'], 0],
  [['README.md'], [], 0],
])('takes for a change of %j the tests %j, and counts %i further away', (changed, near, farCount) => {
  expect(testsOf(changed, files)).toEqual({ near, farCount })
})
