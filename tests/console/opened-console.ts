import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import {
  madeOnceVariable,
  startTestServer,
  type TestServer,
  type TestServerOptions,
} from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect } from 'vitest'
import { registerConsole } from '../../apps/server/src/console-site.ts'
import { builtConsole, isConsoleBuilt } from '../../scripts/built.ts'
import { desktop, openBrowser, type Size, type TestBrowser } from '../browser/browser.ts'
import { describeInChromium } from '../browser/in-chromium.ts'
import { type Responder, respondFirst } from './responder.ts'

/** Where screenshots go, for people to look at; nowhere unless said. */
const gallery = process.env.CORRIDOR_SCREENSHOTS

export type Platform = Awaited<ReturnType<TestServer['platform']>>
type Credentials = Pick<Platform, 'clientId' | 'clientSecret'>

/** The console as it is built, on a server of its own, in a real browser. */
export interface OpenedConsole {
  readonly server: TestServer
  readonly origin: string
  /** What the pages did wrong since it was last emptied: errors, breaches of the policy, requests to other hosts. */
  readonly faults: string[]
  open(path: string, size?: Size): Promise<Page>
  /** Signs in on the form that stands where a page was asked for. */
  signIn(page: Page, platform: Credentials): Promise<void>
  /** The same with the key of an operator. */
  signInAsOperator(page: Page, key: string): Promise<void>
  /** A page of operators, signed in, once it is theirs. */
  openAsOperator(path: string, as: { key: string; size?: Size }): Promise<Page>
  /** The page of a path behind platform and environment, signed in. */
  openAs(platform: Credentials, path: string, size?: Size): Promise<Page>
  /** Breaks all connections that are open now. */
  cut(): void
  /**
   * Responds to calls of the API in the place of the server, until the test ends; those without a response go on. A route
   * of Playwright does the same, but turns off the cache of scripts.
   */
  respond(by: Responder): void
  /** Closes the pages that were opened, with the tabs beside them. */
  closePages(): Promise<void>
  close(): Promise<void>
}

let built: Promise<string> | undefined

/** What `npm run build` has left, or else a build for all files of this worker. */
function builtOnce(): Promise<string> {
  built ??= isConsoleBuilt() ? Promise.resolve(builtConsole) : buildAside()
  return built
}

async function buildAside(): Promise<string> {
  // Only where it is needed: what builds takes a moment and hundreds of megabytes to load.
  const { buildConsole } = await import('../../scripts/console.ts')
  const folder = mkdtempSync(join(process.env[madeOnceVariable]!, 'console-'))
  await buildConsole(folder)
  return folder
}

interface ConsoleOptions extends Pick<TestServerOptions, 'world' | 'network'> {
  /** What a test makes go wrong on purpose, which is no fault of the page. */
  readonly expectedFaults?: RegExp
}

type Tests = (at: OpenedConsole) => void

/**
 * Tests of a part of the console. A server and a browser are open before the first of them: what `at` holds is there once
 * that runs. The pages of a test are closed after it, and what they did wrong fails it.
 */
export function describeConsole(name: string, ...rest: [Tests] | [ConsoleOptions, Tests]): void {
  const [{ expectedFaults, ...options }, tests] = rest.length === 1 ? [{} as ConsoleOptions, rest[0]] : rest
  describeInChromium(name, (executable) => {
    const at = {} as OpenedConsole
    beforeAll(async () => {
      Object.assign(at, await openConsole(executable, options))
    }, 180_000)
    afterAll(() => at.close?.())
    afterEach(async () => {
      await at.closePages()
      expect(at.faults.splice(0).filter((fault) => !expectedFaults?.test(fault))).toEqual([])
    })
    tests(at)
  })
}

