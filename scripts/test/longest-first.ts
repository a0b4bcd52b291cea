import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { budgetSeconds, exceptions } from '../tidy/test-costs.ts'

const root = join(import.meta.dirname, '../..')

/** Starts the files that take longest first, so that no worker ends long before another. `tests/costs.json` has the figures. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const recorded = JSON.parse(readFileSync(join(root, 'tests/costs.json'), 'utf8')) as Record<
      string,
      number
    >
    return longestFirst(await super.sort(files), ({ moduleId }) => recorded[relative(root, moduleId)], {
      limitOf: ({ moduleId }) => exceptions[relative(root, moduleId)]?.seconds ?? budgetSeconds,
    })
  }
}

/** A file without a figure may take as long as its limit. Files that cost the same stay in their order. */
export function longestFirst<T>(
  files: readonly T[],
  recordedOf: (file: T) => number | undefined,
  { limitOf }: { readonly limitOf: (file: T) => number },
): T[] {
  const costOf = (file: T) => recordedOf(file) ?? limitOf(file)
  return [...files].sort((a, b) => costOf(b) - costOf(a))
}
