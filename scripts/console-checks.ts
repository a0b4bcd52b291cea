import { loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { findChromium } from '../tests/browser/browser.ts'
import {
  crossSite,
  digits,
  frame,
  keyboardOnly,
  markup,
  sharedAddresses,
} from './console-checks/behaviour.ts'
import { firstMinute } from './console-checks/first-minute.ts'
import { incidentDrill } from './console-checks/incident.ts'
import { prepareInstallation } from './console-checks/installation.ts'
import { lostServer, rowsInPlace } from './console-checks/live.ts'
import { moments } from './console-checks/moments.ts'
import { accessibility, littleRoom, pseudo } from './console-checks/pages.ts'
import { none, type Result, told } from './console-checks/result.ts'
import { entryBytes, firstPaint, scrolling } from './console-checks/speed.ts'
import { openVisitors } from './console-checks/visitor.ts'

/**
 * What the console promises, measured on the built server in a real Chromium: `npm run build && npx tsx scripts/console-checks.ts`.
 *
 *   --only 3,8       these checks alone, by their numbers
 *   --shots FOLDER   a picture of every page, light and dark, with much and little room; `--only 0` makes those alone
 *                    of what no address shows by itself, as endings of payments and what is opened over a page
 *
 * Prints what was measured beside its target. It fails when a target is missed that has nothing to do with how fast the
 * machine is; the others are told with how busy the machine was.
 */
const { values } = parseArgs({ options: { only: { type: 'string' }, shots: { type: 'string' } } })
const executable = findChromium()
if (!executable) throw new Error('There is no Chromium here and none could be installed.')

const at = await prepareInstallation()
const visitors = await openVisitors(at, executable)
const { shots } = values
const checks: readonly (readonly [numbers: readonly number[], run: () => Promise<Result | Result[]>])[] = [
  // Before the moments, among whose payees are some that no money reaches.
  [[7], () => keyboardOnly(at, visitors)],
  ...(shots === undefined ? [] : [[[0], () => moments(at, visitors, shots)] as const]),
  [[1], () => firstMinute(executable, shots)],
  [[3], () => firstPaint(at, visitors, 1)],
  [[3], () => firstPaint(at, visitors, 4)],
  [[4], async () => entryBytes()],
  [[8], () => scrolling(at, visitors)],
  [[5, 6, 12], () => accessibility(at, visitors, shots)],
  [[9], () => sharedAddresses(at, visitors)],
  [[12], () => markup(at, visitors)],
  [[13], () => crossSite(at, visitors)],
  [[14], () => frame(at, visitors)],
  [[15], () => littleRoom(at, visitors, shots)],
  [[16], () => digits(at, visitors)],
  [[15, 16], () => pseudo(at, visitors, shots)],
  [[10], () => rowsInPlace(at, visitors)],
  // The server is ended here, so nothing comes after it.
  [[11], () => lostServer(at, visitors)],
  // On an installation of its own.
  [[25], () => incidentDrill(executable, shots)],
]
const asked = values.only?.split(',').map(Number)
const results: Result[] = []
try {
  for (const [numbers, run] of checks) {
    if (asked && !numbers.some((number) => asked.includes(number))) continue
    const startedAt = performance.now()
    const found = await run().catch(
      (error: Error): Result => ({
        check: `${numbers[0]}  ended early`,
        measured: error.message.split('\n')[0]!,
        target: 'an end',
        isReached: false,
      }),
    )
    results.push(...[found].flat())
    process.stderr.write(`${numbers.join(', ')}: ${Math.round((performance.now() - startedAt) / 1_000)} s\n`)
  }
  // Of everything that was looked at above.
  results.push(none('5  requests to other hosts', [...new Set(visitors.foreign)]))
  results.push(none('12 breaches of the policy, and errors of pages', [...new Set(visitors.breaches)]))
} finally {
  await visitors.close()
  await at.close()
}
results.sort((a, b) => Number.parseInt(a.check, 10) - Number.parseInt(b.check, 10))
console.log(told(results))
console.log(`\nload of the machine at the end: ${loadavg()[0]!.toFixed(1)}`)
process.exit(results.some(({ isReached, isSpeed }) => !isReached && !isSpeed) ? 1 : 0)
