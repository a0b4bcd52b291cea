import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'

/**
 * Result of both parts of `.ci/run`: `npx tsx scripts/test/verdict.ts FOLDER`. Fails when a test failed, when no part has run a
 * test, and when the embedded database has answered a statement that never reached a PostgreSQL server.
 */

interface Report {
  readonly testResults: readonly {
    readonly name: string
    readonly status: string
    readonly message?: string
    readonly assertionResults: readonly {
      readonly fullName: string
      readonly status: string
      readonly meta?: { readonly needs?: string }
      readonly failureMessages?: readonly string[] | null
    }[]
  }[]
}

export interface Verdict {
  readonly passed: number
  readonly failed: number
  /** One line for each problem. */
  readonly problems: readonly string[]
}

/**
 * No run has the first two. `.ci/run` does not install Patroni, etcd and HAProxy, to stay quick: `npm run proof` needs them, and a
 * server with a plain standby tests the same code in every run.
 */
const mayBeAbsent = ['a user other than root', 'Linux', 'Patroni']

export function verdictOf(reports: Readonly<Record<string, Report | undefined>>): Verdict {
  const problems: string[] = []
  const passedSomewhere = new Set<string>()
  const skipped = new Map<string, string>()
  let passed = 0
  let failed = 0
  for (const [part, report] of Object.entries(reports)) {
    if (!report) {
      problems.push(`${part}: no report`)
      continue
    }
    for (const { name, status, message, assertionResults } of report.testResults) {
      const file = relative(process.cwd(), name)
      const hasFailure = assertionResults.some((test) => test.status === 'failed')
      // A file that does not load has no test that fails. It counts as one.
      if (status === 'failed' && !hasFailure) {
        failed++
        problems.push(`${part}: ${file}: ${firstLine(message)}`)
      }
      for (const { fullName, status: end, meta, failureMessages } of assertionResults) {
        const key = `${file}: ${fullName}`
        if (end === 'passed') {
          passed++
          passedSomewhere.add(key)
        } else if (end === 'failed') {
          failed++
          problems.push(`${part}: ${key}: ${firstLine(failureMessages?.[0])}`)
        } else skipped.set(key, meta?.needs ?? 'something else')
      }
    }
  }
  for (const [key, needs] of skipped) {
    if (!passedSomewhere.has(key) && !mayBeAbsent.includes(needs))
      problems.push(`not run: ${key} needs ${needs}`)
  }
  return { passed, failed, problems }
}

/** Names of statements that only the embedded database has answered. Tests name their own with `test` or `testkit`. */
export function statementsMissing(embedded: string, server: string): string[] {
  const answered = new Set(server.split('\n'))
  const asked = new Set(embedded.split('\n'))
  return [...asked].filter((name) => name !== '' && !/^test(kit)?\./.test(name) && !answered.has(name)).sort()
}

function firstLine(text: string | undefined): string {
  return (text ?? '').split('\n')[0]!.slice(0, 300)
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

function main(folder: string): void {
  const parts = ['embedded', 'server']
  const reports = Object.fromEntries(
    parts.map((part) => {
      const text = read(join(folder, `${part}.json`))
      return [part, text === undefined ? undefined : (JSON.parse(text) as Report)]
    }),
  )
  const { passed, failed, problems: ofTests } = verdictOf(reports)
  const [embedded = '', server = ''] = parts.map((part) => read(join(folder, `${part}.statements`)))
  const missing = statementsMissing(embedded, server).map(
    (name) => `never sent to PostgreSQL: ${name}. Add a test of it to onServer in tests/places.ts.`,
  )
  const problems = [...ofTests, ...missing]
  const shown = 30
  for (const problem of problems.slice(0, shown)) console.log(`FAILED: ${problem}`)
  if (problems.length > shown) console.log(`and ${problems.length - shown} more`)
  console.log(`${passed} passed, ${failed} failed`)
  process.exitCode = problems.length > 0 ? 1 : 0
}

if (process.argv[1] === import.meta.filename) main(process.argv[2] ?? '.')
