import { createPayee, createQuote, execute, fund, quoteBody } from '@corridor/testkit/index.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { desktop } from '../browser/browser.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type Platform,
  shoot,
} from './opened-console.ts'
import { createPayer } from './payer.ts'

const phone = { width: 360, height: 740 }
const small = { width: 1280, height: 800 }

describeConsole('how a payment is drawn and told', (at) => {
  /** A payment of 1,000.00 USD, unless another amount is given; the end of the payee's number decides what becomes of it. */
  async function paid(platform: Platform, ending: string, holder?: string, minor = 100_000) {
    const api = at.server.client(platform)
    const { customer, account, payee } = await createPayer(api, ending)
    const info = payee.accountInfo as unknown as Record<string, unknown>
    const to = holder
      ? await createPayee(api, 'GBP', `12345${ending}`, {
          customerId: customer.id,
          accountInfo: { ...info, beneficiary: { ...(info.beneficiary as object), fullName: holder } },
        })
      : payee
    // What the account holds from the beginning is less than that.
    if (minor > 500_000) await fund(api, account.id, minor)
    const quote = await createQuote(api, quoteBody(account, to, minor))
    await execute(api, quote.id)
    await at.server.settle()
    return { api, customer, payee: to, id: quote.transactionId as string }
  }

  const pageOf = (id: string) => `payments/${encodeURIComponent(id)}`
  const firstRow = (page: Page) =>
    page.getByRole('region', { name: 'Payments' }).locator('tbody tr:not(.spacer)').first()

  async function inTheDark(page: Page, name: string) {
    await page.locator('html').evaluate((root) => root.setAttribute('data-theme', 'dark'))
    await shoot(page, `${name}-dark`)
    await expectAccessible(page, `${name} in the dark`)
    await page.locator('html').evaluate((root) => root.removeAttribute('data-theme'))
  }

  /** All of it stands within the cell. */
  const isWhole = (of: Locator) =>
    of.evaluate((element) => {
      const range = document.createRange()
      range.selectNodeContents(element)
      const cell = element.closest('td')!.getBoundingClientRect()
      return range.getBoundingClientRect().right <= cell.right
    })

  it('is turned back where its money came back, and broken as long as it has not', async () => {
    const platform = await at.server.platform()
    const { id } = await paid(platform, '004')
    const page = await at.openAs(platform, 'payments?type=OUTGOING')
    const row = firstRow(page)
    await row.locator('.corridor.returned').waitFor()
    await goTo(page, `${new URL(page.url()).pathname}/${encodeURIComponent(id)}`)
    await page.locator('.lanes.returned').waitFor()
    await page.route('**/transactions/*', async (route) => {
      const response = await route.fetch()
      const told = (await response.json()) as { refund: object }
      await route.fulfill({ response, json: { ...told, refund: { ...told.refund, status: 'PENDING' } } })
    })
    await page.reload()
    const lanes = page.locator('.lanes.stopped')
    await lanes.getByText('1,000.00 USD').waitFor()
    expect((await lanes.locator('li').allInnerTexts())[0]).toBe('1,000.00 USD\nsent')
    // Nor is named as sent what ended before anything was.
    await page.route('**/transactions/*', async (route) => {
      const response = await route.fetch()
      const told = (await response.json()) as object
      await route.fulfill({ response, json: { ...told, status: 'EXPIRED', refund: undefined } })
    })
    await page.reload()
    await lanes.getByText('was to be sent').waitFor()
    expect(await lanes.getByText('fee', { exact: true }).count()).toBe(0)
  })

  it('has the reason of a failure in its row, whole, beside what became of the money', async () => {
    const platform = await at.server.platform()
    await paid(platform, '004')
    const page = await at.openAs(platform, 'payments?type=OUTGOING', small)
    const why = firstRow(page).locator('.why')
    await firstRow(page).locator('.status.info').getByText('Refunded').waitFor()
    expect((await why.innerText()).trim()).toBe('bank rejected')
    await expect.poll(() => isWhole(why)).toBe(true)
    await shoot(page, 'why-1280')
    await inTheDark(page, 'why-1280')
    // The longest that there is.
    await page.route('**/transactions?*', async (route) => {
      const response = await route.fetch()
      const { data, ...more } = (await response.json()) as { data: object[] }
      const failureReason = 'PAYMENT_APPROVAL_WEBHOOK_ERROR'
      await route.fulfill({
        response,
        json: { ...more, data: data.map((each) => ({ ...each, failureReason })) },
      })
    })
    await page.reload()
    await why.getByText('endpoint did not respond').waitFor()
    await expect.poll(() => isWhole(why)).toBe(true)
  })

  it('names who paid and who was paid, and whose bank refused when the money came back', async () => {
    const platform = await at.server.platform()
    const { id } = await paid(platform, '678')
    const page = await at.openAs(platform, pageOf(id))
    const story = page.locator('.story')
    await story
      .getByText(/^Completed\. Ana Lopez sent 1,000\.00 USD, Greta Lindholm received 751\.22 GBP\.$/)
      .waitFor()
    await goTo(page, new URL(page.url()).pathname.replace(/\/payments.*/, ''))
    await page
      .locator('.story')
      .getByText('Ana Lopez sent 1,000.00 USD, Greta Lindholm received 751.22 GBP.')
      .waitFor()
    const failed = await paid(platform, '004')
    await goTo(page, `${new URL(page.url()).pathname}/${pageOf(failed.id)}`)
    await story.getByText(/^Failed\. The bank of Greta Lindholm rejected the money/).waitFor()
    expect(await story.innerText()).toMatch(
      /1,000\.00 USD came back on \d\d \w{3}( \d{4})?, \d\d:\d\d(:\d\d)?\./,
    )
    await expect.poll(() => page.title()).toMatch(/^Failed · USD→GBP 1,000\.00 · /)
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Failed · USD→GBP 1,000.00')
    await shoot(page, 'payment-refused')
    await expectAccessible(page, 'a payment that was refused')
    await inTheDark(page, 'payment-refused')
  })

  it('takes a name for text, and of a long one its beginning', async () => {
    const platform = await at.server.platform()
    const { id, payee } = await paid(platform, '678')
    const page = await at.openAs(platform, '', phone)
    let fullName = '<img src=x onerror=alert(1)>'
    await page.route('**/external-accounts/*', (route) =>
      route.fulfill({
        json: {
          ...payee,
          accountInfo: { ...payee.accountInfo, beneficiary: { beneficiaryType: 'INDIVIDUAL', fullName } },
        },
      }),
    )
    // Anew, as Home knows the name by now.
    await page.goto(`${page.url()}/${pageOf(id)}`)
    await page.locator('.story').getByText(`${fullName} received 751.22 GBP`).waitFor()
    expect(await page.locator('.story img').count()).toBe(0)
    fullName = 'Wolfeschlegelsteinhausen'.repeat(9)
    await page.reload()
    await page
      .locator('.story')
      .getByText(`, ${fullName.slice(0, 59)}… received`)
      .waitFor()
    await expectNoSidewaysScroll(page, 'a payment to a long name')
  })

  it('has a tick on its line where a fee was taken, in rows and in full', async () => {
    const platform = await at.server.platform()
    const { id } = await paid(platform, '678')
    const page = await at.openAs(platform, 'payments')
    const line = page.getByRole('img', { name: 'OUTGOING, fee 5.00 USD' })
    await line.waitFor()
    expect(await line.locator('path').first().getAttribute('d')).toContain('M13 4v8')
    const deposit = page.getByRole('img', { name: 'INCOMING', exact: true }).first()
    expect(await deposit.locator('path').first().getAttribute('d')).not.toContain('M13 4v8')
    for (const path of ['', pageOf(id)]) {
      await goTo(page, `${new URL(page.url()).pathname.replace(/\/payments.*/, '')}${path && `/${path}`}`)
      const lanes = page.getByRole('list', { name: 'Path of the money' })
      await lanes.waitFor()
      expect(await lanes.getByRole('listitem').allInnerTexts()).toEqual([
        '1,000.00 USD\nsent',
        '5.00 USD\nfee',
        expect.stringMatching(/^1\.\d+ USD for one GBP\nrate, before fees$/),
        '751.22 GBP\nreceived',
      ])
      const name = path === '' ? 'home' : 'payment'
      await shoot(page, `lanes-${name}-1280`)
      await expectAccessible(page, `the line on ${name}`)
      await inTheDark(page, `lanes-${name}-1280`)
      await page.emulateMedia({ forcedColors: 'active' })
      await shoot(page, `lanes-${name}-forced`)
      await page.emulateMedia({ forcedColors: 'none' })
      await page.setViewportSize(phone)
      await expectNoSidewaysScroll(page, `the line on ${name}`)
      await shoot(page, `lanes-${name}-360`)
      await inTheDark(page, `lanes-${name}-360`)
      await page.setViewportSize(desktop)
    }
  })

  it('shows in the flow at which rate, where it broke, and each way back apart', async () => {
    const platform = await at.server.platform()
    const { id } = await paid(platform, '004')
    const page = await at.openAs(platform, pageOf(id))
    const figure = page.locator('.flow-figure')
    const box = (name: RegExp) => figure.getByRole('button', { name })
    await box(/^◆ Exchange 1 USD = 0\.755 GBP/).waitFor()
    await box(/^Rail FASTER_PAYMENTS GBP, 0 postings/).waitFor()
    expect(await figure.locator('.edge.broken').count()).toBeGreaterThan(0)
    await figure.locator('text', { hasText: '╳ refused' }).waitFor()
    const summary = await figure.locator('figcaption').innerText()
    expect(summary).toContain('at 1 USD = 0.755 GBP')
    expect(summary).toContain('751.22 GBP from Clearing GBP to Rail FASTER_PAYMENTS GBP (refused)')
    expect(summary).toContain('995.00 USD from Exchange to Refund payable USD (unwound)')
    expect(summary).toContain('1,000.00 USD from Refund payable USD to Account')
    // Who walks to it is told as well.
    await box(/^Rail/).click()
    await page.locator('.flow-node').getByText('Nothing was posted here, because it was refused.').waitFor()
    await page.getByText('The picture as a table').click()
    const table = page.getByRole('region', { name: 'The picture as a table' })
    const rows = await table.getByRole('row').allInnerTexts()
    const cells = rows.map((row) => row.split(/\s*\t\s*/).join(' | '))
    expect(cells).toContain('Clearing GBP | Rail FASTER_PAYMENTS GBP | 751.22 GBP | refused')
    expect(cells).toContain('Service fee USD | Refund payable USD | 5.00 USD | unwound')
    expect(cells).toContain('Exchange | Clearing GBP | 751.22 GBP | 1 USD = 0.755 GBP')
    await shoot(page, 'flow-refused')
    await expectAccessible(page, 'the flow of what was refused')
    await inTheDark(page, 'flow-refused')
    await page.setViewportSize(phone)
    await expectNoSidewaysScroll(page, 'the flow of what was refused')
    await shoot(page, 'flow-refused-360')
  })

  it('draws all of a refund that failed within the page, and scrolls where there is less room', async () => {
    const platform = await at.server.platform()
    const { id } = await paid(platform, '007', undefined, 1_234_567)
    const page = await at.openAs(platform, pageOf(id), small)
    const scrolled = page.locator('.flow-figure .scroll')
    await scrolled.getByRole('button', { name: /^Suspense/ }).waitFor()
    const hidden = () => scrolled.evaluate((box) => box.scrollWidth - box.clientWidth)
    await expect.poll(hidden).toBe(0)
    await shoot(page, 'flow-refund-failed-1280')
    await page.setViewportSize(phone)
    await expect.poll(hidden).toBeGreaterThan(100)
    await expectNoSidewaysScroll(page, 'the flow of a refund that failed')
  })

  it('lists its parts with how much is in each, and times of one second to the millisecond', async () => {
    const platform = await at.server.platform()
    const { id, api } = await paid(platform, '678')
    const { data } = await api.GET('/explain/{id}', { params: { path: { id } } })
    const postings = data!.journals.flatMap((journal) => journal.postings).length
    const page = await at.openAs(platform, pageOf(id))
    const parts = page.getByRole('navigation', { name: 'Parts of this page' })
    await parts.getByRole('link', { name: `Postings ${postings}` }).waitFor()
    await parts.getByRole('link', { name: `Timeline ${data!.timeline.length}` }).click()
    const heading = page.getByRole('heading', { name: 'Timeline' })
    await expect.poll(async () => (await heading.boundingBox())!.y).toBeLessThan(200)
    expect(await page.evaluate('location.hash')).toBe('#timeline')
    await parts.getByRole('link', { name: 'Raw' }).click()
    await expect.poll(() => page.evaluate('location.hash')).toBe('#raw')
    // The whole payment ran within a second.
    const times = await page.locator('.timeline time').allInnerTexts()
    expect(times[1]).toMatch(/\d\d:\d\d:\d\d\.\d{3} \+/)
    await expectAccessible(page, 'the parts of a payment')
  })
})
