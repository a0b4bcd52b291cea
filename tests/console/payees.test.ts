import { createCustomer, createPayee, createQuote, fund, must, quoteBody } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { desktop, phone } from '../browser/browser.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, shoot } from './opened-console.ts'

describeConsole('a new external account in a browser', (at) => {
  async function opened(path: string, size = desktop) {
    const platform = await at.server.platform()
    const customer = await createCustomer(at.server.client(platform))
    return at.openAs(platform, path.replace('CUSTOMER', customer.id), size)
  }

  it('of a customer: its fields are those of its type, what is wrong stands at its field, and it is shown', async () => {
    const page = await opened('customers/CUSTOMER')
    await page.getByRole('link', { name: 'Add a payee' }).click()
    await page.getByRole('heading', { level: 1, name: 'New payee' }).waitFor()
    const endings = page.getByRole('list', { name: 'Outcomes by the last three digits' })
    await endings.getByText('the payment completes after about 6 minutes').waitFor()
    await expectAccessible(page, 'a new payee')
    await shoot(page, 'payee-new')

    await page.getByLabel('iban').fill('DE89 3704 0044 0532 0130 03')
    await page.getByLabel('fullName').fill('Greta Lindholm')
    await page.locator('summary').last().click()
    const country = page.locator('[name="accountInfo.beneficiary.nationality"]')
    await country.fill('X1')
    // Folded away again: it is brought back, and has the focus.
    await page.locator('summary').last().click()
    expect(await country.isVisible()).toBe(false)
    await page.getByRole('button', { name: 'Create' }).click()
    await expect.poll(() => country.getAttribute('aria-invalid')).toBe('true')
    await expect
      .poll(() => country.evaluate((field) => field === document.activeElement), { timeout: 10_000 })
      .toBe(true)
    await expectAccessible(page, 'a payee that was refused')
    await shoot(page, 'payee-refused')
    await country.fill('SE')
    await page.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Greta Lindholm …3003 · EUR' }).waitFor()
    await page.getByText('ends in 003: the payment completes after about 6 minutes').waitFor()
    await shoot(page, 'payee-made')
  }, 120_000)

  it('of the platform, of a business, by keys alone and on a phone', async () => {
    const page = await opened('external-accounts/new', phone)
    await page.evaluate(`localStorage.setItem('corridor.theme', 'dark')`)
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'New external account' }).waitFor()
    await page.getByLabel('Currency').selectOption('GBP')
    await page.getByLabel('Kind').selectOption('BUSINESS')
    await page.getByLabel('sortCode').focus()
    await page.keyboard.type('200000')
    await page.keyboard.press('Tab')
    await page.keyboard.type('12345678')
    await page.getByLabel('legalName').focus()
    await page.keyboard.type('Nordlicht GmbH')
    await expectNoSidewaysScroll(page, 'a new external account on a phone')
    await expectAccessible(page, 'a new external account, dark')
    await shoot(page, 'payee-new-phone-dark')
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: 'Nordlicht GmbH …5678 · GBP' }).waitFor()
    await page.getByText('The platform', { exact: true }).waitFor()
  }, 120_000)

  it('of the platform have their names in its own payments', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const query = { currency: 'USD' }
    const own = (await must(api.GET('/platform/internal-accounts', { params: { query } }))).data[0]!
    await fund(api, own.id, 10_000)
    const payee = await createPayee(api, 'GBP', '12345678')
    await createQuote(api, quoteBody(own, payee, 1_000, { immediatelyExecute: true }))
    const page = await at.openAs(platform, 'payments')
    await page
      .getByRole('row')
      .getByRole('link', { name: /…5678$/ })
      .waitFor()
  })
})
