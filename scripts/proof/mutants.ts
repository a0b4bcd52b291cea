import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { areas } from './mutant-areas.ts'

/**
 * Deliberate faults, one at a time, in a checkout that may be thrown away: `npx tsx scripts/proof/mutants.ts --in FOLDER`.
 *
 *   --in FOLDER     a clone with its own node_modules, whose sources are changed and restored
 *   --area money    one area; default all
 *   --count 9       faults for each area
 *
 * Prints one line for each fault and the fraction that the tests of its area have caught. Ends with 1 when fewer than 90 % were.
 */
const { values } = parseArgs({
  options: { in: { type: 'string' }, area: { type: 'string' }, count: { type: 'string', default: '9' } },
})
if (!values.in) throw new Error('--in names a checkout whose sources may change')
const root = values.in
const seed = Number(process.env.CORRIDOR_PROOF_SEED ?? 1)

/** A fault: what stands in a line of code, and what stands there instead. */
const swaps: readonly (readonly [RegExp, string])[] = [
  [/ === /, ' !== '],
  [/ !== /, ' === '],
  [/ < /, ' <= '],
  [/ <= /, ' < '],
  [/ > /, ' >= '],
  [/ >= /, ' > '],
  [/ && /, ' || '],
  [/ \|\| /, ' && '],
  [/ \+ /, ' - '],
  [/ - /, ' + '],
  [/ \* /, ' / '],
  [/\btrue\b/, 'false'],
  [/\bfalse\b/, 'true'],
  [/mulDivHalfUp/, 'mulDivFloor'],
  [/mulDivFloor/, 'mulDivHalfUp'],
  [/\bif \(/, 'if (!'],
]

interface Fault {
  readonly file: string
  readonly line: number
  readonly before: string
  readonly after: string
}

function faultsOf(file: string): Fault[] {
  const lines = readFileSync(join(root, file), 'utf8').split('\n')
  return lines.flatMap((before, index) => {
    const isCode = !/^\s*(\/\/|\*|\/\*|import|export \{|\} from)/.test(before)
    if (!isCode) return []
    return swaps
      .filter(([pattern]) => pattern.test(before))
      .map(([pattern, by]) => ({ file, line: index + 1, before, after: before.replace(pattern, by) }))
  })
}

/** The same faults for the same seed, spread over the whole area. */
function pick(all: readonly Fault[], count: number): Fault[] {
  const step = Math.max(1, Math.floor(all.length / count))
  return Array.from(
    { length: Math.min(count, all.length) },
    (_, index) => all[(index * step + seed * 7) % all.length]!,
  )
}

let caught = 0
let tried = 0
for (const [name, { files, tests }] of Object.entries(areas)) {
  if (values.area && values.area !== name) continue
  if (runTests(tests).status !== 0) throw new Error(`tests of ${name} fail without a fault`)
  for (const fault of pick(files.flatMap(faultsOf), Number(values.count))) {
    const verdict = verdictOn(fault, tests)
    // What does not compile is no fault that anybody could commit.
    if (verdict === 'invalid') continue
    tried++
    if (verdict === 'caught') caught++
    console.log(`${verdict.padEnd(8)} ${name} ${fault.file}:${fault.line} ${fault.after.trim()}`)
  }
}
console.log(`${caught} of ${tried} faults caught`)
process.exitCode = caught >= tried * 0.9 ? 0 : 1

function verdictOn(
  { file, line, after }: Fault,
  tests: readonly string[],
): 'caught' | 'survived' | 'invalid' {
  const path = join(root, file)
  const whole = readFileSync(path, 'utf8')
  const lines = whole.split('\n')
  lines[line - 1] = after
  writeFileSync(path, lines.join('\n'))
  try {
    const { status, stdout } = runTests(tests)
    if (/SyntaxError|Transform failed|is not defined/.test(stdout)) return 'invalid'
    return status === 0 ? 'survived' : 'caught'
  } finally {
    writeFileSync(path, whole)
  }
}

function runTests(tests: readonly string[]): { status: number | null; stdout: string } {
  return spawnSync('npx', ['vitest', 'run', '--maxWorkers=1', '--bail=1', ...tests], {
    cwd: root,
    encoding: 'utf8',
    timeout: 10 * 60_000,
  })
}
