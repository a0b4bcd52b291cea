import {
  createCustomer,
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  must,
  quoteBody,
} from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { countedOf, happeningOf } from '../../apps/console/src/pages/sandbox/happenings.ts'
import { spanOf } from '../../apps/console/src/pages/sandbox/spans.ts'
import { phone } from '../browser/browser.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type Platform,
  shoot,
} from './opened-console.ts'

it('writes spans in the two largest units that say something', () => {
  const [minute, hour, day] = [60_000, 3_600_000, 86_400_000]
  expect(spanOf(0)).toBe('0 s')
  expect(spanOf(499)).toBe('0 s')
  expect(spanOf(-5)).toBe('0 s')
  expect(spanOf(252_000)).toBe('4 m 12 s')
  expect(spanOf(6 * day + 23 * hour + 59 * minute)).toBe('6 d 23 h')
  expect(spanOf(hour)).toBe('1 h')
  expect(spanOf(day + minute)).toBe('1 d')
})

it('counts what happened as jobs, retries and expiries, and names what is new by its kind', () => {
  const counts = [
    { kind: 'payments.advance', count: 211 },
    { kind: 'webhooks.deliver', count: 41 },
    { kind: 'quotes.expire', count: 2 },
    { kind: 'quotes.expireAuthorization', count: 1 },
    { kind: 'new.kind', count: 1 },
  ]
  expect(countedOf(counts)).toBe('212 jobs, 41 webhook retries, 3 expiries')
  expect(countedOf([{ kind: 'invitations.expire', count: 1 }])).toBe('1 expiry')
  expect(countedOf([])).toBe('')
  expect(happeningOf('quotes.expire')).toBe('quote expires')
  expect(happeningOf('rockets.launch')).toBe('rockets.launch')
})

