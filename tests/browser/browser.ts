import { existsSync } from 'node:fs'
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'

/** A real Chromium, for what only a browser can show. */

/** The shell without a window comes first: it is the same engine, and draws a page with half the CPU. */
const candidates = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
]

/** Chromium of this machine. `.ci/run` installs it. */
export function findChromium(): string | undefined {
  const { CORRIDOR_CHROMIUM: chosen } = process.env
  return chosen ?? candidates.find((path) => existsSync(path))
}

const flags = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export interface Size {
  readonly width: number
  readonly height: number
}

export interface TestBrowser {
  /** Opens a page in a context of its own. It shares cookies and storage only with tabs that a test opens in that context. */
  page(size: Size): Promise<Page>
  /** Closes all pages that it opened. */
  close(): Promise<void>
}

/** One Chromium for all files of a worker. Playwright ends it together with the worker. */
let launched: Promise<Browser> | undefined

async function launchOnce(executablePath: string): Promise<Browser> {
  const running = await launched?.catch(() => undefined)
  // A crash must not fail the files that follow.
  if (!running?.isConnected()) launched = chromium.launch({ executablePath, args: flags, headless: true })
  return launched!
}

export async function openBrowser(executablePath: string): Promise<TestBrowser> {
  const contexts: BrowserContext[] = []
  return {
    async page(size) {
      const browser = await launchOnce(executablePath)
      const context = await browser.newContext({ viewport: size })
      contexts.push(context)
      return context.newPage()
    },
    async close() {
      await Promise.all(contexts.splice(0).map((context) => context.close()))
    },
  }
}

export const desktop = { width: 1280, height: 900 }
export const phone = { width: 375, height: 720 }
