import { createCustomer, createQuote, execute, quoteBody } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { describeConsole, expectAccessible, goTo, type Platform, shoot } from './opened-console.ts'
import { createPayer } from './payer.ts'

describeConsole('what the console says of money', (at) => {
  const opened = (platform: Platform, path: string, size?: { width: number; height: number }) =>
    at.openAs(platform, path, size)

  /** A customer with 5,000.00 USD and a payee in the United Kingdom, the end of whose number decides what happens. */
  async function payer(platform: Platform, ending: string) {
    const api = at.server.client(platform)
    return { api, ...(await createPayer(api, ending)) }
  }

  /** A payment of 100.00 USD. */
  async function paid(platform: Platform, ending: string) {
    const { api, customer, account, payee } = await payer(platform, ending)
    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    await execute(api, quote.id)
    await at.server.settle()
    return { api, customer, account, payee, quote }
  }

  const fact = (page: Page, name: string) =>
    page
      .locator('.facts > div')
      .filter({ has: page.getByText(name, { exact: true }) })
      .locator('dd')

  it('adds in the sandbox exactly what the button names, in the currency of the account', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { currencies: ['USD', 'BTC'] })
    const page = await opened(platform, `customers/${encodeURIComponent(customer.id)}`)
    const balances = page.getByRole('region', { name: 'Balances', exact: true })
    for (const added of ['1,000.00 USD', '10.00000000 BTC']) {
      const add = page.getByRole('button', { name: `Add ${added}`, exact: true })
      const row = balances.getByRole('row').filter({ has: add })
      await add.click()
      await row.getByRole('cell').nth(1).getByText(added, { exact: true }).waitFor()
    }
    await shoot(page, 'customer-funded')
  })

  it('names no amount as received that came back, in its title or of the window, and says how much came back', async () => {
    const platform = await at.server.platform()
    const { quote } = await paid(platform, '004')
    const page = await opened(platform, `payments/${encodeURIComponent(quote.transactionId)}`)
    await page.locator('.story.bad').waitFor()
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Failed · USD→GBP 100.00')
    await expect.poll(() => page.title()).toMatch(/^Failed · USD→GBP 100\.00 · /)
    await page.locator('.story').getByText('100.00 USD came back on').waitFor()
    expect(await fact(page, 'Expected amount').innerText()).toMatch(/^\d+\.\d\d GBP$/)
    await shoot(page, 'payment-failed')
    await expectAccessible(page, 'a payment that failed')
  })

  it('calls nothing sent that is on its way, and nothing settled that was cancelled', async () => {
    const platform = await at.server.platform()
    const waiting = (await paid(platform, '003')).quote
    const page = await opened(platform, `payments/${encodeURIComponent(waiting.transactionId)}`)
    await fact(page, 'To be sent').getByText('100.00 USD').waitFor()
    const { quote } = await paid(platform, '006')
    await goTo(page, page.url().replace(/[^/]*$/, encodeURIComponent(quote.transactionId)))
    await fact(page, 'Ended').waitFor()
    await fact(page, 'Sent').getByText('100.00 USD').waitFor()
    expect(await fact(page, 'Settled').count()).toBe(0)
  })

  it('says before it pays who pays and whom, and in production in the question as well', async () => {
    const platform = await at.server.platform()
    const { api, account, payee } = await payer(platform, '678')
    const quote = await createQuote(api, quoteBody(account, payee, 10_000))
    const page = await opened(platform, `quotes/${encodeURIComponent(quote.id)}`)
    await fact(page, 'From').getByText('Ana Lopez').waitFor()
    await fact(page, 'To').getByText('Greta Lindholm …5678').waitFor()
    await fact(page, 'To').getByText(payee.id).waitFor()
    await page.evaluate(`navigator.clipboard.writeText = async (text) => { globalThis.copied = text }`)
    await fact(page, 'To').getByRole('button', { name: 'Copy the id' }).click()
    expect(await page.evaluate('globalThis.copied')).toBe(payee.id)
    await shoot(page, 'quote-whom')
    await expectAccessible(page, 'a quote')
    await page.getByRole('button', { name: /^Pay 100\.00 USD/ }).click()
    await page.waitForURL(/\/payments\//)
    await fact(page, 'From').getByText('Ana Lopez').waitFor()
    await fact(page, 'To').getByText('Greta Lindholm …5678').waitFor()
    expect(await fact(page, 'Customer').innerText()).toContain('Ana Lopez')
    // What the sandbox answers, looked at in production: nothing can be paid there without a rail.
    const real = await at.server.platform({ environment: 'PRODUCTION' })
    const there = await opened(real, '')
    const answer = async (path: string, json: unknown) =>
      there.route(`**/2025-10-13/${path}*`, (route) => route.fulfill({ json }))
    await answer('quotes/', quote)
    await answer('customers/external-accounts/', payee)
    await there.evaluate(
      `history.pushState({}, '', location.pathname + '/quotes/${encodeURIComponent(quote.id)}'); dispatchEvent(new PopStateEvent('popstate'))`,
    )
    await fact(there, 'To').getByText('Greta Lindholm …5678').waitFor()
    await there.getByRole('button', { name: 'Pay 100.00 USD and follow' }).click()
    await there
      .getByRole('button', { name: 'Pay 100.00 USD to Greta Lindholm …5678 for real', exact: true })
      .waitFor()
  })

  it('says of each rate whether the fees are in it, and has one where the payment is', async () => {
    const platform = await at.server.platform()
    const { quote } = await paid(platform, '678')
    const page = await opened(platform, 'rates')
    await page.getByRole('columnheader', { name: 'Sent for one received, fees included' }).waitFor()
    const at_ = async (path: string) => {
      await page.goto(page.url().replace(/rates.*|quotes.*/, path))
      return fact(page, 'Rate, before fees').innerText()
    }
    const ofQuote = await at_(`quotes/${encodeURIComponent(quote.id)}`)
    expect(ofQuote).toMatch(/^\d+\.\d+ USD for one GBP$/)
    expect(await at_(`payments/${encodeURIComponent(quote.transactionId)}`)).toBe(ofQuote)
  })

  it('knows a payee who was deleted, and whose account a deposit went to', async () => {
    const platform = await at.server.platform()
    const { api, payee } = await paid(platform, '678')
    await api.DELETE(
      '/customers/external-accounts/{externalAccountId}' as never,
      { params: { path: { externalAccountId: payee.id } } } as never,
    )
    const page = await opened(platform, 'payments')
    const rows = page.getByRole('region', { name: 'Payments' })
    const deleted = rows.getByTitle(`deleted payee · ${payee.id}`)
    await deleted.getByText('deleted', { exact: true }).waitFor()
    expect(await deleted.innerText()).toContain(payee.id.slice(-6))
    await rows.getByText('own account').first().waitFor()
    await shoot(page, 'payments-deleted-payee')
    await expectAccessible(page, 'payments to who was deleted')
  })
})
