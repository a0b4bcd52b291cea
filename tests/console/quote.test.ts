import { createQuote, quoteBody } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
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

describeConsole('a quote in the console', (at) => {
  async function payer(
    platform: Platform,
    ...how: [ending: string, more?: { region: string; currency: string }]
  ) {
    const api = at.server.client(platform)
    return { api, ...(await createPayer(api, ...how)) }
  }

  async function expectFits(page: Page, name: string) {
    await shoot(page, name)
    await expectAccessible(page, name)
    await page.setViewportSize(phone)
    await expectNoSidewaysScroll(page, name)
    await shoot(page, `${name}-phone`)
  }

  it('is the same as code while it is typed, with what would arrive or be sent and what the sandbox makes of it', async () => {
    const platform = await at.server.platform()
    const { account, payee } = await payer(platform, '003')
    const page = await at.openAs(platform, 'quotes/new')
    await page.getByText('ends in 003: the payment completes after about 6 minutes').waitFor()
    const code = page.getByRole('region', { name: 'As code' })
    await page.getByLabel('Amount, as').fill('12.34')
    await code.getByText('"lockedCurrencyAmount":1234').waitFor()
    const curl = await code.locator('pre').innerText()
    expect(curl).toContain(`'${at.origin}/2025-10-13/quotes'`)
    expect(curl).toContain(account.id)
    expect(curl).toContain(payee.id)
    expect(curl).toContain('"$CORRIDOR_CLIENT_ID:$CORRIDOR_CLIENT_SECRET"')
    const preview = page.getByText(/^12\.34 USD, less fees of \d+\.\d\d USD, delivers about \d+\.\d\d GBP/)
    const told = await preview.innerText()
    // Exactly what a quote agrees then.
    const agreed = await createQuote(at.server.client(platform), quoteBody(account, payee, 1_234))
    const [, fee, received] = /less fees of ([\d.]+) USD, delivers about ([\d.]+) GBP/.exec(told)!
    expect([fee, received]).toEqual(
      [agreed.feesIncluded, agreed.totalReceivingAmount].map((minor) => (minor / 100).toFixed(2)),
    )
    await code.getByRole('button', { name: 'TypeScript', exact: true }).click()
    await code.getByText('lockedCurrencyAmount: 1234').waitFor()
    await code.getByRole('button', { name: 'CLI', exact: true }).click()
    await code.getByText('corridor quotes create --data').waitFor()
    await page.getByLabel('Which amount is exact').selectOption('RECEIVING')
    const back = page.getByText(
      /^To deliver 12\.34 GBP, the sender pays about \d+\.\d\d USD, including fees of \d+\.\d\d USD/,
    )
    const toldBack = await back.innerText()
    const exact = { lockedCurrencySide: 'RECEIVING' } as const
    const agreedBack = await createQuote(at.server.client(platform), quoteBody(account, payee, 1_234, exact))
    const [, sentFor, feeIn] = /pays about ([\d.]+) USD, including fees of ([\d.]+) USD/.exec(toldBack)!
    expect([sentFor, feeIn]).toEqual(
      [agreedBack.totalSendingAmount, agreedBack.feesIncluded].map((minor) => (minor / 100).toFixed(2)),
    )
    await code.getByText('"lockedCurrencySide": "RECEIVING"').waitFor()
    // Of nothing, and of more than anybody can send, nothing is said: the quote says why there is none.
    for (const none of ['0', '89999999999999.99']) {
      await page.getByLabel('Amount, as').fill(none)
      await expect.poll(() => page.locator('.beside form ~ p:not(.muted)').count()).toBe(0)
      await expect.poll(() => page.getByText('…', { exact: true }).count()).toBe(0)
    }
    await page.getByLabel('Amount, as').fill('12.34')
    await back.waitFor()
    await expectFits(page, 'quote-builder')
  })

  it('pays nobody else where the address names a payee or an account that is not here', async () => {
    const platform = await at.server.platform()
    const { customer } = await payer(platform, '678')
    const elsewhere = '0199dccc-0000-7000-8000-00000000abcd'
    const page = await at.openAs(
      platform,
      `quotes/new?customerId=${customer.id}&to=ExternalAccount:${elsewhere}&amount=10`,
    )
    const chosen = (nth: number) => page.locator('select').nth(nth).locator('option:checked')
    await expect.poll(() => chosen(1).textContent()).toBe('None of these: …00abcd')
    expect(await page.getByRole('button', { name: 'Get a quote' }).isDisabled()).toBe(true)
    await page.locator('select').nth(1).selectOption({ index: 1 })
    await expect.poll(() => page.getByRole('button', { name: 'Get a quote' }).isDisabled()).toBe(false)
    const home = new URL(page.url()).pathname.replace(/\/quotes.*/, '')
    await goTo(page, `${home}/payments`)
    await page.getByRole('heading', { level: 1, name: 'Payments' }).waitFor()
    await goTo(page, `${home}/quotes/new?from=InternalAccount:${elsewhere}`)
    await expect.poll(() => chosen(0).textContent()).toBe('Not found, or without money: …00abcd')
  })

  it('says of an amount that cannot be what is wrong with it', async () => {
    const platform = await at.server.platform()
    await payer(platform, '678')
    const page = await at.openAs(platform, 'quotes/new')
    const amount = page.getByLabel('Amount, as')
    for (const [text, says] of [
      ['0', 'Enter an amount above 0.'],
      ['99999999999999999999', 'is more than an amount can be'],
    ] as const) {
      await amount.fill(text)
      await page.getByRole('button', { name: 'Get a quote' }).click()
      await page.getByText(says).waitFor()
    }
  })

  it('counts down, and once it has expired asks for the same again', async () => {
    const platform = await at.server.platform()
    const { api, account, payee } = await payer(platform, '678')
    const quote = await createQuote(api, quoteBody(account, payee, 123_456))
    const page = await at.openAs(platform, `quotes/${encodeURIComponent(quote.id)}`)
    await page.getByText(/Holds for \d+:\d\d/).waitFor()
    await expectFits(page, 'quote-waits')
    await page.getByRole('button', { name: 'Advance to expiry' }).click()
    await page.getByRole('link', { name: 'Get another quote' }).click()
    const amount = page.getByLabel('Amount, as')
    await amount.waitFor()
    expect(await amount.inputValue()).toBe('1,234.56')
    expect(await page.locator('select').nth(0).inputValue()).toBe(account.id)
    expect(await page.locator('select').nth(1).inputValue()).toBe(payee.id)
  })

  it('is authorized by the code of the customer, who is signed in first', async () => {
    const platform = await at.server.platform()
    const { api, account, payee } = await payer(platform, '678', { region: 'DE', currency: 'EUR' })
    const quote = await createQuote(api, quoteBody(account, payee, 20_000))
    const page = await at.openAs(platform, `quotes/${encodeURIComponent(quote.id)}`)
    await page.getByRole('button', { name: /^Pay 200.00 EUR/ }).click()
    await page.getByRole('heading', { name: 'The customer has to authorize it' }).waitFor()
    await page.getByRole('button', { name: 'Sign the customer in' }).waitFor()
    await expectFits(page, 'quote-authorize')
    // Who tries before that is told so, and no more of it once the customer is signed in.
    await page.getByRole('button', { name: 'Use 123456' }).click()
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('alert').getByText('SCA_SESSION_REQUIRED ·').waitFor()
    await page.getByRole('button', { name: 'Sign the customer in' }).click()
    await page.getByText('The customer is signed in.').waitFor()
    await page.getByRole('alert').waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page
      .getByRole('heading', { name: 'The customer has to authorize it' })
      .waitFor({ state: 'detached' })
    await at.server.settle()
    await goTo(page, page.url().replace(/quotes\/.*/, `payments/${encodeURIComponent(quote.transactionId)}`))
    await page.locator('.story.ok').waitFor()
  })

  it('says a wrong code beside the field, and keeps the question', async () => {
    const platform = await at.server.platform()
    const { api, account, payee } = await payer(platform, '678', { region: 'DE', currency: 'EUR' })
    const quote = await createQuote(api, quoteBody(account, payee, 20_000))
    await api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } } as never)
    const page = await at.openAs(platform, `quotes/${encodeURIComponent(quote.id)}`)
    const code = page.getByLabel('Code that the customer received')
    await page.getByRole('button', { name: 'Sign the customer in' }).click()
    await page.getByText('The customer is signed in.').waitFor()
    await code.fill('999999')
    await page.getByRole('button', { name: 'Authorize' }).click()
    await page.getByRole('alert').getByText('INVALID_INPUT ·').waitFor()
    expect(await code.inputValue()).toBe('999999')
  })

  it('leads from an empty platform to code, and tells of the first payment', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, '')
    const code = page.getByRole('region', { name: 'Your code' })
    await code.getByText(`CORRIDOR_CLIENT_ID=${platform.clientId}`).waitFor()
    expect(await code.innerText()).not.toContain(platform.clientSecret)
    await code.getByRole('button', { name: 'SDK', exact: true }).click()
    await code.getByText('new Corridor()').waitFor()
    await page.getByRole('button', { name: 'The customer has to authorize it' }).click()
    await page.getByRole('heading', { name: 'The customer has to authorize it' }).waitFor()
    await page.getByRole('link', { name: 'Home' }).click()
    await page.getByText('Your first payment began on').waitFor()
    await page.getByText('Customer, account, payment, done').waitFor()
    await expectFits(page, 'home-first')
  })
})
