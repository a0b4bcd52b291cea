import { createCustomer, createQuote, execute, quoteBody } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type Platform,
  shoot,
} from './opened-console.ts'
import { createPayer } from './payer.ts'

describeConsole('how lists, times and errors of the console are read', (at) => {
  async function pay(platform: Platform, ending = '678') {
    const api = at.server.client(platform)
    const { account, payee } = await createPayer(api, ending)
    const quote = await createQuote(api, quoteBody(account, payee, 100_000))
    await execute(api, quote.id)
    await at.server.settle()
    return { api, id: quote.transactionId as string }
  }

  async function choose(page: Page, label: string, option: string) {
    await page.getByRole('button', { name: 'View', exact: true }).click()
    await page.getByRole('dialog', { name: 'View' }).getByLabel(label).selectOption({ label: option })
    await page.getByRole('button', { name: 'Done' }).click()
  }

  const heightOf = (page: Page) =>
    page
      .locator('tbody tr:not(.spacer)')
      .first()
      .evaluate((row) => row.getBoundingClientRect().height)

  it('shows the clock of the sandbox, and writes times as the address says, from page to page', async () => {
    const platform = await at.server.platform()
    const { api } = await pay(platform)
    const page = await at.openAs(platform, 'payments')
    const clock = page.locator('.top .clock')
    await clock.waitFor()
    await api.POST('/sandbox/clock/advance', { body: { seconds: 86_400 } } as never)
    await page.getByRole('link', { name: 'Sandbox', exact: true }).click()
    await page.getByRole('button', { name: '+1 minute' }).click()
    await clock.locator('time[title*="86,460 seconds ahead"]').waitFor()

    await page.getByRole('link', { name: 'Payments', exact: true }).click()
    const moment = page.locator('tbody time').first()
    const at1 = new Date((await moment.getAttribute('datetime'))!)
    await choose(page, 'Times', 'In UTC')
    await page
      .locator('tbody time', { hasText: `${at1.toISOString().slice(11, 19)}Z` })
      .first()
      .waitFor()
    expect(await moment.getAttribute('title')).toMatch(
      /^In the sandbox: .*\nOutside, with the clock as it is now: /,
    )
    expect(new URL(page.url()).search).toBe('?time=utc')
    await page.locator('tbody a').first().click()
    await page.getByRole('link', { name: 'Open page' }).click()
    await page.getByRole('heading', { level: 2, name: 'Facts' }).waitFor()
    expect(new URL(page.url()).search).toBe('?time=utc')
    expect(await page.locator('.facts time').first().textContent()).toMatch(/ UTC$/)
    await page.reload()
    await choose(page, 'Times', 'From now on')
    await page.locator('.facts time', { hasText: '1 day ago' }).first().waitFor()
    await expectAccessible(page, 'a payment with relative times')
    await shoot(page, 'relative')
  })

  it('tells in the list that a payment failed and what becomes of its money', async () => {
    const platform = await at.server.platform()
    await pay(platform, '004')
    const page = await at.openAs(platform, 'payments')
    const row = page.locator('tbody tr', { hasText: 'Failed' }).first()
    await row.locator('.status.bad', { hasText: 'Failed' }).waitFor()
    await row.locator('.status.info', { hasText: 'Refunded' }).waitFor()
    // What was not received is no amount that was.
    expect(await row.locator('td.amount').allInnerTexts()).toEqual(['1,000.00 USD', '—'])
  })

  it('has no clock, and no link without a name, where the clock may not be seen', async () => {
    const platform = await at.server.platform()
    const page = await at.open('')
    const refusal = { status: 403, code: 'FORBIDDEN', message: 'Not allowed.', details: {} }
    await page.route('**/sandbox/clock', (route) => route.fulfill({ status: 403, json: refusal }))
    const refused = page.waitForResponse(/sandbox\/clock/)
    await at.signIn(page, platform)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
    await refused
    await expectAccessible(page, 'without a clock')
    expect(await page.locator('a.clock').count()).toBe(0)
  })

  it('writes hints in empty fields with the contrast of text, light and dark', async () => {
    const page = await at.openAs(await at.server.platform(), 'payments')
    await page.getByLabel('From', { exact: true }).waitFor()
    for (const theme of ['light', 'dark']) {
      await page.evaluate(`document.documentElement.dataset.theme = '${theme}'`)
      const [hint, muted, contrast] = (await page.evaluate(`(() => {
        const field = document.querySelector('input[name=startDate]')
        const probe = document.createElement('span')
        probe.style.color = 'var(--muted)'
        document.body.append(probe)
        const muted = getComputedStyle(probe).color
        probe.remove()
        const hint = getComputedStyle(field, '::placeholder').color
        const luminance = (color) => {
          const [red, green, blue] = color.match(/[0-9.]+/g).slice(0, 3).map((part) => {
            const share = part / 255
            return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
          })
          return 0.2126 * red + 0.7152 * green + 0.0722 * blue
        }
        const [light, dark] = [hint, getComputedStyle(field).backgroundColor].map(luminance).sort((a, b) => b - a)
        return [hint, muted, (light + 0.05) / (dark + 0.05)]
      })()`)) as [string, string, number]
      expect(contrast, theme).toBeGreaterThanOrEqual(4.5)
      expect(hint, theme).toBe(muted)
    }
  })

  it('understands -2h in a time filter, and goes to a field that it does not understand', async () => {
    const page = await at.openAs(await at.server.platform(), 'payments')
    const from = page.getByLabel('From', { exact: true })
    // By the clock of the sandbox, once that is read.
    await page.locator('.top .clock').waitFor()
    await from.fill('soon')
    await page.getByRole('button', { name: 'Filter' }).click()
    const said = () => from.evaluate((field) => (field as HTMLInputElement).validationMessage)
    expect(await said()).toContain('Write -2h, yesterday')
    expect(new URL(page.url()).search).toBe('')
    await from.fill('-2h')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.waitForURL(/startDate=/)
    const asked = Date.parse(new URL(page.url()).searchParams.get('startDate')!)
    const clock = await page.locator('.top .clock time').getAttribute('datetime')
    // As the clock of the sandbox goes, which the page looks at from time to time.
    expect(Math.abs(Date.parse(clock!) - 2 * 3_600_000 - asked)).toBeLessThan(600_000)
  })

  it('has low rows and pages of a list for who wants them, and keeps that in the browser', async () => {
    const platform = await at.server.platform()
    const sample = await createCustomer(at.server.client(platform), { fullName: 'Ana Lopez' })
    const page = await at.openAs(platform, '')
    await page.route('**/customers?*', (route) => {
      const isSecond = new URL(route.request().url()).searchParams.has('cursor')
      const data = Array.from({ length: isSecond ? 20 : 100 }, (_, index) => ({
        ...sample,
        id: `Customer:${isSecond ? 'b' : 'a'}${index}`,
        fullName: `Person ${isSecond ? 100 + index : index}`,
      }))
      const more = isSecond ? { hasMore: false } : { hasMore: true, nextCursor: 'second' }
      return route.fulfill({ json: { data, totalCount: 120, ...more } })
    })
    await page.getByRole('link', { name: 'Customers' }).click()
    await page.getByText('Person 0', { exact: true }).waitFor()
    expect(await heightOf(page)).toBe(36)
    expect(await page.locator('tbody tr').count()).toBeLessThan(60)
    // A tall screen is filled with rows to its end.
    await page.setViewportSize({ width: 1280, height: 2_000 })
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(48)
    await page.setViewportSize({ width: 1280, height: 800 })
    await expect.poll(() => page.locator('tbody tr').count()).toBeLessThan(40)
    await choose(page, 'Rows of lists', 'Low')
    expect(await heightOf(page)).toBe(28)
    await choose(page, 'Long lists', 'As pages, for screen readers')
    await page.getByText('Rows 1 to 100').waitFor()
    expect(await page.locator('tbody tr').count()).toBe(100)
    await expectAccessible(page, 'a list in pages')
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByText('Rows 101 to 120').waitFor()
    await page.getByText('Person 100', { exact: true }).waitFor()
    expect(await page.locator('tbody tr').count()).toBe(20)
    expect(await page.locator('tbody tr').first().getAttribute('aria-rowindex')).toBe('102')
    expect(await page.getByRole('button', { name: 'Next page' }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Page before' }).click()
    await page.getByText('Person 0', { exact: true }).waitFor()
    await page.reload()
    await page.getByText('Rows 1 to 100').waitFor()
    expect(await heightOf(page)).toBe(28)
    await shoot(page, 'pages-of-a-list')
  })

  it('shows rows of two lines on a phone, with every amount', async () => {
    const platform = await at.server.platform()
    await pay(platform)
    const page = await at.openAs(platform, 'payments', { width: 360, height: 740 })
    await page.locator('tbody tr').first().waitFor()
    expect(await heightOf(page)).toBe(60)
    const second = page.locator('tbody tr', { hasText: 'GBP' }).first().locator('td.rest')
    expect(await second.innerText()).toMatch(/1,000\.00 USD\s+[\d.]+ GBP/)
    // What has no room goes on in a line that is not seen.
    const isCut = () =>
      second.evaluate((cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight)
    await expect.poll(isCut).toBe(false)
    await expectNoSidewaysScroll(page, 'payments at 360 px')
    await expectAccessible(page, 'rows of two lines')
    await shoot(page, 'two-lines')
    const base = page.url()
    for (const path of ['webhooks', 'requests', 'customers', 'settings', 'sandbox']) {
      await goTo(page, base.replace('payments', path))
      await page.getByRole('heading', { level: 1 }).waitFor()
      await page.locator('tbody tr, .nothing, .part button').first().waitFor()
      await expectNoSidewaysScroll(page, `${path} at 360 px`)
      await shoot(page, `two-lines-${path}`)
    }
  })

  it('copies an id, goes to the explanation by single keys, and leaves them be when they are off', async () => {
    const platform = await at.server.platform()
    const { id } = await pay(platform)
    const page = await at.openAs(platform, 'payments')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.locator('tbody tr').first().waitFor()
    await page.keyboard.press('j')
    await page.locator('.rows tbody a:focus').waitFor()
    await page.keyboard.press('c')
    await page.getByText(`Copied ${id}`).waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(id)
    await page.keyboard.press('e')
    await page.locator('#explanation:focus').waitFor({ state: 'attached' })
    expect(decodeURIComponent(page.url())).toContain(`payments/${id}#explanation`)
    await page.keyboard.press('c')
    await page.getByText(`Copied ${id}`).waitFor()
    await page.keyboard.press('y')
    await page.getByRole('button', { name: 'Copy as curl' }).and(page.locator(':focus')).waitFor()

    await choose(page, 'Single-key shortcuts', 'Off')
    const address = page.url()
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await page.keyboard.press('Control+k')
    await page.getByRole('dialog').waitFor()
    expect(page.url()).toBe(address)
  })

  it('ties what is wrong to its field, and gives the summary the focus', async () => {
    const page = await at.openAs(await at.server.platform(), 'sandbox/faults')
    await page.getByLabel('Only this operation').fill('nothing')
    await page.getByRole('button', { name: 'Let it fail' }).click()
    await page.locator('.trouble:focus').waitFor()
    const field = page.getByLabel('Only this operation')
    await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
    const said = page.locator(`[id="${await field.getAttribute('aria-describedby')}"]`)
    expect(await said.textContent()).toContain('match.operationId')
    await expectAccessible(page, 'a form with an error')
    await field.fill('getCustomerById')
    await page.getByRole('button', { name: 'Let it fail' }).click()
    await page.locator('.trouble').waitFor({ state: 'detached' })
    await expect.poll(() => field.getAttribute('aria-invalid')).toBeNull()
  })

  it('leads from /console/go to the page of an id', async () => {
    const platform = await at.server.platform()
    const { id } = await pay(platform)
    const page = await at.openAs(platform, '')
    await page.goto(`${at.origin}/console/go/${encodeURIComponent(id)}`)
    await page.getByRole('heading', { level: 2, name: 'Facts' }).waitFor()
    expect(decodeURIComponent(page.url())).toMatch(new RegExp(`/sandbox/payments/${id}$`))
    await page.goto(`${at.origin}/console/go/Nothing%3A1`)
    await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
  })
})
