import { dirname } from 'node:path'
import type { SourceFile } from '../tidy/source.ts'

const isTest = (path: string) => path.endsWith('.test.ts')

/**
 * The tests of a change: changed ones, those that import a changed file, and those beside one. Almost every test reaches
 * almost every file through the test server, so the others are only counted.
 */
export function testsOf(
  changed: readonly string[],
  files: readonly Pick<SourceFile, 'path' | 'imports'>[],
): { near: string[]; farCount: number } {
  const wanted = new Set(changed)
  const sources = changed.filter((path) => /\.tsx?$/.test(path) && !isTest(path))
  const folders = new Set(sources.filter((path) => !path.startsWith('tests/')).map(dirname))
  const near = files
    .filter(({ path }) => isTest(path))
    .filter(
      ({ path, imports }) =>
        wanted.has(path) ||
        folders.has(dirname(path)) ||
        imports.some(({ target }) => target && wanted.has(target)),
    )
    .map(({ path }) => path)
  return {
    near,
    farCount: reaching(wanted, files).filter((path) => isTest(path) && !near.includes(path)).length,
  }
}

/** All files that import one of these, directly or through others. */
function reaching(
  start: ReadonlySet<string>,
  files: readonly Pick<SourceFile, 'path' | 'imports'>[],
): string[] {
  const importers = new Map<string, string[]>()
  for (const { path, imports } of files) {
    for (const { target } of imports) {
      if (target) importers.set(target, [...(importers.get(target) ?? []), path])
    }
  }
  const reached = new Set(start)
  for (const path of reached) for (const importer of importers.get(path) ?? []) reached.add(importer)
  return [...reached]
}
