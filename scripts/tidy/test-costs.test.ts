import { expect, it } from 'vitest'
import { sourceFile } from './source.ts'
import { budgetSeconds, exceptions, testCostRule } from './test-costs.ts'

const paths = ['tests/e2e/a.test.ts', ...Object.keys(exceptions)]

function said(costs: Readonly<Record<string, number>>): string[] {
  const files = [
    ...paths.map((path) => sourceFile(path, '')),
    sourceFile('tests/costs.json', JSON.stringify(costs)),
  ]
  return testCostRule.checkAll!(files).map(({ path, message }) => `${path}: ${message.split(':')[0]}`)
}

const [exception = ''] = Object.keys(exceptions)
const { seconds: allowed } = exceptions[exception]!

it.each([
  ['tests/e2e/a.test.ts', budgetSeconds, []],
  [
    'tests/e2e/a.test.ts',
    budgetSeconds + 1,
    [`tests/e2e/a.test.ts: takes 26 s of CPU, ${budgetSeconds} at most`],
  ],
  [exception, allowed, []],
  [exception, allowed + 1, [`${exception}: takes ${allowed + 1} s of CPU, ${allowed} at most`]],
  ['tests/e2e/gone.test.ts', 1, ['tests/costs.json: tests/e2e/gone.test.ts is gone']],
])('%s may take %i seconds of CPU, or is named', (path, seconds, findings) => {
  expect(said({ [path]: seconds })).toEqual(findings)
})
