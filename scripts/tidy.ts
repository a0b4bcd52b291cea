import { join } from 'node:path'
import { folderCircles } from './tidy/dependencies.ts'
import { findSlowPatterns } from './tidy/patterns.ts'
import { findingsOf } from './tidy/rules.ts'
import { readRepository } from './tidy/source.ts'

/** Checks the conventions that a program can check: `npm run tidy`. Each message names the allowed way. */

const startedAt = performance.now()
const root = join(import.meta.dirname, '..')
const files = readRepository(root)
const findings = [...findingsOf(files), ...findSlowPatterns(files, root)]
for (const { path, line, message, isWarning } of findings) {
  console.log(`${isWarning ? 'warning ' : ''}${path}${line === undefined ? '' : `:${line}`} ${message}`)
}
const errors = findings.filter(({ isWarning }) => !isWarning)
console.log(
  `${files.length} files in ${Math.round(performance.now() - startedAt)} ms: ${errors.length} to put right, ${findings.length - errors.length} warnings, ${folderCircles(files).length} folder circles`,
)
process.exitCode = errors.length > 0 ? 1 : 0
