import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, openBrowser, phone, type TestBrowser } from '../browser/browser.ts'
import { buildServer, type StartedServer, startServer } from '../security/started-server.ts'
import { expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'

const executable = findChromium()
if (!executable) {
  console.error('SKIPPED: no Chromium here and none could be installed; the page of worlds was NOT tested.')
}

describe.skipIf(!executable)('the page of worlds', () => {
  let browser: TestBrowser
  const servers: StartedServer[] = []
  beforeAll(async () => {
    buildServer()
    browser = await openBrowser(executable!)
  }, 180_000)
  afterAll(async () => {
    await browser?.close()
    for (const server of servers) await server.stop()
  })

  async function opened(worlds: 'on' | 'off') {
    const server = await startServer({ CORRIDOR_WORLDS: worlds })
    servers.push(server)
    const page = await browser.page(phone)
    page.setDefaultTimeout(30_000)
    await page.goto(`${server.origin}/console`)
    await signIn(page, server)
    await goTo(page, `${new URL(page.url()).pathname}/sandbox/worlds`)
    return { page, server }
  }

  async function signIn(page: Page, server: StartedServer) {
    const basic = server.authorization('acme').slice('Basic '.length)
    const [id, secret] = Buffer.from(basic, 'base64').toString().split(':')
    await page.getByLabel('Client id').fill(id!)
    await page.getByLabel('Client secret').fill(secret!)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('.environment').waitFor()
  }

  it('says how a server is started that makes them', async () => {
    const { page } = await opened('off')
    await page.getByText('CORRIDOR_WORLDS=on npm start').waitFor()
    await expectAccessible(page, 'no worlds')
  }, 120_000)

  it('forks the sandbox, takes a snapshot, restores it, and removes them', async () => {
    const { page, server } = await opened('on')
    await page.getByText('No forks.').waitFor()
    await page.getByLabel('Fork: its name').fill('Not A Name')
    await page.getByRole('button', { name: 'Fork', exact: true }).click()
    await page.getByRole('alert').getByText('name', { exact: true }).waitFor()
    await page.getByLabel('Fork: its name').fill('test-7')
    await page.getByRole('button', { name: 'Fork', exact: true }).click()
    const address = `${server.origin}/w/test-7`
    const fork = page.getByRole('row').filter({ hasText: address })
    await fork.waitFor()
    const answer = await fetch(`${address}/2025-10-13/config`, {
      headers: { authorization: server.authorization('acme') },
    })
    expect(answer.status).toBe(200)
    await page.getByLabel('Take a snapshot: its name').fill('before')
    await page.getByRole('button', { name: 'Take a snapshot' }).click()
    const snapshot = page.getByRole('row').filter({ hasText: 'before' })
    await snapshot.waitFor()
    await expectAccessible(page, 'worlds')
    // Another tab, of what tells no event when it is made.
    const other = await page.context().newPage()
    await other.goto(page.url().replace(/sandbox\/worlds$/, 'settings'))
    await expectNoSidewaysScroll(page, 'worlds on a phone')
    await shoot(page, 'worlds')

    const made = await fetch(`${server.base}/tokens`, {
      method: 'POST',
      headers: { authorization: server.authorization('acme'), 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'later', permissions: ['VIEW'] }),
    })
    expect(made.status).toBe(201)
    await other.reload()
    await other.getByText('later').first().waitFor()
    await other.getByRole('button', { name: '● Live' }).waitFor()
    await snapshot.getByRole('button', { name: 'Restore' }).click()
    await snapshot.getByRole('button', { name: 'Make everything as it was in before' }).click()
    await expect
      .poll(
        async () => {
          const tokens = await fetch(`${server.base}/tokens`, {
            headers: { authorization: server.authorization('acme') },
          })
          return tokens.status === 200 ? await tokens.text() : 'later'
        },
        { timeout: 30_000 },
      )
      .not.toContain('later')
    await expect.poll(() => other.getByText('later').count(), { timeout: 30_000 }).toBe(0)
    await other.close()
    await snapshot.getByRole('button', { name: 'Remove' }).waitFor()
    await fork.getByRole('button', { name: 'Remove' }).click()
    await fork.getByRole('button', { name: 'Remove test-7 for good' }).click()
    await page.getByText('No forks.').waitFor()

    const start = page.getByRole('row').filter({ hasText: /^start/ })
    await start.getByRole('button', { name: 'Restore' }).waitFor()
    expect(await start.getByRole('button', { name: 'Remove' }).count()).toBe(0)
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.getByRole('button', { name: 'Make everything as it was at the start' }).click()
    // Whoever has signed in since the start has not any more.
    await page.getByLabel('Client id').waitFor()
  }, 180_000)
})
