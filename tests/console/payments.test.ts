import { readFileSync } from 'node:fs'
import { createQuote, execute, must, operatorKey, quoteBody } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { phone } from '../browser/browser.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  listening,
  type Platform,
  shoot,
} from './opened-console.ts'
import { createPayer } from './payer.ts'

describeConsole('the pages of payments', (at) => {
  /** A payment of 1,000.00 USD to pounds; the end of the payee's number decides what becomes of it. */
  async function paid(platform: Platform, ending: string) {
    const api = at.server.client(platform)
    const { customer, account, payee } = await createPayer(api, ending)
    const quote = await createQuote(api, quoteBody(account, payee, 100_000))
    await execute(api, quote.id)
    await at.server.settle()
    return { ...quote, api, account, payee, customer }
  }

  const list = (page: Page) => page.getByRole('region', { name: 'Payments' })

  it('says in the row why a payment failed, and to whom it went', async () => {
    const platform = await at.server.platform()
    const { api, account, payee } = await paid(platform, '004')
    for (const _ of [1, 2]) await execute(api, (await createQuote(api, quoteBody(account, payee, 1_000))).id)
    await at.server.settle()
    const page = await at.openAs(platform, 'payments')
    const names = list(page).getByText(/^Greta L\. …5004$/)
    // What is asked for before it is loaded anew is none of what is counted.
    await names.first().waitFor()
    const lists: string[] = []
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.url().includes('/transactions?')) lists.push(request.url())
      if (request.url().includes('/external-accounts')) asked.push(request.url())
    })
    await page.reload()
    await expect.poll(() => names.count()).toBe(3)
    // Each time the page reads the list it reads the names once for all rows of a customer.
    expect(asked[0]).toContain('customerId=')
    expect(asked.length).toBeLessThanOrEqual(lists.length)
    const row = list(page).locator('tbody tr').first()
    await row.locator('.why').waitFor()
    expect((await row.locator('.why').innerText()).trim()).toBe('bank rejected')
    expect(await row.locator('.why').getAttribute('title')).toContain('the account cannot receive it')
    await row.getByTitle(payee.id).waitFor()
    await shoot(page, 'payments-1280')
    await expectAccessible(page, 'payments')
  })

  it('says in the row until when a payment is expected by the clock of the platform, and then that it is overdue', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '003')
    const page = await at.openAs(platform, 'payments?type=OUTGOING')
    const row = list(page).locator('tbody tr').first()
    await row.getByText(/^≤ (1 min|\d\d s)$/).waitFor()
    expect(await row.locator('.status').allInnerTexts()).toEqual([' Processing'])
    await at.server.advance(platform, 61_000)
    await at.server.settle()
    await page.reload()
    await row.locator('.status.attention').getByText('Overdue').waitFor()
    expect(await row.getByText('≤').count()).toBe(0)
    await shoot(page, 'payments-overdue-1280')
    await expectAccessible(page, 'payments that are overdue')
    await page.goto(page.url().replace(/payments.*/, pageOf(transactionId)))
    const story = page.locator('.story')
    await story.locator('.status.attention').getByText('Overdue').waitFor()
    await story.getByText(/It has been overdue since/).waitFor()
    await shoot(page, 'payment-overdue-1280')
    await page.locator('html').evaluate((root) => root.setAttribute('data-theme', 'dark'))
    await shoot(page, 'payment-overdue-1280-dark')
    const small = await at.openAs(platform, 'payments?type=OUTGOING', phone)
    await list(small).locator('.status.attention').getByText('Overdue').waitFor()
    await shoot(small, 'payments-overdue-360')
    await expectNoSidewaysScroll(small, 'payments that are overdue')
  })

  it('finds the payments of an account, and those of cards, by filters in the address', async () => {
    const platform = await at.server.platform()
    const { payee } = await paid(platform, '678')
    await paid(platform, '678')
    const page = await at.openAs(platform, 'payments')
    await page.locator('.count').getByText('4 in all').waitFor()
    await page.getByLabel('Account id or UMA address').fill(payee.id)
    await page.keyboard.press('Enter')
    await page.locator('.count').getByText('1 of 4').waitFor()
    await page.getByRole('button', { name: 'Drop the filters' }).click()
    await page.getByLabel('Type').selectOption('CARD')
    await page.getByText('Nothing matches these filters.').waitFor()
  })

  it('exports what the filters leave, with exact amounts', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    const page = await at.openAs(platform, 'payments?type=OUTGOING')
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
    await page.getByText('1 row exported.').waitFor()
  })

  it('marks rows by the space bar and by a box, and exports what is marked', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    await paid(platform, '004')
    const page = await at.openAs(platform, 'payments?type=OUTGOING')
    await page.locator('.count').getByText('2 of 4').waitFor()
    await page.keyboard.press('j')
    await page.keyboard.press('j')
    await page.keyboard.press('Space')
    await page.getByText('One selected').waitFor()
    expect(await page.getByRole('checkbox', { name: `Select ${transactionId}` }).isChecked()).toBe(true)
    await shoot(page, 'payments-marked')
    await expectAccessible(page, 'payments that are marked')
    const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('x')])
    expect(download.suggestedFilename()).toMatch(/-sandbox-selected\.csv$/)
    const [, ...lines] = readFileSync(await download.path(), 'utf8')
      .trim()
      .split('\r\n')
    expect(lines).toHaveLength(1)
    expect(lines[0]).toContain(transactionId)
    await page.getByRole('checkbox').first().check()
    await page.getByText('2 selected').waitFor()
    await page.getByRole('button', { name: 'Select none' }).click()
    await page.getByText('2 selected').waitFor({ state: 'detached' })
    // Rows that are not drawn count on this height.
    expect((await list(page).locator('tbody tr').first().boundingBox())!.height).toBeLessThanOrEqual(37)
  })

  it('turns the order round, which the address keeps', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    await at.server.pass(1_000)
    await paid(platform, '004')
    const page = await at.openAs(platform, 'payments?type=OUTGOING')
    const created = page.getByRole('columnheader', { name: 'Created' })
    await created.waitFor()
    expect(await created.getAttribute('aria-sort')).toBe('descending')
    await created.getByRole('button').click()
    await page.waitForURL(/sortOrder=asc/)
    const first = list(page).locator('tbody tr').first()
    await first.locator(`a[href$="${encodeURIComponent(transactionId)}"]`).waitFor()
    await page.reload()
    await first.locator(`a[href$="${encodeURIComponent(transactionId)}"]`).waitFor()
    expect(await created.getAttribute('aria-sort')).toBe('ascending')
  })

  it('has a view of what is stuck, with how many, and finds payments by reason, currency and amount', async () => {
    const platform = await at.server.platform()
    const { api } = await paid(platform, '004')
    const body = { target: 'RAIL', kind: 'SILENCE' } as never
    await must(api.POST('/sandbox/faults', { body }))
    const { transactionId } = await paid(platform, '678')
    await at.server.advance(platform, 2 * 3_600_000)
    const page = await at.openAs(platform, 'payments')
    const views = page.getByRole('navigation', { name: 'Saved views' })
    await views.getByRole('link', { name: 'Stuck 1' }).click()
    await page.locator('.count').getByText('1 of 4').waitFor()
    await list(page)
      .locator(`a[href$="${encodeURIComponent(transactionId)}"]`)
      .waitFor()
    await views.getByRole('link', { name: 'Failed today' }).click()
    await list(page).locator('.why').getByText('bank rejected').waitFor()
    await page.locator('.count').getByText('1 of 4').waitFor()
    await views.getByRole('link', { name: 'All', exact: true }).click()
    // Other filters are another form, which opens folded.
    await page.locator('.count').getByText('4 in all').waitFor()
    await page.getByText('More filters').click()
    await page.getByLabel('Reason of failure').selectOption('ACCOUNT_CANNOT_RECEIVE')
    await page.locator('.count').getByText('1 of 4').waitFor()
    await page.getByLabel('Received in').fill('GBP')
    // As people write it: the API has the smallest unit, which the currency says.
    const least = page.getByLabel('From this amount')
    const refusal = () =>
      least.evaluate((field) => (field as unknown as { validationMessage: string }).validationMessage)
    for (const [text, said] of [
      ['much', 'Write it as 100.00 USD.'],
      ['1000.001 USD', '1000.001 is not an amount with at most 2 decimals'],
      ['1 XXX', 'No payments or rates in XXX.'],
    ] as const) {
      await least.fill(text)
      await page.keyboard.press('Enter')
      await expect.poll(refusal).toBe(said)
    }
    await least.fill('1,000.01 USD')
    await page.keyboard.press('Enter')
    await page.getByText('Nothing matches these filters.').waitFor()
    expect(new URL(page.url()).search).toContain('minAmount=100001')
    expect(new URL(page.url()).search).toContain('sentCurrency=USD')
    await expect.poll(() => least.inputValue()).toBe('1,000.01 USD')
    await expectAccessible(page, 'all filters')
    await page.getByRole('button', { name: 'Drop “From this amount: 1,000.01 USD”' }).click()
    await page.locator('.count').getByText('1 of 4').waitFor()
    // The currency stays said.
    await least.fill('1000.00')
    await page.keyboard.press('Enter')
    await page.waitForURL(/minAmount=100000/)
    await page.locator('.count').getByText('1 of 4').waitFor()
    await shoot(page, 'payments-filters')
    await goTo(page, new URL(page.url()).pathname.replace(/payments$/, ''))
    await page.getByRole('link', { name: '1 stuck' }).waitFor()
    await page.getByRole('link', { name: 'The ledger balances' }).waitFor()
  })

  it('has quotes that are still open over the list, until they are executed', async () => {
    const platform = await at.server.platform()
    const { api, account, payee } = await paid(platform, '678')
    const quote = await createQuote(api, quoteBody(account, payee, 12_345))
    const page = await at.openAs(platform, 'payments')
    const open = page.getByRole('region', { name: 'Open quotes' })
    await open.getByRole('link', { name: /^123\.45 USD → \d+\.\d\d GBP/ }).click()
    await page.waitForURL(new RegExp(encodeURIComponent(quote.id)))
    await page.getByRole('button', { name: /^Pay 123\.45 USD and follow/ }).click()
    await page.waitForURL(/\/payments\//)
    await page.getByRole('main').getByRole('link', { name: 'Payments', exact: true }).click()
    await page.locator('.count').getByText('in all').waitFor()
    await open.waitFor({ state: 'detached' })
  })

  it('keeps filters under a name, over a reload, and forgets them', async () => {
    const platform = await at.server.platform()
    await paid(platform, '004')
    const page = await at.openAs(platform, 'payments')
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
    const page = await at.openAs(platform, 'payments?type=OUTGOING', phone)
    // The reason has no room beside what became of the money.
    await list(page).locator('.status.info').waitFor()
    await shoot(page, 'payments-360')
    await expectNoSidewaysScroll(page, 'payments')
  })

  const pageOf = (transactionId: string) => `payments/${encodeURIComponent(transactionId)}`

  it('draws where the money went, walked by arrow keys, with the same as a sentence and a table', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    const page = await at.openAs(platform, pageOf(transactionId))
    const figure = page.locator('.flow-figure')
    const nodes = figure.locator('.node')
    await nodes.first().waitFor()
    expect(await nodes.count()).toBeGreaterThanOrEqual(5)
    expect(await figure.locator('figcaption').innerText()).toMatch(
      /1,000\.00 USD from Account …\w+ to Clearing USD; .*GBP from Exchange to Clearing GBP/,
    )
    await shoot(page, 'payment-1280')
    await nodes.first().focus()
    await page.keyboard.press('ArrowRight')
    await page.locator('.flow-node h3').getByText('Clearing').waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toMatch(/^Clearing USD/)
    await page.locator('.flow-node li').getByText('1,000.00 USD').first().waitFor()
    await page.keyboard.press('ArrowRight')
    await page.locator('.flow-node h3').getByText('Clearing').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'All postings as a table' }).click()
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Postings')
    // What was moved within a payment leads to it, whatever the currency.
    const within = page.locator(':is(.flow-node, .postings) a[href*="payments/Transaction"]')
    const places = await within.evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    expect(new Set(places.map((place) => place!.split('/').at(-1)))).toEqual(
      new Set([encodeURIComponent(transactionId)]),
    )
    await expectAccessible(page, 'a payment')
    await page.locator('html').evaluate((root) => root.setAttribute('data-theme', 'dark'))
    await shoot(page, 'payment-1280-dark')
    await expectAccessible(page, 'a payment in the dark')
  })

  it('has a payment on a phone, without scrolling sideways', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '004')
    const page = await at.openAs(platform, pageOf(transactionId), phone)
    await page.locator('.flow-graph').waitFor()
    await shoot(page, 'payment-360')
    await expectNoSidewaysScroll(page, 'a payment')
  })

  it('says in the timeline who asked and what the rail did', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    const page = await at.openAs(platform, pageOf(transactionId))
    const timeline = page.locator('.timeline')
    await expect.poll(() => page.title()).toMatch(/^Completed · USD→GBP 1,000\.00 · platform-\S+ sandbox$/)
    await timeline.getByText('POST /quotes/{quoteId}/execute returned 200').waitFor()
    await timeline.getByText(/^the payment was handed to/).waitFor()
    await timeline.getByRole('link', { name: /^request …/ }).click()
    await page.waitForURL(/\/requests\//)
  })

  it('says how each attempt to tell of it went, and sends the last again with a key', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    const page = await at.openAs(platform, '')
    await page.route('**/explain/*', async (route) => {
      const response = await route.fetch()
      const told = (await response.json()) as { webhooks: object[] }
      const webhooks = told.webhooks.map((event) => ({ ...event, status: 'DELIVERED', attempts: 3 }))
      await route.fulfill({ response, json: { ...told, webhooks } })
    })
    const attempt = { via: 'endpoint', at: '2025-10-13T09:00:00.000Z', error: null, headers: {} }
    const attemptLog = [
      { ...attempt, attempt: 1, status: 503, milliseconds: 12 },
      { ...attempt, attempt: 2, status: null, error: 'timeout', milliseconds: null },
      { ...attempt, attempt: 3, status: 200, milliseconds: 41 },
      { ...attempt, via: 'listen:lap-1', attempt: 1, status: 200, milliseconds: 3 },
    ]
    await page.route('**/webhook-events/*', (route) => route.fulfill({ json: { attemptLog } }))
    let resent = 0
    await page.route('**/webhook-events/*/resend', (route) => {
      resent++
      return route.fulfill({ status: 200, json: {} })
    })
    await goTo(page, `${new URL(page.url()).pathname}/${pageOf(transactionId)}`)
    const line = page.locator('.timeline .attempts').last()
    await line.getByText('#3 200 41 ms').waitFor()
    expect(await line.innerText()).toBe('#1 503 · #2 no response · #3 200 41 ms')
    await page.getByRole('button', { name: 'Resend (r)' }).waitFor()
    await listening(page)
    await page.keyboard.press('r')
    await expect.poll(() => resent).toBe(1)
  })

  it('folds the time in which nothing happened, and says what the balance was before and after', async () => {
    const platform = await at.server.platform()
    const { api, account, payee } = await paid(platform, '003')
    await at.server.pass(1_000)
    const { id, transactionId } = await createQuote(api, quoteBody(account, payee, 50_000))
    await execute(api, id)
    await at.server.settle()
    await at.server.advance(platform, 10 * 60_000)
    await at.server.settle()
    const page = await at.openAs(platform, pageOf(transactionId))
    await page.locator('.story.ok').waitFor()
    await page
      .locator('.timeline .idle')
      .getByText(/^nothing for (6|10) min/)
      .waitFor()
    const line = page.getByRole('listitem').filter({ hasText: 'could spend' })
    await line.getByText('4,000.00 USD → 3,500.00 USD').waitFor()
    await shoot(page, 'payment-idle')
    await page.evaluate(`scrollTo(0, 9999)`)
    await page.getByRole('button', { name: 'Explain' }).click()
    expect(await page.evaluate('document.activeElement.id')).toBe('explanation')
    await expectAccessible(page, 'a payment that took its time')
  })

  it('cancels a payment that is under way, at a second press that names the amount', async () => {
    const platform = await at.server.platform()
    const { transactionId, api } = await paid(platform, '003')
    const page = await at.openAs(platform, pageOf(transactionId))
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    const confirm = page.getByRole('button', { name: 'Cancel the payment of 1,000.00 USD' })
    await page.getByRole('button', { name: 'No', exact: true }).click()
    await page.getByRole('button', { name: 'Cancel', exact: true }).click()
    await confirm.click()
    // Only once it was answered can nothing be cancelled any more; what is given back then is the server's next step.
    await page.getByRole('button', { name: /^Cancel/ }).waitFor({ state: 'detached' })
    await at.server.settle()
    await page.locator('.story').getByText('the payment was cancelled and refunded').waitFor()
    await page
      .locator('.story.plain')
      .getByText('Cancelled. 1,000.00 USD was not delivered. The money came back.')
      .waitFor()
    // Nothing says that it was completed, as the API calls it: that stands behind the word.
    await page.getByRole('heading', { level: 1, name: /^Cancelled · / }).waitFor()
    const status = page.locator('.facts .status', { hasText: 'Cancelled' })
    expect(await status.getAttribute('title')).toBe('COMPLETED')
    expect(await page.locator('main').getByText('Completed', { exact: true }).count()).toBe(0)
    await expect.poll(() => page.title()).toMatch(/^Cancelled · /)
    await shoot(page, 'payment-cancelled')
    expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0)
    const { data } = await api.GET('/transactions/{transactionId}', { params: { path: { transactionId } } })
    expect(data).toMatchObject({ refund: { reason: 'USER_CANCELLATION' } })
    await goTo(page, page.url().replace(/payments\/.*/, 'payments'))
    const row = list(page).locator('tbody tr').first()
    await row.locator('.status.plain', { hasText: 'Cancelled' }).waitFor()
    expect(await row.locator('.status.ok').count()).toBe(0)
  })

  it('offers no cancelling where nothing can be stopped', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    const page = await at.openAs(platform, pageOf(transactionId))
    await page.locator('.flow-graph').waitFor()
    expect(await page.getByRole('button', { name: 'Cancel', exact: true }).count()).toBe(0)
  })

  it('copies what happened as Markdown for a ticket', async () => {
    const platform = await at.server.platform()
    const { transactionId } = await paid(platform, '678')
    const page = await at.openAs(platform, pageOf(transactionId))
    await page.evaluate(
      `navigator.clipboard.write = async ([item]) => {
         globalThis.copied = await (await item.getType('text/plain')).text()
       }`,
    )
    await page.getByRole('button', { name: 'Copy as Markdown for a ticket' }).click()
    await page.getByRole('status').getByText('copied').waitFor()
    const copied = String(await page.evaluate('globalThis.copied'))
    expect(copied).toContain(`# ${transactionId}`)
    expect(copied).toContain('USD sums to 0')
  })

  it('says to an operator alone that a payment is in the other environment', async () => {
    const platform = await at.server.platform()
    const id = 'Transaction:01930000-0000-7000-8000-000000000000'
    const asked: string[] = []
    const watch = (page: Page) =>
      page.route('**/production/2025-10-13/transactions/*', (route) => {
        asked.push(route.request().url())
        return route.fulfill({ status: 200, json: { id } })
      })
    const theirs = await at.openAs(platform, '')
    await watch(theirs)
    await goTo(theirs, `${new URL(theirs.url()).pathname}/${pageOf(id)}`)
    await theirs.getByRole('alert').getByText('No resource has the id').waitFor()
    expect(await theirs.getByText('It is in production').count()).toBe(0)
    expect(asked).toEqual([])

    const page = await at.open(`/${platform.platformId}/sandbox/${pageOf(id)}`)
    await watch(page)
    await at.signInAsOperator(page, operatorKey)
    await page.getByText('It is in production').waitFor()
    expect(await page.getByRole('link', { name: id }).getAttribute('href')).toBe(
      `/console/${platform.platformId}/production/${pageOf(id)}`,
    )
  })
})
