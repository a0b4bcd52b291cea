import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

const root = join(import.meta.dirname, '../..')

/** Starts the files that take longest first, so that no worker ends long before another. `tests/costs.json` has the figures. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const costs = JSON.parse(readFileSync(join(root, 'tests/costs.json'), 'utf8')) as Record<string, number>
    return longestFirst(files, ({ moduleId }) => costs[relative(root, moduleId)] ?? 0)
  }
}

/** Files without a figure are new or small. They come last, in the order of their names. */
export function longestFirst<T extends { readonly moduleId: string }>(
  files: readonly T[],
  costOf: (file: T) => number,
): T[] {
  return [...files].sort((a, b) => costOf(b) - costOf(a) || (a.moduleId < b.moduleId ? -1 : 1))
}
