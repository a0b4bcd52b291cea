import { readFileSync } from 'node:fs'
import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  quoteBody,
} from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium, phone } from '../browser/browser.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  type OpenedConsole,
  openConsole,
  shoot,
} from './opened-console.ts'

const executable = findChromium()
if (!executable) {
  console.error('SKIPPED: no Chromium here and none could be installed; the console was NOT tested.')
}

describe.skipIf(!executable)('the pages of payments', () => {
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
    expect(at.faults.splice(0)).toEqual([])
  })

  type Platform = Awaited<ReturnType<OpenedConsole['server']['platform']>>

  async function openedAs(platform: Platform, path: string, size?: typeof phone): Promise<Page> {
    const page = await at.openAs(platform, path, size)
    pages.push(page)
    return page
  }

  /** A payment of 1,000.00 USD to pounds; the end of the payee's number decides what becomes of it. */
  async function paid(platform: Platform, ending: string) {
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD'] })
    const account = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, account.id, 500_000)
    const payee = await createPayee(api, 'GBP', `12345${ending}`, { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(account, payee, 100_000))
    await execute(api, quote.id)
    await at.server.settle()
    return { ...quote, api, account, payee, customer }
  }

  const list = (page: Page) => page.getByRole('region', { name: 'Payments' })

  it('says in the row why a payment failed, and to whom it went', async () => {
    const platform = await at.server.platform()
    const { payee } = await paid(platform, '004')
    const page = await openedAs(platform, 'payments')
    const row = list(page).locator('tbody tr').first()
    await row.locator('.why').waitFor()
    expect((await row.locator('.why').innerText()).trim()).toBe('bank refused')
    expect(await row.locator('.why').getAttribute('title')).toContain('the account cannot receive it')
    await row.getByTitle(payee.id).waitFor()
    await shoot(page, 'payments-1280')
    await expectAccessible(page, 'payments')
  })

  it('finds the payments of an account, and those of cards, by filters in the address', async () => {
    const platform = await at.server.platform()
    const { payee } = await paid(platform, '678')
    await paid(platform, '678')
    const page = await openedAs(platform, 'payments')
    await page.locator('.count').getByText('4 in all').waitFor()
    await page.getByLabel('Account id or UMA address').fill(payee.id)
    await page.keyboard.press('Enter')
    await page.locator('.count').getByText('1 in all').waitFor()
    await page.getByRole('button', { name: 'Drop the filters' }).click()
    await page.getByLabel('Type').selectOption('CARD')
    await page.getByText('Nothing matches these filters.').waitFor()
  })

  it('exports what the filters leave, with exact amounts', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    const page = await openedAs(platform, 'payments?type=OUTGOING')
    await page.locator('tbody .status.ok').first().waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export CSV' }).click(),
    ])
    expect(download.suggestedFilename()).toMatch(/^payments-.+-sandbox\.csv$/)
    const [head, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
      .map((line) => line.split(','))
    expect(lines).toHaveLength(1)
    const cell = (name: string) => lines[0]![head!.indexOf(name)]
    expect([cell('type'), cell('status'), cell('sentAmount'), cell('sentCurrency')]).toEqual([
      'OUTGOING',
      'COMPLETED',
      '1000.00',
      'USD',
    ])
    expect(lines[0]).toContain(transactionId)
    await page.getByText('1 are in the file.').waitFor()
  })

  it('keeps filters under a name, over a reload, and forgets them', async () => {
    const platform = await at.server.platform()
    await paid(platform, '004')
    const page = await openedAs(platform, 'payments')
    await page.getByLabel('Status').selectOption('FAILED')
    await page.getByRole('button', { name: 'Save this view' }).click()
    await page.keyboard.type('Trouble')
    await page.keyboard.press('Enter')
    const views = page.getByRole('navigation', { name: 'Saved views' })
    await views.getByRole('link', { name: 'Trouble' }).waitFor()
    await views.getByRole('link', { name: 'All' }).click()
    await page.reload()
    await views.getByRole('link', { name: 'Trouble' }).click()
    await page.waitForURL(/status=FAILED/)
    await expectAccessible(page, 'saved views')
    await views.getByRole('button', { name: 'Forget Trouble' }).click()
    await views.getByRole('button', { name: 'Save this view' }).waitFor()
    expect(await views.getByRole('link', { name: 'Trouble' }).count()).toBe(0)
  })

  it('has all of it on a phone, without scrolling sideways', async () => {
    const platform = await at.server.platform()
    await paid(platform, '004')
    const page = await openedAs(platform, 'payments?type=OUTGOING', phone)
    await page.locator('tbody .status.bad').first().waitFor()
    await shoot(page, 'payments-360')
    await expectNoSidewaysScroll(page, 'payments')
  })
})
