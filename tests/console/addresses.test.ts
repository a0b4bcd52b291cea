import { readFileSync } from 'node:fs'
import { createCustomer, operatorKey } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'
import { createPayer } from './payer.ts'

const phone = { width: 360, height: 740 }
const small = { width: 1280, height: 800 }

describeConsole('addresses, filters and the header', (at) => {
  const home = (page: Page) => /^\/console\/[^/]+\/[^/?#]+/.exec(new URL(page.url()).pathname)![0]

  it('lead to the page that has what they name, also after a reload', async () => {
    const page = await at.openAs(await at.server.platform(), '')
    const base = home(page)
    for (const [from, to, title] of [
      ['ledger/accounts', 'ledger', 'Ledger'],
      ['ledger/audit', 'ledger', 'Ledger'],
      ['webhooks/endpoint', 'webhooks', 'Webhooks'],
      ['settings/config', 'settings', 'Settings'],
      ['settings/tokens', 'settings', 'Settings'],
      ['settings/terms', 'settings', 'Settings'],
    ]) {
      await page.goto(`${at.origin}${base}/${from}?time=utc`)
      await page.getByRole('heading', { level: 1, name: title! }).waitFor()
      const { pathname, search } = new URL(page.url())
      expect(pathname + search).toBe(`${base}/${to}?time=utc`)
    }
    await goTo(page, `${base}/settings/tokens`)
    await page.waitForURL(`**${base}/settings`)
  })

  it('lead operators to theirs', async () => {
    const page = await at.openAsOperator('/operator/overview', { key: operatorKey })
    await page.waitForURL('**/console/operator')
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
    await goTo(page, '/console/operator/audit')
    await page.waitForURL('**/console/operator/audit-log')
    await page.getByRole('heading', { level: 1, name: 'Audit log' }).waitFor()
  })

  it('say in the title of the window that there is no such page', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'no/such/page')
    await page.getByRole('heading', { level: 1, name: 'This page does not exist.' }).waitFor()
    await expect.poll(() => page.title()).toMatch(/^No such page · platform-\S+ sandbox$/)
    await page.locator('main').getByRole('link', { name: 'Home' }).click()
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    const real = await at.openAs(await at.server.platform({ environment: 'PRODUCTION' }), 'sandbox/clock')
    await expect.poll(() => real.title()).toMatch(/^No such page · platform-\S+ production$/)
  })

  it('has each filter that is set as a chip that drops it alone, and says how many of all are left', async () => {
    const platform = await at.server.platform()
    await createPayer(at.server.client(platform))
    await createPayer(at.server.client(platform))
    const customer = await createCustomer(at.server.client(platform))
    const page = await at.openAs(
      platform,
      'payments?type=INCOMING&receivedCurrency=USD&minAmount=100000&startDate=2024-01-01T00:00:00.000Z',
      small,
    )
    const chips = page.getByRole('list', { name: 'Active filters' }).getByRole('button')
    await expect
      .poll(() => chips.allTextContents())
      .toEqual([
        'Type: INCOMING, drop it ✕',
        expect.stringMatching(/^From: 01 Jan 2024, \d\d:\d\d, drop it ✕$/),
        'Received in: USD, drop it ✕',
        'From this amount: 1,000.00 USD, drop it ✕',
      ])
    await shoot(page, 'chips-1280')
    await expectAccessible(page, 'chips')
    await page.locator('html').evaluate((root) => root.setAttribute('data-theme', 'dark'))
    await shoot(page, 'chips-1280-dark')
    await expectAccessible(page, 'chips in the dark')
    await page.setViewportSize(phone)
    await expectNoSidewaysScroll(page, 'chips')
    await shoot(page, 'chips-360')
    await page.setViewportSize(small)
    await page.getByRole('button', { name: /^From this amount: 1,000\.00 USD ?, drop it$/ }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(() => chips.count()).toBe(3)
    expect(new URL(page.url()).search).not.toContain('minAmount')
    expect(new URL(page.url()).search).toContain('receivedCurrency=USD')
    // Whoever drops several goes on with the next.
    await page.locator('button.chip:focus').waitFor()
    await goTo(page, `${home(page)}/payments?type=OUTGOING`)
    await page.locator('.count').getByText('0 of 2').or(page.locator('.nothing')).first().waitFor()
    await goTo(page, `${home(page)}/payments?customerId=${customer.id}`)
    await page.getByText('Nothing matches these filters.').waitFor()
    await goTo(page, `${home(page)}/payments`)
    await page.locator('.count').getByText('2 in all', { exact: true }).waitFor()
    const first = page.getByRole('region', { name: 'Payments' }).locator('tbody a').first()
    const id = decodeURIComponent((await first.getAttribute('href'))!.split('/').at(-1)!)
    const { data } = await at.server
      .client(platform)
      .GET('/transactions/{transactionId}', { params: { path: { transactionId: id } } })
    await goTo(page, `${home(page)}/payments?customerId=${data!.customerId}`)
    await page.locator('.count').getByText('1 of 2', { exact: true }).waitFor()
    await chips.first().focus()
    await page.keyboard.press('Space')
    await page.locator('.count').getByText('2 in all', { exact: true }).waitFor()
    expect(await chips.count()).toBe(0)
    expect(readFileSync(new URL('../../apps/console/README.md', import.meta.url), 'utf8')).toContain(
      '`1 of 2`',
    )
  })

  it('says in the header that the clock stands still, and to the second', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    const clock = page.locator('.top .clock')
    await clock.waitFor()
    expect((await clock.innerText()).trim()).toMatch(/, \d\d:\d\d$/)
    await page.route('**/sandbox/clock', async (route) => {
      const response = await route.fetch()
      const told = (await response.json()) as object
      await route.fulfill({ response, json: { ...told, now: '2025-10-13T09:00:04.017Z', isFrozen: true } })
    })
    await page.goto(`${page.url()}?time=utc`)
    await clock.getByText('frozen').waitFor()
    expect((await clock.innerText()).replaceAll(/\s+/g, ' ').trim()).toBe('13 Oct 2025, 09:00:04 UTC frozen')
    await shoot(page, 'frozen-1280')
    await expectAccessible(page, 'a clock that stands still')
    await page.setViewportSize(phone)
    await clock.getByText('frozen').waitFor()
    await expectNoSidewaysScroll(page, 'a clock that stands still')
    await shoot(page, 'frozen-360')
  })

  it('has of each request its answer whole, and its path as far as it tells beside what is open', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    await api.POST('/webhooks/test', {} as never)
    await createPayer(api)
    const page = await at.openAs(platform, 'requests', small)
    const row = page.locator('tbody tr').filter({ hasText: 'WEBHOOK_ENDPOINT_NOT_SET' }).first()
    const answer = row.locator('.status')
    await answer.waitFor()
    expect(await answer.getAttribute('title')).toBe('400 WEBHOOK_ENDPOINT_NOT_SET')
    const isCut = () =>
      answer.evaluate((element) => {
        const cell = element.closest('td')!
        return cell.scrollWidth > cell.clientWidth || element.scrollWidth > element.clientWidth
      })
    // With its own letters, once they are read.
    await expect.poll(isCut).toBe(false)
    await shoot(page, 'requests-1280')
    await row.locator('a').click()
    await page.getByRole('link', { name: 'Open page' }).waitFor()
    // Where it begins is known by its method; its end tells one from another.
    const funded = page.locator('tbody td.event').filter({ hasText: '/fund' }).first()
    const edges = () =>
      funded.evaluate((cell) => {
        const walk = cell.ownerDocument.createTreeWalker(cell, 4)
        const shown = (text: Node, from: number, to: number) => {
          const range = document.createRange()
          range.setStart(text, from)
          range.setEnd(text, to)
          const { left, right } = range.getBoundingClientRect()
          const box = cell.getBoundingClientRect()
          return left >= box.left && right <= box.right
        }
        const texts: Node[] = []
        while (walk.nextNode()) if (walk.currentNode.textContent?.trim()) texts.push(walk.currentNode)
        const [first, last] = [texts[0]!, texts.at(-1)!]
        const length = last.textContent!.length
        return [shown(first, 0, 4), shown(last, length - '{accountId}/fund'.length, length)]
      })
    await expect.poll(edges).toEqual([true, true])
    await shoot(page, 'requests-beside')
    await expectAccessible(page, 'requests beside one')
  })
})
