import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../browser/browser.ts'
import { goTo, type OpenedConsole, openConsole } from './opened-console.ts'

const executable = findChromium()
const router = readFileSync(new URL('../../apps/console/src/app/router.tsx', import.meta.url), 'utf8')

/** Pages with lists, and what each list says of being empty, in the order of the page. */
const lists: Readonly<Record<string, readonly string[]>> = {
  '': ['No payments yet. Run one below, or make one with your own accounts.'],
  payments: ['No payments yet.'],
  webhooks: ['No events yet.'],
  requests: ['No requests yet. Ask for something, and it stands here.'],
  ledger: ['No money has moved yet.', 'No money has moved yet.'],
  'sandbox/inbox': ['No message was sent yet: codes and links for customers appear here.'],
  'sandbox/faults': ['Nothing fails on purpose.'],
  customers: ['No customers yet.'],
  accounts: ['The platform has no external accounts.', 'No customer holds an account yet.'],
  cards: ['No cards were issued yet.'],
  agents: ['Nothing waits for approval.', 'No agents yet.'],
  stablecoins: ['No stablecoins are registered.', 'No account of a provider is linked.'],
  verifications: ['No customer was submitted for verification yet.'],
  documents: ['No documents were uploaded yet.'],
}
/** Pages whose lists are never empty, or stand in other worlds. */
const full = ['network', 'rates', 'settings', 'sandbox/worlds', 'sandbox', 'sandbox/clock']
/** Forms and buttons without a list. */
const forms = ['quotes/new', 'external-accounts/new', 'sandbox/scenarios', 'sandbox/money']
const all = [...Object.keys(lists), ...full]