async function openConsole(
  executable: string,
  options: Pick<TestServerOptions, 'world' | 'network'>,
): Promise<OpenedConsole> {
  const folder = await builtOnce()
  let cut = () => {}
  let responder: Responder | undefined
  const server = await startTestServer({
    ...options,
    pages(instance) {
      cut = () => instance.server.closeAllConnections()
      respondFirst(instance, (call) => {
        if (!/(^|\/)stream$/.test(call.path)) return responder?.(call)
        // In the simulated World no stream says anything until time passes, which a page would take for lost.
        return options.world ? undefined : { status: 403, json: {} }
      })
      registerConsole(instance, folder)
    },
  })
  const origin = await server.listen()
  const browser: TestBrowser = await openBrowser(executable)
  const faults: string[] = []
  const pages: Page[] = []
  const watchedPage = async (size: Size) => {
    const page = await browser.page(size)
    pages.push(page)
    page.setDefaultTimeout(30_000)
    page.on('pageerror', (error) => faults.push(String(error)))
    page.on('console', (message) => {
      const isRefusal = /status of 4\d\d/.test(message.text())
      if (message.type() === 'error' && !isRefusal) faults.push(message.text())
    })
    page.on('request', (request) => {
      if (!request.url().startsWith(`${origin}/`) && !request.url().startsWith('data:')) {
        faults.push(`request to ${request.url()}`)
      }
    })
    return page
  }
  const signedIn = async (authorization: string, size: Size) => {
    const page = await watchedPage(size)
    return { page, ...(await openSession(page, origin, authorization)) }
  }
  const show = async (page: Page, address: string) => {
    await page.goto(origin + address)
    await page.locator('.environment').waitFor()
    await drawn(page)
    return page
  }
  const opened: OpenedConsole = {
    server,
    origin,
    faults,
    async open(path, size = desktop) {
      const page = await watchedPage(size)
      await page.goto(`${origin}/console${path}`)
      return page
    },
    async signIn(page, { clientId, clientSecret }) {
      await page.getByLabel('Client id').fill(clientId)
      await page.getByLabel('Client secret').fill(clientSecret)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.locator('.environment').waitFor()
    },
    async signInAsOperator(page, key) {
      await page.getByRole('button', { name: 'With the key of an operator' }).click()
      await page.getByLabel('Key of an operator', { exact: true }).fill(key)
      await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    },
    async openAs({ clientId, clientSecret }, path, size = desktop) {
      const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64')
      const { page, base } = await signedIn(`Basic ${basic}`, size)
      return show(page, path === '' ? base : `${base}/${path}`)
    },
    async openAsOperator(path, { key, size = desktop }) {
      const { page } = await signedIn(`Bearer ${key}`, size)
      return show(page, `/console${path}`)
    },
    cut: () => cut(),
    respond(by) {
      responder = by
    },
    async closePages() {
      responder = undefined
      await Promise.all(
        pages.splice(0).map(async (page) => {
          // What a test answers in the place of the server may be under way, and nobody waits for it any more.
          if (!page.isClosed()) await page.unrouteAll({ behavior: 'ignoreErrors' })
          await page.context().close()
        }),
      )
    },
    async close() {
      await browser.close()
      await server.close()
    },
  }
  return opened
}

/**
 * Gives a page the cookie that the form of signing in would get. Tests of the form fill it in. Returns where the pages of
 * its platform are.
 */
export async function openSession(
  page: Page,
  origin: string,
  authorization: string,
): Promise<{ base: string }> {
  const response = await page.context().request.post(`${origin}/console/session`, {
    headers: { authorization, 'x-corridor-console': '1' },
  })
  expect(response.status()).toBe(201)
  const { platformName, environment } = await response.json()
  return { base: `/console/${platformName}/${String(environment).toLowerCase()}` }
}

/**
 * To another page as a link leads there, without loading the document anew. The page before stays until the next one is
 * there: what stands on it is not what a test looks for, so this ends once the router has drawn the next.
 */
export async function goTo(page: Page, address: string): Promise<void> {
  await page.evaluate(
    `new Promise((drawn) => {
      const stop = __TSR_ROUTER__.subscribe('onResolved', () => { stop(); drawn() })
      history.pushState({}, '', ${JSON.stringify(address)})
      dispatchEvent(new PopStateEvent('popstate'))
    })`,
  )
  await listening(page)
}

/** The page of a loaded document is there once its code has come. */
async function drawn(page: Page): Promise<void> {
  await page.evaluate(
    `new Promise((drawn) => {
      const { state } = __TSR_ROUTER__
      if (state.status === 'idle' && state.resolvedLocation?.href === state.location.href) return drawn()
      const stop = __TSR_ROUTER__.subscribe('onResolved', () => { stop(); drawn() })
    })`,
  )
  await listening(page)
}

/**
 * What is drawn hears keys, and has its title and the focus, a task later, once its effects have run: this one comes after it.
 * By no timer, as a test may have stopped the clock.
 */
export async function listening(page: Page): Promise<void> {
  await page.evaluate(
    `new Promise((run) => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => run()
      port2.postMessage(0)
    })`,
  )
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Only what is asserted: no selectors, no lists of what passed, and no second request for the style sheets. */
const axeOptions = JSON.stringify({
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa'],
  resultTypes: ['violations'],
  selectors: false,
  preload: false,
})

/** Nothing that automatic rules can find against WCAG 2.2 A and AA. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  // Not as a script of the page, which its policy rightly refuses.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(axe)
  const found = (await page.evaluate(
    `axe.run(document, ${axeOptions})
       .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html.slice(0, 200)).join(' | ')))`,
  )) as string[]
  expect(found, name).toEqual([])
}

export async function expectNoSidewaysScroll(page: Page, name: string): Promise<void> {
  const isWide = () => page.evaluate('document.documentElement.scrollWidth > window.innerWidth')
  // After the size of the window the page is drawn anew, and with its own letters once they are read.
  await expect.poll(isWide, { message: `${name} scrolls sideways` }).toBe(false)
}

export async function shoot(page: Page, name: string): Promise<void> {
  if (!gallery) return
  mkdirSync(gallery, { recursive: true })
  await page.screenshot({ path: join(gallery, `${name}.png`), fullPage: true })
}
