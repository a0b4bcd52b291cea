import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chromium, type Page } from 'playwright-core'

/** A real Chromium, for what only a browser can show. */

const candidates = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/** The system's Chromium; as root on a system with apt it is installed when it is missing. */
export function findChromium(): string | undefined {
  const found = candidates.find((path) => existsSync(path))
  if (found) return found
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version']).error) return undefined
  const options = {
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
    stdio: 'ignore' as const,
  }
  spawnSync('apt-get', ['update', '-qq'], options)
  spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'],
    options,
  )
  return candidates.find((path) => existsSync(path))
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
