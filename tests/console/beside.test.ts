import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  quoteBody,
} from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { phone } from '../browser/browser.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  type Platform,
  shoot,
} from './opened-console.ts'

const roomy = { width: 1280, height: 800 }

describeConsole('what is opened of a list', (at) => {
  const opened = (platform: Platform, path: string, size = roomy) => at.openAs(platform, path, size)

  /** A platform that has paid 1,000.00 USD once to each payee, whose endings decide what becomes of it. */
  async function paid(...endings: readonly string[]) {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD'] })
    const account = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, account.id, 500_000)
    for (const ending of endings) {
      const payee = await createPayee(api, 'GBP', `12345${ending}`, { customerId: customer.id })
      await execute(api, (await createQuote(api, quoteBody(account, payee, 100_000))).id)
    }
    await at.server.settle()
    return platform
  }

  const list = (page: Page) => page.getByRole('region', { name: 'Payments', exact: true })
  const rows = (page: Page) => list(page).locator('tbody tr')
  const pane = (page: Page) => page.getByRole('region', { name: /^Details of Transaction …/ })
  const openOf = (page: Page) => new URL(page.url()).searchParams.get('open')

  it('stands beside it, as the address says, so that a reload and a link show the same', async () => {
    const platform = await paid('678', '004')
    const page = await opened(platform, 'payments?type=OUTGOING')
    await rows(page).filter({ hasText: 'Failed' }).locator('td').last().click()
    await pane(page)
      .getByRole('heading', { level: 2, name: /^Failed/ })
      .waitFor()
    await pane(page).getByText('Safe to retry: yes, with a new quote').waitFor()
    // The list stays what it was: a table that tells its length, with the row that is open.
    expect(await page.getByRole('heading', { level: 1 }).allInnerTexts()).toEqual(['Payments'])
    expect(await list(page).getByRole('table').getAttribute('aria-rowcount')).toBe('3')
    const current = list(page).locator('tr[aria-current=true]')
    await current.getByText('Failed').waitFor()
    expect(await current.count()).toBe(1)
    expect(await page.title()).toMatch(/^Payments · /)
    const box = async (of: ReturnType<Page['locator']>) => (await of.boundingBox())!
    const [nav, left, right] = [
      await box(page.getByRole('navigation', { name: 'Menu' })),
      await box(list(page)),
      await box(pane(page)),
    ]
    expect(nav.x + nav.width).toBeLessThanOrEqual(left.x)
    expect(left.x + left.width).toBeLessThanOrEqual(right.x)
    await expectNoSidewaysScroll(page, 'payments with one open')
    await expectAccessible(page, 'payments with one open')
    await shoot(page, 'beside-1280')

    const address = page.url()
    expect(openOf(page)).toMatch(/^Transaction:/)
    await page.reload()
    await pane(page)
      .getByRole('heading', { level: 2, name: /^Failed/ })
      .waitFor()
    await current.getByText('Failed').waitFor()
    const elsewhere = await opened(platform, 'payments', { width: 1440, height: 900 })
    await elsewhere.goto(address)
    await pane(elsewhere)
      .getByRole('heading', { level: 2, name: /^Failed/ })
      .waitFor()
    await elsewhere.evaluate(`document.documentElement.dataset.theme = 'dark'`)
    await expectAccessible(elsewhere, 'payments with one open, dark')
    await shoot(elsewhere, 'beside-1440-dark')

    await pane(page).getByRole('link', { name: 'Open page' }).click()
    await page.getByRole('heading', { level: 1, name: /^Failed/ }).waitFor()
    expect(await pane(page).count()).toBe(0)
    await page.goBack()
    await pane(page)
      .getByRole('heading', { level: 2, name: /^Failed/ })
      .waitFor()
  })

  it('is told whole after the account elsewhere that it went to was looked at', async () => {
    const platform = await paid('678')
    const api = at.server.client(platform)
    const [payment] = (await must(api.GET('/transactions'))).data
    const { destination } = payment as { destination: { accountId: string } }
    const page = await opened(platform, `external-accounts/${encodeURIComponent(destination.accountId)}`)
    await page.getByRole('heading', { level: 2, name: 'All details' }).waitFor()
    await page.getByRole('link', { name: 'Payments', exact: true }).first().click()
    await rows(page).first().locator('td').last().click()
    await pane(page).locator('#facts').getByText('Settled').waitFor()
  })

  it('follows the keys, gets the focus by enter and gives it back by escape', async () => {
    const platform = await paid('678', '004')
    const page = await opened(platform, 'payments?type=OUTGOING')
    await rows(page).nth(1).waitFor()
    await page.keyboard.press('j')
    await rows(page).first().locator('a:focus').waitFor()
    expect(openOf(page)).toBeNull()
    await page.keyboard.press('Enter')
    await page.locator('section.pane:focus').waitFor()
    const first = openOf(page)
    await page.keyboard.press('j')
    await rows(page).nth(1).locator('a:focus').waitFor()
    await expect.poll(() => openOf(page)).not.toBe(first)
    const second = openOf(page)
    await expect.poll(() => list(page).locator('tr[aria-current]').getAttribute('aria-rowindex')).toBe('3')
    await pane(page)
      .getByRole('heading', { level: 2, name: /^Completed/ })
      .waitFor()
    // With the pointer the focus stays where it is.
    await pane(page).getByRole('button', { name: 'Explain' }).focus()
    await page.keyboard.press('Escape')
    await pane(page).waitFor({ state: 'detached' })
    expect(openOf(page)).toBeNull()
    await rows(page).nth(1).locator('a:focus').waitFor()
    // A link begins where it was made.
    const shared = new URL(page.url())
    shared.searchParams.set('open', second!)
    await page.goto(shared.href)
    await pane(page)
      .getByRole('heading', { level: 2, name: /^Completed/ })
      .waitFor()
    // Where it stands in the list is known once that is read as well.
    await list(page).locator('tr[aria-current]').waitFor()
    await page.keyboard.press('k')
    await expect.poll(() => openOf(page)).toBe(first)
  })

  it.each(['payments', 'webhooks', 'requests'])(
    'leaves the list of %s what came of each row, whole',
    async (of) => {
      const page = await opened(await paid('678', '004'), of, { width: 1280, height: 800 })
      await page.locator('.rows tbody tr').first().locator('td').last().click()
      await page.locator('.pane h2').first().waitFor()
      const cut = (boxes: Element[]) => {
        const region = document.querySelector('.rows')!.getBoundingClientRect()
        return boxes
          .filter((box) => box.getBoundingClientRect().right > region.right)
          .map((box) => box.textContent)
      }
      await expect
        .poll(() => page.locator('.rows tbody td:last-child .status').evaluateAll(cut), { timeout: 10_000 })
        .toEqual([])
      expect(await page.locator('.rows tbody td:last-child .status').count()).toBeGreaterThan(0)
    },
  )

  it('says beside the list that there is no such thing, and the list stays', async () => {
    const platform = await paid('678')
    const page = await opened(
      platform,
      `payments?open=${encodeURIComponent(`Transaction:${'0'.repeat(8)}-0000-7000-8000-${'0'.repeat(12)}`)}`,
    )
    await pane(page).getByRole('alert').getByText('No resource has the id').waitFor()
    await rows(page).first().waitFor()
    await expectAccessible(page, 'payments with an unknown one open')
    await page.keyboard.press('Escape')
    await pane(page).waitFor({ state: 'detached' })
  })

  it('has its own page where there is no room for both', async () => {
    const platform = await paid('678')
    const page = await opened(platform, 'payments?type=OUTGOING', { width: 1100, height: 800 })
    await rows(page).first().getByRole('link').first().click()
    await page.waitForURL(/payments\/Transaction/)
    await page.getByRole('heading', { level: 1, name: /^Completed/ }).waitFor()
    const id = decodeURIComponent(new URL(page.url()).pathname.split('/').at(-1)!)
    // What was shared by somebody with more room.
    const shared = new URL(page.url())
    shared.pathname = shared.pathname.replace(/\/[^/]+$/, '')
    shared.searchParams.set('open', id)
    await page.goto(shared.href)
    await pane(page)
      .getByRole('heading', { level: 1, name: /^Completed/ })
      .waitFor()
    expect(await list(page).isVisible()).toBe(false)
    await page.keyboard.press('Escape')
    await rows(page).first().waitFor()
    expect(await list(page).isVisible()).toBe(true)
  })

  it.each([
    [1280, true],
    [768, true],
    [767, false],
    [phone.width, false],
  ])('has the navigation beside the page at %i pixels: %s', async (width, isBeside) => {
    const platform = await at.server.platform()
    const page = await opened(platform, '', { width, height: 800 })
    const menu = page.getByRole('navigation', { name: 'Menu' })
    expect(await menu.isVisible()).toBe(isBeside)
    expect(await page.getByRole('button', { name: 'Menu', exact: true }).isVisible()).toBe(!isBeside)
    await expectNoSidewaysScroll(page, `home at ${width}`)
  })
})