describeConsole('the controls of the sandbox in a browser', (at) => {
  async function opened(platform: Platform, path: string, size?: { width: number; height: number }) {
    const page = await at.openAs(platform, path, size)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    return page
  }
  const press = (page: Page, name: string | RegExp) =>
    page.getByRole('button', { name, exact: typeof name === 'string' }).click()

  /** A platform with a quote that expires and a payment that takes six minutes. */
  async function withWork() {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { currencies: ['USD'] })
    const usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'USD', '000123456003', { customerId: customer.id })
    const quote = await createQuote(api, quoteBody(usd, payee, 1_000))
    await createQuote(api, quoteBody(usd, payee, 2_000, { immediatelyExecute: true }))
    await at.server.settle()
    return { platform, api, quote }
  }

  it('says what the clock comes to next and in how long, moves it there, and tells what that brought about', async () => {
    const { platform, api, quote } = await withWork()
    const page = await opened(platform, 'sandbox/clock')
    const due = page.getByRole('list', { name: 'Due next' }).getByRole('listitem')
    await due
      .filter({ hasText: 'quote expires' })
      .getByText(`Quote …${quote.id.slice(-6)}`)
      .waitFor()
    await due.filter({ hasText: 'payment goes on' }).waitFor()
    await press(page, /^To the next event: quote expires, in (5 m|4 m \d+ s)$/)
    const told = page.getByRole('status').filter({ hasText: 'Advanced' })
    await told.getByText(/^Advanced (5 m|4 m \d+ s) in \d+\.\d s: ran 1 expiry\.$/).waitFor()
    await told.getByText('what happened').click()
    await told.getByRole('link', { name: `Quote …${quote.id.slice(-6)}` }).waitFor()
    const { quoteId } = { quoteId: quote.id }
    expect(await must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId } } }))).toMatchObject({
      status: 'EXPIRED',
    })
    await page.getByText(/ahead of real time/).waitFor()

    await due.filter({ hasText: 'payment goes on' }).getByRole('button', { name: 'Advance to it' }).click()
    await told.getByText(/: ran \d+ jobs?\.$/).waitFor()
    await page.getByText('Nothing is due.').waitFor()
    await press(page, 'To the next event')
    await told.getByText(/^Advanced 0 s in \d+\.\d s: nothing was due\.$/).waitFor()
    await expectAccessible(page, 'the clock')
  }, 120_000)

  it('folds what is due later', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { currencies: ['USD'] })
    const usd = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, usd.id, 100_000)
    const payee = await createPayee(api, 'USD', '000123456789', { customerId: customer.id })
    for (let made = 0; made < 7; made++) await createQuote(api, quoteBody(usd, payee, 100 + made))
    const page = await opened(platform, 'sandbox/clock')
    await page.getByText('2 more', { exact: true }).click()
    const later = page.getByRole('list', { name: 'Due later' }).getByRole('listitem')
    await later.first().waitFor()
    expect(await later.count()).toBe(2)
  }, 120_000)

  it('has a scenario for each outcome of the simulated rails', async () => {
    const page = await opened(await at.server.platform(), 'sandbox/scenarios')
    for (const name of [
      'It arrives',
      'It takes six minutes',
      'The delivery fails',
      'The bank sends it back',
      'It cannot be executed',
      'It is cancelled',
      'Delivery and refund fail',
      'The customer has to authorize it',
    ]) {
      await page.getByRole('button', { name, exact: true }).waitFor()
    }
    await press(page, 'It cannot be executed')
    await page.waitForURL(/\/payments\/Transaction/)
    await at.server.settle()
    await page.reload()
    await page.getByText('Failed', { exact: true }).first().waitFor()
    await goTo(page, new URL(page.url()).pathname.replace(/\/payments\/.*/, '/sandbox/scenarios'))
    await press(page, 'The customer has to authorize it')
    await page.waitForURL(/\/quotes\/Quote/)
  }, 120_000)

  it('makes fail what fails most often, says how often it hit, and ends it there and in the list', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const page = await opened(platform, 'sandbox')
    await page.getByText('No faults.').waitFor()
    for (const name of ['Duplicate', 'Out of order', 'Outage', 'Bank is silent', 'Lost answer', 'Latency']) {
      await press(page, name)
    }
    const list = page.getByRole('list', { name: 'Fault injection' }).getByRole('listitem')
    await list.filter({ hasText: 'LATENCY' }).getByText('until you delete it · no hits yet').waitFor()
    await list.filter({ hasText: 'LOST_ANSWER' }).getByText('operationId executeQuote · 1 left').waitFor()
    await page.getByRole('link', { name: 'All 6, and others' }).waitFor()
    await page.getByRole('button', { name: 'End LATENCY' }).click()
    await list.filter({ hasText: 'LATENCY' }).waitFor({ state: 'detached' })
    await page
      .getByRole('link', { name: 'All 5' })
      .or(page.getByRole('link', { name: 'Other operations' }))
      .click()
    const row = page.getByRole('row').filter({ hasText: 'SILENCE' })
    await row.getByRole('button', { name: 'End SILENCE' }).click()
    await row.waitFor({ state: 'detached' })
    await page.getByLabel('Probability, from 0 to 1').fill('0.5')
    await page.getByLabel('Seed of the random choice').fill('7')
    await page.getByLabel('End on the sandbox clock').fill('2999-01-01T00:00:00Z')
    await page.getByLabel('In what way').selectOption('REFUSED')
    await press(page, 'Let it fail')
    await page.getByRole('row').filter({ hasText: 'REFUSED' }).getByRole('link').click()
    await page.getByText('1 Jan 2999').waitFor()
    const { data } = await must(api.GET('/sandbox/faults'))
    expect(data[0]).toMatchObject({ kind: 'REFUSED', probability: 0.5, seed: '7' })
    await page.goBack()
    await press(page, 'End all')
    await press(page, 'Yes, delete all faults')
    await page.getByText('No faults.').waitFor()
  }, 120_000)

  it('shows the newest messages with their codes', async () => {
    const page = await opened(await at.server.platform(), 'sandbox')
    await page.getByText('No messages yet.').waitFor()
    await press(page, 'Send a code')
    const line = page.getByRole('list', { name: 'Newest messages' }).getByRole('listitem')
    await line.getByText('E-mail to greta@example.com').waitFor()
    await line.getByRole('button', { name: 'Copy code 123456' }).click()
    await line.getByText('copied').waitFor()
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe('123456')
    await page.getByRole('link', { name: 'All messages (1)' }).click()
    await page.getByRole('heading', { level: 1, name: 'Inbox' }).waitFor()
  }, 120_000)

  it.each(['light', 'dark', 'phone'] as const)(
    'is accessible and fits (%s)',
    async (look) => {
      const { platform } = await withWork()
      const page = await opened(platform, '', look === 'phone' ? phone : undefined)
      await page.evaluate(`localStorage.setItem('corridor.theme', '${look === 'dark' ? 'dark' : 'light'}')`)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      const base = new URL(page.url()).pathname
      await goTo(page, `${base}/sandbox`)
      await press(page, 'Latency')
      await page.getByRole('button', { name: 'End LATENCY' }).waitFor()
      await press(page, /^To the next event/)
      await page.getByText('what happened').click()
      for (const path of ['sandbox', 'sandbox/clock', 'sandbox/scenarios', 'sandbox/faults']) {
        if (path !== 'sandbox') await goTo(page, `${base}/${path}`)
        await page.locator('main h1').waitFor()
        await page.locator('main:not(:has(.skeleton))').waitFor()
        await shoot(page, `${path.replace('/', '-')}-controls-${look}`)
        await expectAccessible(page, `${path}, ${look}`)
        await expectNoSidewaysScroll(page, path)
      }
    },
    120_000,
  )
})
