import { readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

/** Prints the slowest files of a run, and how many tests it skipped and why. */
export default class Summary implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = [...slowestLines(modules), ...skippedLine(modules)]
    if (lines.length > 0) console.log(`\n${lines.join('\n')}`)
    if (process.env.CORRIDOR_RECORD_COSTS) recordCosts(modules)
  }
}

const shown = 10

function slowestLines(modules: readonly TestModule[]): string[] {
  if (modules.length <= shown) return []
  const files = modules.map((module) => ({
    path: relative(process.cwd(), module.moduleId),
    cpu: module.meta().cpuSeconds ?? 0,
    seconds: (module.diagnostic().duration + module.diagnostic().collectDuration) / 1_000,
  }))
  const slowest = files.sort((a, b) => b.cpu - a.cpu).slice(0, shown)
  const lines = slowest.map(
    ({ path, cpu, seconds }) => `${cpu.toFixed(1).padStart(7)} ${seconds.toFixed(1).padStart(7)}  ${path}`,
  )
  return ['Slowest files: CPU seconds, seconds', ...lines]
}

function skippedLine(modules: readonly TestModule[]): string[] {
  const counts = new Map<string, number>()
  for (const module of modules) {
    for (const test of module.children.allTests('skipped')) {
      const { needs = 'something else' } = test.meta()
      counts.set(needs, (counts.get(needs) ?? 0) + 1)
    }
  }
  if (counts.size === 0) return []
  const reasons = [...counts].sort(([, a], [, b]) => b - a).map(([needs, count]) => `${count} need ${needs}`)
  const total = [...counts.values()].reduce((sum, count) => sum + count, 0)
  return [`Skipped ${total} tests: ${reasons.join(', ')}. bash .ci/run runs those that can run here.`]
}

/** Writes what each file took into the table that `npm run tidy` holds to the budget. Files of other runs keep their figures. */
function recordCosts(modules: readonly TestModule[]): void {
  const path = join(import.meta.dirname, '../../tests/costs.json')
  const costs = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>
  for (const module of modules) {
    const hasRun = module.state() === 'passed'
    const { cpuSeconds } = module.meta()
    if (hasRun && cpuSeconds !== undefined)
      costs[relative(process.cwd(), module.moduleId)] = Math.ceil(cpuSeconds)
  }
  const sorted = Object.entries(costs).sort(([a], [b]) => (a < b ? -1 : 1))
  writeFileSync(path, `${JSON.stringify(Object.fromEntries(sorted), null, 2)}\n`)
}
