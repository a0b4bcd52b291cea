import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { parts } from './proof/parts.ts'

/**
 * Long proofs: `npm run proof`, or `npm run proof -- storms fuzz` for some of them.
 *
 *   --seed 7        other random cases than usual; each part prints its own
 *   --minutes 10    the most that each part may take, instead of its own budget
 *   --list          the parts and their budgets
 *
 * Ends with 1 when a part failed or took longer than its budget.
 */
const root = join(import.meta.dirname, '..')
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: 'string', default: '1' },
    minutes: { type: 'string' },
    list: { type: 'boolean', default: false },
  },
})

const unknown = positionals.filter((name) => !(name in parts))
if (unknown.length > 0)
  throw new Error(`${unknown.join(', ')} is not a part. Parts: ${Object.keys(parts).join(', ')}`)

const chosen = Object.entries(parts).filter(
  ([name]) => positionals.length === 0 || positionals.includes(name),
)
const failed: string[] = []
for (const [name, { proves, minutes, command }] of chosen) {
  const budget = Number(values.minutes ?? minutes)
  console.log(`\n== ${name}: ${proves} (at most ${budget} min, seed ${values.seed})`)
  if (values.list) continue
  const startedAt = performance.now()
  const [program, ...parameters] = command
  const { status, error } = spawnSync(program, parameters, {
    cwd: root,
    stdio: 'inherit',
    timeout: budget * 60_000,
    env: { ...process.env, CORRIDOR_PROOF: 'on', CORRIDOR_PROOF_SEED: values.seed },
  })
  const seconds = Math.round((performance.now() - startedAt) / 1_000)
  const isOk = status === 0
  if (!isOk) failed.push(name)
  console.log(`-- ${name}: ${isOk ? 'ok' : `FAILED${error ? ` (${error.message})` : ''}`}, ${seconds} s`)
}
if (failed.length > 0) console.log(`\nFAILED: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0
