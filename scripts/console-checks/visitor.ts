import { mkdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import type { ProvisionedPlatform } from '@corridor/engine/platform/platforms/index.ts'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import type { CheckedInstallation } from './installation.ts'

/** Somebody at the console, and what went wrong on the pages they saw. */

export interface Place {
  readonly name: string
  /** Behind platform and environment, or behind `/console/operator`. */
  readonly path: string
}

export interface Visitors {
  readonly browser: Browser
  /** Requests to hosts but ours, on all pages of the whole run. */
  readonly foreign: string[]
  /** Breaches of the policy and errors that no page expects, likewise. */
  readonly breaches: string[]
  open(options?: BrowserContextOptions): Promise<Page>
  openAs(who: ProvisionedPlatform | 'operator', options?: BrowserContextOptions): Promise<Page>
  close(): Promise<void>
}

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 360, height: 740 }
/** What 1280×1024 is to who reads it at 400 %. */
export const magnified = { width: 320, height: 256 }

export async function openVisitors(
  { origin, operatorKey }: Pick<CheckedInstallation, 'origin' | 'operatorKey'>,
  executablePath: string,
): Promise<Visitors> {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const foreign: string[] = []
  const breaches: string[] = []
  const visitors: Visitors = {
    browser,
    foreign,
    breaches,
    async open(options = {}) {
      const context = await browser.newContext({ viewport: desktop, ...options })
      const page = await context.newPage()
      page.setDefaultTimeout(30_000)
      page.on('pageerror', (error) => breaches.push(`${page.url()}: ${error}`))
      page.on('console', (message) => {
        if (/content security policy/i.test(message.text())) breaches.push(`${page.url()}: ${message.text()}`)
      })
      page.on('request', (request) => {
        const url = request.url()
        if (!url.startsWith(`${origin}/`) && !/^(data|blob|about):/.test(url)) foreign.push(url)
      })
      await page.goto(`${origin}/console`)
      return page
    },
    async openAs(who, options) {
      const page = await visitors.open(options)
      if (who === 'operator') {
        await page.goto(`${origin}/console/operator`)
        await page.getByRole('button', { name: 'With the key of an operator' }).click()
        await page.getByLabel('Key of an operator', { exact: true }).fill(operatorKey)
      } else {
        await page.getByLabel('Client id').fill(who.clientId)
        await page.getByLabel('Client secret').fill(who.clientSecret)
      }
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
      await page.locator('.environment').waitFor()
      await settled(page)
      return page
    },
    close: () => browser.close(),
  }
  return visitors
}

const routes = join(import.meta.dirname, '../../apps/console/src/app/router.tsx')
const nobody = '00000000-0000-0000-0000-000000000000'

/** Every page of the router, so that a new one is looked at without a word here; without a sample it has an unknown id. */
export function placesOf({ samples }: CheckedInstallation): { platform: Place[]; operator: Place[] } {
  const platform: Place[] = [{ name: 'quotes-new', path: 'quotes/new' }]
  const operator: Place[] = []
  for (const [, kind, path] of readFileSync(routes, 'utf8').matchAll(/(page|operatorPage)\(\s*'([^']*)'/g)) {
    const id = samples[path!] ?? `Unknown:${nobody}`
    const full = path!.replace('$id', encodeURIComponent(id)).replace(/^\//, '')
    const name = path!.replace('/$id', '-one').replaceAll('/', '-').replace(/^-/, '') || 'home'
    if (kind === 'operatorPage') operator.push({ name: `operator-${name}`, path: full })
    else if (full !== 'quotes/new') platform.push({ name, path: full })
  }
  // What is opened of a list stands beside it, where there is room.
  for (const of of ['payments', 'webhooks', 'requests']) {
    const id = samples[`/${of}/$id`]
    if (id) platform.push({ name: `${of}-beside`, path: `${of}?open=${encodeURIComponent(id)}` })
  }
  return { platform, operator }
}

/** To another page as a link leads there, and until it shows what it has. */
export async function goTo(page: Page, path: string): Promise<void> {
  const [base] = /^.*\/console\/(operator|[^/]+\/(sandbox|production))/.exec(page.url())!
  const address = path === '' ? base : `${base}/${path}`
  await page.evaluate(
    `history.pushState({}, '', ${JSON.stringify(address)}); dispatchEvent(new PopStateEvent('popstate'))`,
  )
  await settled(page)
}

export async function settled(page: Page): Promise<void> {
  // Of a list that what is open stands in front of, the title is hidden.
  const shown = page.locator('main :is(h1, [role=alert], .nothing)').filter({ visible: true }).first()
  await shown.waitFor().catch((error: Error) => {
    throw new Error(`${new URL(page.url()).pathname} shows nothing: ${error.message}`)
  })
  // A page may load its parts one after the other.
  for (let quiet = 0; quiet < 2; ) {
    await page.waitForTimeout(60)
    quiet = (await page.locator('.skeleton').count()) === 0 ? quiet + 1 : 0
  }
}

/** What somebody would choose under View, by the names it is kept under. */
export async function prefer(page: Page, chosen: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, value] of Object.entries(chosen)) {
    await page.evaluate(`localStorage.setItem('corridor.${name}', '${value}')`)
  }
  await page.reload()
  await settled(page)
}

export function setTheme(page: Page, theme: 'light' | 'dark'): Promise<void> {
  return prefer(page, { theme })
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** What automatic rules find against WCAG 2.0 to 2.2, A and AA. */
export async function accessibilityOf(page: Page, name: string): Promise<string[]> {
  // Not as a script of the page, which its policy rightly refuses.
  if (!(await page.evaluate('typeof axe === "object"'))) await page.evaluate(axe)
  const found = (await page.evaluate(
    `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'] })
       .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes[0].html.slice(0, 160)))`,
  )) as string[]
  return found.map((each) => `${name}: ${each}`)
}

export async function isWide(page: Page): Promise<boolean> {
  return (await page.evaluate('document.documentElement.scrollWidth > innerWidth')) as boolean
}

/** A list of thousands is not shown whole: a picture that is longer for it is no taller than this, in pixels. */
const tallest = 2_400

/** A picture for people of all of a page, where a folder for them was given. */
export async function shoot(page: Page, folder: string | undefined, name: string): Promise<void> {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  const before = page.viewportSize()!
  // The frame stands around the window, so the window is made as high as the page; lists grow with it, by a part of that.
  for (let pass = 0; pass < 12; pass++) {
    const [height, within] = (await page.evaluate(
      `[document.documentElement.scrollHeight,
        [...document.querySelectorAll('.rows')].reduce((sum, box) => sum + box.scrollHeight - box.clientHeight, 0)]`,
    )) as [number, number]
    const wanted = Math.max(height, Math.min(height + within, tallest))
    if (wanted <= page.viewportSize()!.height) break
    await page.setViewportSize({ ...before, height: wanted })
  }
  // Names of payees and customers are asked for once rows rest.
  await page.waitForTimeout(250)
  await page.screenshot({ path: join(folder, `${name}.png`) })
  await page.setViewportSize(before)
}
