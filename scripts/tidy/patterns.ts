import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkSync } from 'recheck'
import ts from 'typescript'
import type { Finding } from './rules.ts'
import type { SourceFile } from './source.ts'

/**
 * Every regular expression of the product takes time in proportion to its text, whatever the text: a caller
 * could stop the server with one that does not. `recheck` decides; what it once found linear is remembered
 * outside the repository, because finding out takes seconds.
 */
export function findSlowPatterns(files: readonly SourceFile[], root: string): Finding[] {
  const known = readKnown(root)
  const findings: Finding[] = []
  const linear = new Set<string>()
  for (const file of files) {
    if (!isChecked(file.path)) continue
    for (const { source, flags, line } of literalsOf(file)) {
      const key = createHash('sha256').update(`${flags}/${source}`).digest('base64url')
      const verdict = known.has(key) ? 'linear' : verdictOn(source, flags)
      if (verdict === 'linear') linear.add(key)
      else findings.push({ path: file.path, line, message: `/${source}/ ${verdict}; ${advice}` })
    }
  }
  if ([...linear].some((key) => !known.has(key))) writeKnown(root, new Set([...known, ...linear]))
  return findings
}

const advice = 'make what repeats end where something else begins, or look for it with a loop'

/** Product code that runs on what others send; its tests and tools see only what we wrote. */
function isChecked(path: string): boolean {
  return /^(packages|apps)\/[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$|\/generated\//.test(path)
}

/** Whether a pattern is linear, or in words why it is not taken for one. */
export function verdictOn(source: string, flags: string): string {
  const found = checkSync(source, flags, { timeout: 20_000 })
  if (found.status === 'safe') return 'linear'
  return found.status === 'vulnerable' ? `takes ${found.complexity.summary} time` : 'could not be judged'
}

function literalsOf({ path, text }: SourceFile): { source: string; flags: string; line: number }[] {
  const tree = ts.createSourceFile(path, text, ts.ScriptTarget.Latest)
  const found: { source: string; flags: string; line: number }[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart(tree))
      found.push({ source: node.text.slice(1, end), flags: node.text.slice(end + 1), line: line + 1 })
    }
    ts.forEachChild(node, visit)
  }
  visit(tree)
  return found
}

const cacheFolder = 'node_modules/.cache/corridor'

function readKnown(root: string): Set<string> {
  try {
    return new Set(JSON.parse(readFileSync(join(root, cacheFolder, 'linear-patterns.json'), 'utf8')))
  } catch {
    return new Set()
  }
}

function writeKnown(root: string, known: ReadonlySet<string>): void {
  mkdirSync(join(root, cacheFolder), { recursive: true })
  writeFileSync(join(root, cacheFolder, 'linear-patterns.json'), JSON.stringify([...known]))
}
