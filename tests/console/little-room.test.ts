import {
  createCustomer,
  createQuote,
  execute,
  fund,
  must,
  operatorKey,
  quoteBody,
} from '@corridor/testkit/index.ts'
import type { Locator, Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { phone } from '../browser/browser.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type Platform,
  shoot,
} from './opened-console.ts'
import { createPayer } from './payer.ts'

describeConsole('rows where there is little room', (at) => {
  const opened = (platform: Platform, path: string, size?: { width: number; height: number }) =>
    at.openAs(platform, path, size)

  /** A payment of 100.00 USD out of 5,000.00. */
  async function paid(platform: Platform, ending: string) {
    const api = at.server.client(platform)
    const { customer, account, payee } = await createPayer(api, ending)
    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    await execute(api, quote.id)
    await at.server.settle()
    return { api, customer, account, payee, quote }
  }

  /** All of it is on the screen, and nothing stands over its middle or cuts its edges off. */
  async function expectWhole(what: Locator) {
    await what.scrollIntoViewIfNeeded()
    const lost = () =>
      what.evaluate((element) => {
        const { left, right, top, bottom, width } = element.getBoundingClientRect()
        const y = (top + bottom) / 2
        const at = (x: number) => {
          const hit = document.elementFromPoint(x, y)
          return hit !== null && (element.contains(hit) || hit.contains(element))
        }
        const found: string[] = []
        if (width === 0) found.push('is not drawn')
        if (left < 0 || right > innerWidth) found.push('beside the screen')
        for (let box = element.parentElement; box; box = box.parentElement) {
          const { overflowX, overflowY } = getComputedStyle(box)
          if (overflowX === 'visible' && overflowY === 'visible') continue
          const edge = box.getBoundingClientRect()
          if (
            left < edge.left - 1 ||
            right > edge.right + 1 ||
            top < edge.top - 1 ||
            bottom > edge.bottom + 1
          )
            found.push(`cut by ${box.tagName}.${box.className}`)
        }
        for (const x of [left + 2, (left + right) / 2, right - 2]) if (!at(x)) found.push(`covered at ${x}`)
        return found
      })
    // With its own letters, once they are read.
    await expect.poll(lost).toEqual([])
  }

  it('keeps of several amounts the one that matters, and names each', async () => {
    const platform = await at.server.platform()
    await paid(platform, '678')
    const page = await opened(platform, 'ledger', phone)
    const rows = page.getByRole('region', { name: 'Accounts of the ledger' }).locator('tbody tr')
    const balance = rows.filter({ hasText: 'avail …' }).locator('.rest').first()
    await expect.poll(() => balance.innerText()).toMatch(/^Balance\s+−?4,900\.00 USD/)
    expect(await balance.innerText()).not.toMatch(/Debits|Credits/)
    await shoot(page, 'ledger-360')
    await goTo(page, page.url().replace(/ledger.*/, 'accounts'))
    const account = page.getByRole('region', { name: 'Accounts of customers' }).locator('tbody .rest').first()
    await expect.poll(() => account.innerText()).toMatch(/^Available\s+4,900\.00 USD\s+Total\s+4,900\.00 USD/)
    await expectWhole(account.getByText('4,900.00 USD').last())
    await shoot(page, 'accounts-360')
    await expectNoSidewaysScroll(page, 'accounts')
    await expectAccessible(page, 'accounts on a phone')
  })

  it('shows beside a failure that the money came back', async () => {
    const platform = await at.server.platform()
    await paid(platform, '004')
    const page = await opened(platform, 'payments?type=OUTGOING', phone)
    const row = page.getByRole('region', { name: 'Payments' }).locator('tbody tr').first()
    await expectWhole(row.locator('.status.bad'))
    await expectWhole(row.locator('.status.info', { hasText: 'Refunded' }))
    await shoot(page, 'payments-failed-360')
  })

  it('shows how a request was answered, however long its path is', async () => {
    const platform = await at.server.platform()
    const { api } = await paid(platform, '678')
    await api.GET(
      '/customers/{customerId}' as never,
      {
        params: { path: { customerId: 'Customer:00000000-0000-7000-8000-00000000000a' } },
      } as never,
    )
    const page = await opened(platform, 'requests', phone)
    const row = page.locator('tbody tr').filter({ hasText: '404' }).first()
    await expectWhole(row.locator('.status'))
    await shoot(page, 'requests-360')
  })

  it('has buttons in rows that a finger can press, and their question in full', async () => {
    const platform = await at.server.platform()
    const page = await opened(platform, 'settings', phone)
    const rows = page.getByRole('region', { name: 'Tokens' }).locator('tbody tr')
    const revoke = rows.first().getByRole('button', { name: 'Revoke' })
    await expectWhole(revoke)
    expect((await revoke.boundingBox())!.height).toBeGreaterThanOrEqual(32)
    await shoot(page, 'tokens-360')
    await revoke.click()
    await expectWhole(rows.first().getByRole('button', { name: 'No', exact: true }))
    await expectWhole(rows.first().getByRole('button', { name: /^Revoke .* for good/ }))
    await shoot(page, 'tokens-asked-360')
  })

  it('says by which clock it is, on a phone as well', async () => {
    const platform = await at.server.platform()
    const page = await opened(platform, 'payments', phone)
    const clock = page.locator('.top .clock')
    await expectWhole(clock)
    expect((await clock.innerText()).trim()).toMatch(/^\d\d:\d\d/)
    await expectNoSidewaysScroll(page, 'the header with the clock')
    await expectAccessible(page, 'the header with the clock')
  })

  it('shows of an event what it is about, and beside what is open how its name ends', async () => {
    const platform = await at.server.platform()
    const { quote } = await paid(platform, '678')
    const page = await opened(platform, 'webhooks')
    const cell = page
      .locator('tbody td')
      .filter({ hasText: `…${quote.transactionId.slice(-6)}` })
      .first()
    await cell.waitFor()
    const isCut = (of: Locator) => of.evaluate((element) => element.scrollWidth > element.clientWidth)
    await expect.poll(() => isCut(cell)).toBe(false)
    await shoot(page, 'webhooks-1280')
    await page.locator('tbody a').first().click()
    await page.getByRole('link', { name: 'Open page' }).waitFor()
    const name = page
      .locator('tbody td.event > span')
      .filter({ hasText: 'OUTGOING_PAYMENT.COMPLETED' })
      .first()
    const ends = () =>
      name.evaluate((element) => {
        const range = document.createRange()
        const text = element.lastChild!
        range.setStart(text, text.textContent!.length - 4)
        range.setEnd(text, text.textContent!.length)
        const end = range.getBoundingClientRect()
        const box = element.closest('td')!.getBoundingClientRect()
        return end.right <= box.right && end.left >= box.left
      })
    await expect.poll(ends).toBe(true)
    await shoot(page, 'webhooks-beside')
    await expectAccessible(page, 'events beside one')
  })

  it('draws an exchange only where there is one', async () => {
    const platform = await at.server.platform()
    await paid(platform, '678')
    const page = await opened(platform, 'payments')
    const row = (text: string) =>
      page.getByRole('region', { name: 'Payments' }).locator('tbody tr').filter({ hasText: text }).first()
    const diamond = /M24 8l5-5 5 5-5 5z/
    await row('100.00 USD').waitFor()
    expect(await row('GBP').locator('.corridor path').first().getAttribute('d')).toMatch(diamond)
    expect(await row('5,000.00 USD').locator('.corridor path').first().getAttribute('d')).not.toMatch(diamond)
  })

  const small = { width: 320, height: 740 }
  const rowsOf = (page: Page, name: string) =>
    page.getByRole('region', { name, exact: true }).locator('tbody tr:not(.spacer)')
  const said = async (row: Locator) => (await row.innerText()).replace(/\s+/g, ' ').trim()
  /** The rows that are not drawn count on it. */
  const expectAsHigh = (rows: Locator) =>
    expect
      .poll(
        async () =>
          new Set(await rows.evaluateAll((all) => all.map((row) => row.getBoundingClientRect().height))),
      )
      .toEqual(new Set([60]))

  it('says on a phone what a figure, a moment and a yes or no are of, and nothing of what there is not', async () => {
    const platform = await at.server.platform()
    const { api, customer } = await paid(platform, '004')
    await must(api.POST('/verifications', { body: { customerId: customer.id } }))
    const page = await opened(platform, 'verifications', small)
    const verification = rowsOf(page, 'Verifications').first()
    await expect.poll(() => said(verification)).toMatch(/ To resolve \d/)
    await expectWhole(verification.locator('td').nth(1).locator('time'))
    await expectAsHigh(rowsOf(page, 'Verifications'))
    await shoot(page, 'verifications-320')
    await goTo(page, page.url().replace(/verifications.*/, 'ledger'))
    const journals = rowsOf(page, 'Journals of the latest payments')
    await expect.poll(() => said(journals.last())).toMatch(/Postings \d$/)
    await expect.poll(() => said(journals.filter({ hasText: 'by ' }).first())).toMatch(/ reversed by “\w+/)
    expect(await journals.getByText('—').count()).toBe(0)
    await expect
      .poll(() => said(rowsOf(page, 'Accounts of the ledger').first()))
      .toMatch(/ Rule, less held \S/)
    await expectAsHigh(journals)
    await shoot(page, 'journals-320')
    await goTo(page, page.url().replace(/ledger.*/, 'rates'))
    await expect
      .poll(() => said(rowsOf(page, 'Exchange rates').first()))
      .toMatch(/^From \w{3} Sent for one received, fees included [\d.]+ To \w{3} Rail \w+ As of \d/)
    await expectWhole(rowsOf(page, 'Exchange rates').first().locator('.rate'))
    await expectAsHigh(rowsOf(page, 'Exchange rates'))
    await shoot(page, 'rates-320')
    await expectAccessible(page, 'rates at 320 pixels')
    const staff = await at.openAsOperator('/operator/staff', { key: operatorKey, size: phone })
    const session = rowsOf(staff, 'Sessions').first()
    await expect.poll(() => said(session)).toMatch(/ Since \d+ .* Last used \d+ /)
    await shoot(staff, 'staff-360')
    await expectWhole(session.locator('.rest time').last())
    await expectAsHigh(rowsOf(staff, 'Sessions'))
    await expectAccessible(staff, 'staff on a phone')
    await goTo(staff, staff.url().replace(/staff.*/, 'platforms'))
    await expect.poll(() => said(rowsOf(staff, 'Platforms').first())).toMatch(/ Regulated no/)
    await shoot(staff, 'platforms-360')
  })

  it('shows two states and both amounts of a payment whole, however narrow it is', async () => {
    const platform = await at.server.platform()
    const { api, account } = await paid(platform, '003')
    await fund(api, account.id, 100_000_000_000)
    await at.server.settle()
    await at.server.advance(platform, 61_000)
    await at.server.settle()
    const page = await opened(platform, 'payments', small)
    const rows = rowsOf(page, 'Payments')
    const late = rows.filter({ hasText: 'Overdue' })
    await expectWhole(late.locator('.status.wait'))
    await expectWhole(late.locator('.status.attention'))
    const large = rows.filter({ hasText: '1,000,000,000.00 USD' }).locator('.whole')
    expect(await large.count()).toBe(2)
    await expectWhole(large.first())
    await expectWhole(large.last())
    await expectAsHigh(rows)
    await shoot(page, 'payments-320')
    await expectAccessible(page, 'payments at 320 pixels')
    await page.getByText('More filters').click()
    const room = () =>
      page.getByLabel('From this amount').evaluate((element) => {
        const field = element as HTMLInputElement
        const { font, paddingInlineStart, paddingInlineEnd } = getComputedStyle(field)
        const canvas = document.createElement('canvas').getContext('2d')!
        canvas.font = font
        const taken = Number.parseFloat(paddingInlineStart) + Number.parseFloat(paddingInlineEnd)
        // As in two columns on a phone.
        return 150 - taken - canvas.measureText(field.placeholder).width
      })
    await expect.poll(room).toBeGreaterThan(0)
  })

  /** Of rows in which the name of the attempts is seen, and how they went is not. */
  const cutAttempts = (rows: Locator) =>
    rows.evaluateAll((all) =>
      all.flatMap((row) => {
        const { bottom } = row.querySelector('.rest')!.getBoundingClientRect()
        const marks = row.querySelector('span.attempts')!
        const name = marks.parentElement!.querySelector('small')!
        const isSeen = name.getBoundingClientRect().bottom <= bottom + 1
        return isSeen && marks.getBoundingClientRect().bottom > bottom + 1 ? [row.textContent] : []
      }),
    )

  it('shows amounts beside a button whole, with the state of the account', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api, { currencies: ['USD', 'BTC', 'USDB'] })
    const page = await opened(platform, `customers/${encodeURIComponent(id)}`, phone)
    const rows = rowsOf(page, 'Balances')
    const bitcoin = rows.filter({ hasText: 'BTC' })
    await bitcoin.waitFor()
    await shoot(page, 'balances-360')
    for (const size of [phone, small]) {
      await page.setViewportSize(size)
      for (const row of await rows.all()) {
        await expectWhole(row.locator('.whole .money').first())
        await expectWhole(row.locator('.status'))
        await expectWhole(row.getByRole('button'))
      }
      await expectWhole(bitcoin.locator('.whole .money').nth(1))
      await expectAsHigh(rows)
    }
    await shoot(page, 'balances-320')
    await expectAccessible(page, 'balances at 320 pixels')
  })

  it('keeps the lines of a sentence together around its links, and moments and links in one line', async () => {
    const platform = await at.server.platform()
    await paid(platform, '678')
    const page = await opened(platform, '', phone)
    await page.locator('.story').getByText('Open payment').waitFor()
    const link = page.getByRole('link', { name: 'How to get the command' })
    await link.waitFor()
    await shoot(page, 'home-360')
    expect((await link.boundingBox())!.height).toBeGreaterThanOrEqual(44)
    // From one line to the next, of each sentence.
    const apart = () =>
      page.locator('.steps li > span').evaluateAll((sentences) =>
        sentences.flatMap((sentence) => {
          const words = document.createTreeWalker(sentence, NodeFilter.SHOW_TEXT)
          const tops: number[] = []
          while (words.nextNode()) {
            const range = document.createRange()
            range.selectNodeContents(words.currentNode)
            tops.push(...[...range.getClientRects()].filter(({ width }) => width > 0).map(({ top }) => top))
          }
          tops.sort((a, b) => a - b)
          return tops.slice(1).map((top, index) => top - tops[index]!)
        }),
      )
    await expect.poll(async () => Math.max(...(await apart()))).toBeLessThan(24)
    const broken = () =>
      page
        .locator('.story time, .story > a')
        .evaluateAll((all) =>
          all
            .filter((each) => new Set([...each.getClientRects()].map(({ top }) => Math.round(top))).size > 1)
            .map((each) => each.textContent),
        )
    await expect.poll(broken).toEqual([])
    await expectNoSidewaysScroll(page, 'home on a phone')
    await expectAccessible(page, 'home on a phone')
  })

  it('shows the names of events and of banks whole, on a phone and beside the other columns', async () => {
    const platform = await at.server.platform()
    await paid(platform, '004')
    const page = await opened(platform, '', small)
    await page.route('**/webhook-events?*', async (route) => {
      const response = await route.fetch()
      const { data, ...more } = (await response.json()) as { data: object[] }
      const latestAttempts = [{ at: '2026-01-01T00:00:00.000Z', status: 200, error: null }]
      const tried = data.map((each) => ({ ...each, attempts: 1, latestAttempts }))
      await route.fulfill({ response, json: { ...more, data: tried } })
    })
    await goTo(page, `${new URL(page.url()).pathname}/webhooks`)
    const rows = rowsOf(page, 'Events')
    const refunded = rows.filter({ hasText: 'OUTGOING_PAYMENT.REFUND_COMPLETED' }).first()
    await refunded.waitFor()
    await shoot(page, 'webhooks-320')
    await expectWhole(refunded.getByTitle('OUTGOING_PAYMENT.REFUND_COMPLETED'))
    // What is named is said beside its name.
    await rows.locator('span.attempts').first().waitFor()
    await expect.poll(() => cutAttempts(rows)).toEqual([])
    await expectAsHigh(rows)
    await expectAccessible(page, 'events at 320 pixels')
    await goTo(page, page.url().replace(/webhooks.*/, 'network'))
    const banks = rowsOf(page, 'Banks for accounts')
    await banks.first().waitFor()
    const cut = () =>
      banks
        .locator('td:first-child')
        .evaluateAll((cells) =>
          cells
            .filter((cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight)
            .map((cell) => cell.textContent),
        )
    await expect.poll(cut).toEqual([])
    await expectAsHigh(banks)
    await shoot(page, 'network-320')
    await expectAccessible(page, 'banks at 320 pixels')
    const wide = await opened(platform, 'webhooks', { width: 1280, height: 800 })
    const name = wide.getByTitle('OUTGOING_PAYMENT.REFUND_COMPLETED').first()
    await name.waitFor()
    const room = () =>
      name.evaluate((element) => {
        element.textContent = 'OUTGOING_PAYMENT.PENDING_AUTHORIZATION'
        const cell = element.closest('td')!
        return cell.getBoundingClientRect().right - 8 - element.getBoundingClientRect().right
      })
    await expect.poll(room).toBeGreaterThanOrEqual(0)
  })
})