describe.skipIf(!executable)('the lists in each of their states', () => {
  let at: OpenedConsole
  const pages: Page[] = []
  beforeAll(async () => {
    at = await openConsole(executable!)
  }, 180_000)
  afterAll(async () => {
    await at?.close()
  })
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()))
    const expected = /status of 503|ERR_FAILED/
    expect(at.faults.splice(0).filter((fault) => !expected.test(fault))).toEqual([])
  })

  async function opened() {
    const page = await at.openAs(await at.server.platform(), '')
    pages.push(page)
    const base = new URL(page.url()).pathname
    const address = (path: string) => (path === '' ? base : `${base}/${path}`)
    return { page, address }
  }
  const heading = (page: Page) => page.getByRole('heading', { level: 1 })

  it('knows every page of the router that names nothing', () => {
    const static_ = [...router.matchAll(/\bpage\(\s*'\/([^']*)'/g)]
      .map(([, path]) => path!)
      .filter((path) => !path.includes('$'))
    expect([...all, ...forms].sort()).toEqual(static_.sort())
  })

  it('has its layout at once, rows that hold the place, a bar, and at last what it waits for', async () => {
    const { page, address } = await opened()
    await page.clock.install()
    for (const path of all) {
      const held: Route[] = []
      const hold = (route: Route) => void held.push(route)
      await page.route('**/console/api/**', hold)
      await page.clock.pauseAt(((await page.evaluate('Date.now()')) as number) + 1_000)
      await page.goto(at.origin + address(path))
      const skeleton = page.locator('main .skeleton').first()
      await expect
        .poll(
          async () => {
            await page.clock.runFor(20)
            return [await skeleton.count(), await heading(page).count()]
          },
          { message: path, timeout: 10_000, interval: 5 },
        )
        .toEqual([1, 1])
      console.log(path, held.length, await heading(page).textContent())
      expect.soft(await skeleton.locator('.bar').count(), `${path}: at once`).toBe(0)
      await page.clock.runFor(450)
      expect.soft(await skeleton.locator('.bar').count(), `${path}: after 400 ms`).toBe(1)
      expect.soft(await page.getByText('This takes longer than usual.').count(), path).toBe(0)
      await page.clock.runFor(10_000)
      const said = await page
        .getByText('This takes longer than usual.')
        .first()
        .innerText()
        .catch(() => 'nothing')
      const asked = held.map((route) => {
        const { pathname } = new URL(route.request().url())
        const path = pathname.replace(/^\/console\/api\/[^/]+\/sandbox/, '')
        return `It waits for ${route.request().method()} ${path} · request ${route.request().headers()['x-request-id']}`
      })
      expect
        .soft(
          asked.some((each) => said.includes(each)),
          `${path}: ${said}`,
        )
        .toBe(true)
      await page.unroute('**/console/api/**', hold)
      await Promise.all(held.map((route) => route.continue().catch(() => {})))
      await page.clock.resume()
      await expect
        .poll(() => page.locator('main .skeleton').count(), { message: path, timeout: 15_000 })
        .toBe(0)
    }
  }, 300_000)

  it('says of each list that is empty what it would hold, how it is filled, and the command', async () => {
    const { page, address } = await opened()
    for (const [path, texts] of Object.entries(lists)) {
      await goTo(page, address(path))
      for (const [index, text] of texts.entries()) {
        const nothing = page.locator('.nothing').filter({ hasText: text })
        await nothing.first().waitFor()
        const shown = nothing.nth(text === texts[index - 1] ? 1 : 0)
        const fills = await page.locator('main :is(button, a.main)').count()
        expect
          .soft(await shown.locator('code, pre').count(), `${path}: ${text}: the command`)
          .toBeGreaterThan(0)
        expect
          .soft(await shown.locator('button, a').count(), `${path}: ${text}: the button, of ${fills}`)
          .toBeGreaterThan(0)
      }
    }
  }, 180_000)

  it('says of each filter that it leaves nothing, and drops it', async () => {
    const { page, address } = await opened()
    for (const path of all) {
      await goTo(page, address(path))
      await page.locator('main:not(:has(.skeleton)) h1').waitFor()
      const fields =
        (await page.evaluate(`[...document.querySelectorAll('main form.filters :is(input, select)')]
        .map((field) => ({ name: field.name, of: [...(field.options ?? [])].map(({ value }) => value).filter(Boolean) }))`)) as {
          name: string
          of: string[]
        }[]
      for (const { name, of } of fields) {
        const value = of[0] ?? unmatched(name)
        await goTo(page, `${address(path)}?${new URLSearchParams({ [name]: value })}`)
        const said = page
          .locator('main :is(.nothing, [role=alert])')
          .filter({ hasText: /Drop “|Nothing matches|·/ })
        const outcome = await said
          .first()
          .waitFor({ timeout: 5_000 })
          .then(
            () => said.first().innerText(),
            () => 'nothing was said',
          )
        expect.soft(outcome, `${path}?${name}=${value}`).toContain('It leaves nothing.')
        const drop = page.getByRole('button', { name: /^Drop “/ })
        if ((await drop.count()) === 0) continue
        await drop.first().click()
        await expect.poll(() => page.url(), { message: path }).not.toContain(name)
      }
    }
  }, 300_000)

  it('names on each page the permission that the credential lacks', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { data } = (await api.POST(
      '/tokens' as never,
      {
        body: { name: 'Pays alone', permissions: ['TRANSACT'] },
      } as never,
    )) as { data: { clientId: string; clientSecret: string } }
    const page = await at.openAs(data, '')
    pages.push(page)
    const base = new URL(page.url()).pathname
    for (const path of all) {
      await goTo(page, path === '' ? base : `${base}/${path}`)
      await page.locator('main:not(:has(.skeleton)) h1').waitFor()
      const said = await page
        .getByRole('alert')
        .first()
        .innerText({ timeout: 5_000 })
        .catch(() => 'nothing')
      expect.soft(said, path).toContain('lacks the permission VIEW')
      expect.soft(await page.locator('main .nothing').count(), `${path}: empty lists`).toBe(0)
    }
  }, 180_000)

  it('keeps what stands there while nothing is told, and says since when', async () => {
    const { page, address } = await opened()
    await page.route('**/stream', (route) => route.abort())
    await page.reload()
    const bar = page.locator('main > .stale')
    await bar.waitFor()
    const since = await bar.innerText()
    expect(since).toMatch(/Live updates stopped \d\d:\d\d:\d\d/)
    for (const path of all) {
      await goTo(page, address(path))
      await page.locator('main:not(:has(.skeleton)) h1').waitFor()
      expect.soft(await bar.innerText(), path).toBe(since)
      for (const text of lists[path] ?? []) await page.locator('.nothing').getByText(text).first().waitFor()
    }
  }, 180_000)

  it('says of each call that fails what to do, and keeps the rest of the page', async () => {
    const { page, address } = await opened()
    const asked = new Set<string>()
    const note = (request: { url(): string }) => {
      const { pathname } = new URL(request.url())
      if (pathname.startsWith('/console/api/') && !pathname.endsWith('/stream')) asked.add(pathname)
    }
    for (const path of all) {
      asked.clear()
      page.on('request', note)
      await page.goto(at.origin + address(path))
      await page.locator('main:not(:has(.skeleton)) h1').waitFor()
      page.off('request', note)
      for (const call of [...asked]) {
        const operation = call.replace(/^.*?2025-10-13\//, '')
        const fail = (route: Route) =>
          route.fulfill({
            status: 503,
            headers: { 'x-should-retry': 'false', 'x-request-id': 'failed-1' },
            json: {
              code: 'SERVICE_UNAVAILABLE',
              message: 'Not now.',
              status: 503,
              details: { requestId: 'failed-1' },
            },
          })
        await page.route((url) => url.pathname === call, fail)
        await page.goto(at.origin + address(path))
        await page.locator('main:not(:has(.skeleton)) h1').waitFor()
        const where = `${path}: ${operation}`
        const alert = page.locator('main [role=alert]')
        const said = await alert
          .first()
          .innerText({ timeout: 2_000 })
          .catch(() => 'nothing')
        for (const each of [
          'Not now.',
          'SERVICE_UNAVAILABLE · 503',
          'failed-1',
          'What to do',
          'Try again',
          'curl',
          'Retry-After',
        ])
          expect.soft(said, where).toContain(each)
        await page.unroute((url) => url.pathname === call, fail)
        await page.unrouteAll({ behavior: 'ignoreErrors' })
        await page.route('**/stream', (route) => route.fulfill({ status: 403, body: '{}' }))
        if (said === 'nothing') continue
        for (let n = await alert.count(); n > 0; n--)
          await alert.first().getByRole('button', { name: 'Try again' }).click()
        await expect.poll(() => alert.count(), { message: `${where}: tried again` }).toBe(0)
      }
    }
  }, 600_000)
})

function unmatched(name: string): string {
  if (/currency/i.test(name)) return 'XTS'
  if (/Amount/.test(name)) return '100'
  if (/(After|start|Start)/.test(name)) return '2099-01-01T00:00:00.000Z'
  if (/(Before|end|End)/.test(name)) return '1999-01-01T00:00:00.000Z'
  if (/customerId/.test(name)) return 'Customer:00000000-0000-7000-8000-000000000000'
  return 'nothing-such'
}
