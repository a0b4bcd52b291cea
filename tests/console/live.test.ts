import { silentLog } from '@corridor/kernel'
import { createQuote, execute, fund, quoteBody } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { realWorld } from '../../apps/server/src/real-world.ts'
import { phone } from '../browser/browser.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, type Platform } from './opened-console.ts'
import { createPayer } from './payer.ts'

// A stream is read while it is written, which takes real time.
const inRealTime = { world: realWorld(silentLog), expectedFaults: /ERR_/ }

/** Less than the ten seconds after which a page would look by itself. */
const told = { timeout: 9_000 }

describeConsole('pages that are told what happens', inRealTime, (at) => {
  async function payer(platform: Platform) {
    const api = at.server.client(platform)
    const { account, payee } = await createPayer(api)
    const quote = () => createQuote(api, quoteBody(account, payee, 10_000))
    return { api, account, quote }
  }
  async function live(platform: Platform, path: string, size = { width: 1280, height: 800 }) {
    const page = await at.openAs(platform, path, size)
    await page.getByRole('button', { name: '● Live' }).waitFor()
    return page
  }
  /** Another tab of the same browser. */
  async function anotherTab(page: Page) {
    const tab = await page.context().newPage()
    await tab.goto(page.url())
    await tab.getByRole('button', { name: '● Live' }).waitFor()
    return tab
  }
  const streamsOf = (page: Page) => {
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().endsWith('/stream')) asked.push(request.url())
    })
    return asked
  }

  it('changes the row of a payment where it stands, and lets new ones wait behind a bar', async () => {
    const platform = await at.server.platform()
    const { api, quote } = await payer(platform)
    const first = await quote()
    await execute(api, first.id)
    const page = await live(platform, 'payments')
    const row = page.getByRole('row').filter({ hasText: '100.00 USD' })
    await row.getByText('Pending').waitFor()
    await at.server.settle()
    await row.getByText('Completed').waitFor(told)
    expect(await page.locator('.news').count()).toBe(0)

    await execute(api, (await quote()).id)
    await page.getByText('One new payment.').waitFor(told)
    expect(await row.count()).toBe(1)
    await expectAccessible(page, 'payments with news')
    await page.keyboard.press('.')
    await expect.poll(() => row.count()).toBe(2)
    expect(await page.locator('[aria-live=polite]').count()).toBe(1)
  })

  it('shows on its page what becomes of a payment, and says when the first of a list comes', async () => {
    const platform = await at.server.platform()
    const list = await live(platform, 'payments')
    await list.getByText('No payments yet.').waitFor()
    // The deposit comes by itself, where nothing can jump; what comes after it waits.
    const { api, quote } = await payer(platform)
    await list.locator('tbody tr').first().waitFor(told)
    const { id, transactionId } = await quote()
    await execute(api, id)
    await list.getByText('One new payment.').waitFor(told)
    await list.keyboard.press('.')
    await list.getByRole('row').filter({ hasText: '100.00 USD' }).waitFor(told)
    const page = await live(platform, `payments/${transactionId}`)
    await page.getByRole('heading', { name: 'Pending' }).waitFor()
    await at.server.settle()
    await page.getByRole('heading', { name: 'Completed' }).waitFor(told)
  })

  it('changes nothing while it is paused, says how much waits, and catches up', async () => {
    const platform = await at.server.platform()
    const { api, account } = await payer(platform)
    const page = await live(platform, `accounts/${account.id}`)
    await page.getByText('5,000.00 USD').first().waitFor()
    await page.getByRole('button', { name: '● Live' }).click()
    await page.getByRole('button', { name: /^Paused/ }).waitFor()
    await fund(api, account.id, 100_000)
    await page.getByRole('button', { name: /Paused, \d+ waiting/ }).waitFor()
    expect(await page.getByText('6,000.00 USD').count()).toBe(0)
    await expectAccessible(page, 'a page that is paused')
    await page.getByRole('button', { name: /Paused/ }).click()
    await page.getByText('6,000.00 USD').first().waitFor(told)
  })

  it('has one connection for all tabs, and another tab takes over without losing what happened', async () => {
    const platform = await at.server.platform()
    const { api, account } = await payer(platform)
    const leader = await live(platform, `accounts/${account.id}`)
    const tab = await leader.context().newPage()
    const asked = streamsOf(tab)
    await tab.goto(leader.url())
    await tab.getByRole('button', { name: '● Live' }).waitFor()
    await fund(api, account.id, 100_000)
    for (const page of [leader, tab]) await page.getByText('6,000.00 USD').first().waitFor(told)
    expect(asked).toEqual([])
    await leader.close()
    await expect.poll(() => asked.length).toBe(1)
    await fund(api, account.id, 100_000)
    await tab.getByText('7,000.00 USD').first().waitFor(told)
    const third = await anotherTab(tab)
    await third.getByText('7,000.00 USD').first().waitFor()
    expect(asked).toHaveLength(1)
  })

  it('says since when nothing is told, keeps what it shows, and catches up', async () => {
    const platform = await at.server.platform()
    const { api, account } = await payer(platform)
    const page = await live(platform, `accounts/${account.id}`)
    await page.getByText('5,000.00 USD').first().waitFor()
    await page.route('**/stream', (route) => route.abort())
    at.cut()
    await page.getByText(/Live updates stopped at \d\d:\d\d:\d\d/).waitFor({ timeout: 20_000 })
    expect(await page.getByText('5,000.00 USD').count()).toBeGreaterThan(0)
    await expectAccessible(page, 'a page that is told nothing')
    await fund(api, account.id, 100_000)
    await page.unroute('**/stream')
    await page.getByText('6,000.00 USD').first().waitFor({ timeout: 40_000 })
    await page.getByText(/Live updates stopped/).waitFor({ state: 'detached' })
  }, 120_000)

  it('reads anew what was asked in vain while nobody answered', async () => {
    const platform = await at.server.platform()
    await payer(platform)
    const page = await live(platform, '')
    const isAway = /\/(?:stream|customers)(?:\?|$)/
    await page.route(isAway, (route) =>
      route.request().isNavigationRequest() ? route.continue() : route.abort(),
    )
    at.cut()
    await page.getByText(/Live updates stopped at/).waitFor()
    await page.getByRole('link', { name: 'Customers', exact: true }).first().click()
    await page.getByRole('button', { name: 'Try again' }).waitFor({ timeout: 20_000 })
    await page.unroute(isAway)
    await page.getByRole('link', { name: 'Ana Lopez' }).waitFor({ timeout: 40_000 })
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0)
  }, 120_000)

  it('fits a phone', async () => {
    const platform = await at.server.platform()
    const page = await live(platform, '', phone)
    await expectNoSidewaysScroll(page, 'home on a phone')
  })

  it('ends with the session', async () => {
    const platform = await at.server.platform()
    const page = await live(platform, '')
    const asked = streamsOf(page)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByLabel('Client id').waitFor()
    expect(asked).toEqual([])
    expect(await page.getByRole('button', { name: '● Live' }).count()).toBe(0)
  })
})
