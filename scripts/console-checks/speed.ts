import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { CheckedInstallation } from './installation.ts'
import type { Result } from './result.ts'
import { goTo, type Visitors } from './visitor.ts'

/** How fast the first view is there, how much it takes to carry it, and how smoothly a long list scrolls. */

const built = join(import.meta.dirname, '../../apps/server/dist/console')

async function throttle(page: Page, rate: number): Promise<void> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('Emulation.setCPUThrottlingRate', { rate })
}

export async function firstPaint(
  { origin }: CheckedInstallation,
  { browser }: Visitors,
  rate: 1 | 4,
): Promise<Result> {
  const times: number[] = []
  for (let run = 0; run < 5; run++) {
    const context = await browser.newContext()
    const page = await context.newPage()
    await throttle(page, rate)
    await page.goto(`${origin}/console`)
    times.push(
      (await page.evaluate(`new Promise((resolve) => new PerformanceObserver((list) => {
        const painted = list.getEntriesByName('first-contentful-paint')[0]
        if (painted) resolve(painted.startTime)
      }).observe({ type: 'paint', buffered: true }))`)) as number,
    )
    await context.close()
  }
  const median = Math.round(times.sort((a, b) => a - b)[2]!)
  const target = rate === 1 ? 500 : 1_200
  return {
    check: `3  first contentful paint${rate === 1 ? '' : ', CPU 4x slower'}`,
    measured: `${median} ms`,
    target: `${target} ms`,
    isReached: median <= target,
    isSpeed: true,
  }
}

/** As they travel: what the build compressed, fonts as they are. */
function bytesOf(name: string): number {
  const path = join(built, 'assets', name)
  return statSync(/\.(js|css)$/.test(name) ? `${path}.br` : path).size
}

/** A script with all that it imports before it runs. */
function closureOf(name: string, found = new Set<string>()): Set<string> {
  if (found.has(name)) return found
  found.add(name)
  const text = readFileSync(join(built, 'assets', name), 'utf8')
  for (const [, from] of text.matchAll(/(?:from|import)\s*["'`]\.\/([\w.-]+\.js)["'`]/g))
    closureOf(from!, found)
  return found
}

export function entryBytes(): Result[] {
  const names = readdirSync(join(built, 'assets'))
  const html = readFileSync(join(built, 'index.html'), 'utf8')
  const entry = new Set<string>()
  for (const [, name] of html.matchAll(/assets\/([\w.-]+\.js)/g)) closureOf(name!, entry)
  const sum = (each: Iterable<string>) => [...each].reduce((total, name) => total + bytesOf(name), 0)
  const kilobytes = (bytes: number) => `${Math.round(bytes / 100) / 10} KB`
  const lazy = names
    .filter((name) => /-pages?-[\w-]+\.js$/.test(name) || /-parts-[\w-]+\.js$/.test(name))
    .map((name) => ({ name, bytes: sum([...closureOf(name)].filter((each) => !entry.has(each))) }))
    .sort((a, b) => b.bytes - a.bytes)[0]!
  const row = (what: string, bytes: number, limit: number, of = ''): Result => ({
    check: `4  ${what}`,
    measured: `${kilobytes(bytes)}${of}`,
    target: `${limit} KB`,
    isReached: bytes <= limit * 1_000,
  })
  return [
    row('entry scripts, brotli', sum(entry), 230),
    row('style sheets, brotli', sum(names.filter((name) => name.endsWith('.css'))), 25),
    row('fonts', sum(names.filter((name) => name.endsWith('.woff2'))), 80),
    row('largest page by itself', lazy.bytes, 60, ` (${lazy.name.replace(/-[\w-]{8}\.js$/, '')})`),
  ]
}

interface Scrolled {
  readonly frames: number[]
  readonly nodes: number
  readonly rows: number
}

/** A list with all its pages read, scrolled in 300 steps, one a frame. */
export async function scrolling(at: CheckedInstallation, visitors: Visitors): Promise<Result[]> {
  const page = await visitors.openAs(at.many)
  await goTo(page, 'payments')
  const list = page.getByRole('region', { name: 'Payments', exact: true })
  await list.locator('tbody tr').first().waitFor()
  const last = list.locator('tr[aria-rowindex="10001"]')
  for (let step = 0; step < 1_000 && (await last.count()) === 0; step++) {
    await list.evaluate((element) => {
      element.scrollTop = element.scrollHeight
    })
    await page.waitForTimeout(20)
  }
  const results: Result[] = []
  for (const rate of [1, 4]) {
    await throttle(page, rate)
    const { frames, nodes, rows } = (await page.evaluate(scrollInSteps)) as Scrolled
    frames.sort((a, b) => a - b)
    const p95 = frames[Math.floor(frames.length * 0.95)]!
    const worst = frames.at(-1)!
    const limit = rate === 1 ? 25 : 50
    const name = `8  ${rows} payments, 300 steps${rate === 1 ? '' : ', CPU 4x slower'}`
    results.push({
      check: name,
      measured: `p95 ${p95.toFixed(1)} ms, worst ${worst.toFixed(1)} ms`,
      target: `p95 ${limit} ms${rate === 1 ? ', worst 100 ms' : ''}`,
      isReached: p95 <= limit && (rate !== 1 || worst <= 100),
      isSpeed: true,
    })
    if (rate === 1) {
      results.push({
        check: '8  nodes in that list, at most',
        measured: String(nodes),
        target: '400',
        isReached: nodes <= 400 && rows === 10_000,
      })
    }
  }
  await page.context().close()
  return results
}

const scrollInSteps = `(async () => {
  const list = document.querySelector('.rows[aria-label="Payments"]')
  const frame = () => new Promise(requestAnimationFrame)
  list.scrollTop = 0
  for (let n = 0; n < 10; n++) await frame()
  // A notch of a wheel in each frame, which is faster than people turn it.
  const step = 120
  const frames = []
  let nodes = 0
  let before = await frame()
  for (let n = 1; n <= 300; n++) {
    list.scrollTop = n * step
    const now = await frame()
    frames.push(now - before)
    before = now
    nodes = Math.max(nodes, list.querySelectorAll('*').length)
  }
  return { frames, nodes, rows: Number(list.querySelector('table').getAttribute('aria-rowcount')) - 1 }
})()`
