import { existsSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'

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

export interface TestBrowser {
  /** Of somebody else each: pages share no cookies and no storage, but with the tabs of their context. */
  page(size: { width: number; height: number }): Promise<Page>
  close(): Promise<void>
}

export async function openBrowser(executablePath: string): Promise<TestBrowser> {
  const browser = await chromium.launch({ executablePath, args: flags, headless: true })
  return {
    // A context of its own, in which a test may open more tabs.
    page: async (size) => (await browser.newContext({ viewport: size })).newPage(),
    close: () => browser.close(),
  }
}

export const desktop = { width: 1280, height: 900 }
export const phone = { width: 375, height: 720 }
