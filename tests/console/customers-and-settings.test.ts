import { createCustomer, createPayee, internalAccountOf } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { expect, it } from 'vitest'
import { desktop, phone } from '../browser/browser.ts'
import { header, row } from '../e2e/bulk-import-api.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type Platform,
  shoot,
} from './opened-console.ts'

describeConsole('customers, accounts and settings in the console', (at) => {
  async function expectFits(page: Page, name: string) {
    await shoot(page, name)
    await expectAccessible(page, name)
    await page.setViewportSize(phone)
    await expectNoSidewaysScroll(page, name)
    await shoot(page, `${name}-phone`)
  }

  it('makes a customer, says all that is wrong with one, and gives it a link to the hosted page', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'customers')
    await page.getByRole('button', { name: 'New customer' }).click()
    const form = page.getByRole('form', { name: 'New customer' })
    await form.getByLabel('Full name').fill('Ana Lopez')
    await form.getByLabel('Country').fill('us')
    await form.getByLabel('Currencies').fill('XXX')
    await form.getByLabel('Phone').fill('12')
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('alert').first().waitFor()
    await expectFits(page, 'new-customer')
    await form.getByLabel('Currencies').fill('usd, eur')
    await form.getByLabel('Phone').fill('')
    await form.getByRole('button', { name: 'Create' }).click()
    await page.getByRole('heading', { level: 1, name: 'Ana Lopez' }).waitFor()
    await page.getByRole('button', { name: 'Hosted link' }).click()
    await page.getByText('valid for one submission until').waitFor()
    await expectFits(page, 'hosted-link')
  })

  /** The page of an import that has ended. */
  async function imported(platform: Platform, lines: readonly string[]): Promise<Page> {
    const page = await at.openAs(platform, 'customers')
    await page.getByRole('button', { name: 'Import CSV' }).click()
    await page.getByLabel('File of at most').setInputFiles({
      name: 'people.csv',
      mimeType: 'text/csv',
      buffer: Buffer.from(lines.join('\n')),
    })
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByRole('heading', { level: 1, name: 'Import of customers' }).waitFor()
    await at.server.settle()
    return page
  }

  it('imports a file of customers and shows how far it is', async () => {
    const platform = await at.server.platform()
    const rows = [header, row(), row({ customerType: 'NOBODY', platformCustomerId: 'wrong-one' }), row()]
    const page = await imported(platform, rows)
    await page.getByText('3 of 3 rows').waitFor()
    await page.getByRole('heading', { name: 'Rejected rows' }).waitFor()
    await page.getByText('wrong-one').first().waitFor()
    await page.getByText('customerType is not one of the allowed values.').waitFor()
    await expectFits(page, 'import')
  })

  it('says of a file that is of no use as a whole which column it lacks, and of no row that it was refused', async () => {
    const platform = await at.server.platform()
    const page = await imported(platform, ['umaAddress,platformCustomerId,fullName', ',i-1,Ida', ',i-2,Jo'])
    const refused = page.locator('section').filter({ hasText: 'Reason for rejecting the file' })
    await refused.getByText('A required column is missing. customerType').waitFor()
    await refused.getByText('The whole file').waitFor()
    expect(await refused.getByText('row_1').count()).toBe(0)
    await expectFits(page, 'import-refused')
  })

  it('says of each refused row which fields are wrong, and how many more there are than it shows', async () => {
    const platform = await at.server.platform()
    const wrong = { umaAddress: '$taken@shop.example', platformCustomerId: 'first-one' }
    const page = await imported(platform, [
      header,
      row({ customerType: 'NOBODY', platformCustomerId: 'wrong-one' }),
      row({ platformCustomerId: 'bare-one', city: '', state: '' }),
      row(wrong),
      row({ ...wrong, umaAddress: '$other@shop.example' }),
      row({ ...wrong, platformCustomerId: 'second-one' }),
      `${row({ platformCustomerId: 'long-one' })},more`,
    ])
    const refused = page.locator('section').filter({ hasText: 'Rejected rows' })
    const line = (id: string) => refused.getByRole('listitem').filter({ hasText: id })
    await line('wrong-one').getByText('customerType is not one of the allowed values.').waitFor()
    await line('bare-one').getByText('city is required. state is required.').waitFor()
    await line('first-one').getByText('platformCustomerId').waitFor()
    await line('second-one').getByText('$taken@shop.example').waitFor()
    await line('long-one').getByText('It has more cells than the header names.').waitFor()
    expect(await refused.getByRole('listitem').count()).toBe(5)

    // The API tells of the first thousand and counts all.
    await page.route('**/customers/bulk/jobs/*', async (route) => {
      const answer = await route.fetch()
      const job = await answer.json()
      const errors = Array.from({ length: 1_000 }, () => job.errors[0])
      await route.fulfill({ json: { ...job, errors, progress: { ...job.progress, failed: 1_234 } } })
    })
    await page.reload()
    await refused.getByText(/^And 1,?134 more; the API response below has the first 1,?000\.$/).waitFor()
    expect(await refused.getByRole('listitem').count()).toBe(100)
  })

  it('makes twenty sample people, and finds them by country', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'customers')
    await page.getByRole('button', { name: '20 sample people' }).click()
    await page.getByText('20 in all').waitFor()
    await page.getByLabel('Country').fill('SE')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('1 in all').waitFor()
    await page.getByRole('row').filter({ hasText: 'Greta Lindholm' }).waitFor()
  })

  it('finds customers by status and e-mail, and says what went wrong with one lately', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, {
      fullName: 'Ana Lopez',
      currencies: ['USD'],
      email: 'ana.found@example.com',
    })
    await createCustomer(api, { fullName: 'Waits Forreview 001', currencies: ['USD'] })
    await createPayee(api, 'GBP', '12345004', { customerId: customer.id })
    await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
    const page = await at.openAs(platform, 'customers')
    await page.getByText('2 in all').waitFor()
    await page.getByLabel('E-mail', { exact: true }).fill('Ana.Found@example.com')
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByText('1 in all').waitFor()
    await page.getByLabel('Identity of people').selectOption('HOLD')
    await page.getByText('Nothing matches these filters.').waitFor()
    await page.getByLabel('Identity of people').selectOption((customer as { kycStatus?: string }).kycStatus!)
    await expectFits(page, 'customers-filtered')
    await page.setViewportSize(desktop)
    await page.getByRole('row').filter({ hasText: 'Ana Lopez' }).getByRole('link').click()
    // Whose money goes where, and what the sandbox makes of it, stands beside each payee.
    const payees = page.getByRole('region', { name: 'Payees' })
    await payees.getByText('ends in 004: the delivery to the receiver fails').waitFor()
    await payees.getByText('successful payment').waitFor()
    const fact = (name: string) => page.locator('.facts > div').filter({ hasText: name })
    await fact('Rejected requests').getByText('none').waitFor()
    await fact('Webhooks that were not delivered').getByText('none').waitFor()

    await api.PATCH('/customers/{customerId}', {
      params: { path: { customerId: customer.id } },
      body: { customerType: 'INDIVIDUAL', region: 'nowhere' } as never,
    })
    await at.server.commit(platform, {
      events: [{ type: 'CUSTOMER.KYC_PENDING', resourceId: customer.id, subjectId: null, data: {} }] as never,
    })
    await at.server.rows(
      `update events set status = 'FAILED', last_error = 'HTTP_500' where platform_id = $1 and resource_id = $2`,
      [platform.platformId, customer.id],
    )
    await page.reload()
    await fact('Rejected requests').getByRole('link', { name: 'PATCH /customers' }).waitFor()
    await fact('Webhooks that were not delivered').getByText('HTTP_500').first().waitFor()
    await expectFits(page, 'customer-lately')
  })

  it('funds an account, shows its coordinates as rows, and pays from it to a payee', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD'] })
    const account = await internalAccountOf(api, customer.id, 'USD')
    const payee = await createPayee(api, 'GBP', '12345004', { customerId: customer.id })
    const page = await at.openAs(platform, `accounts/${encodeURIComponent(account.id)}`)
    await page.getByText('Routing number', { exact: true }).waitFor()
    await page.getByLabel('Amount in USD').fill('2,500.50')
    await page.getByRole('button', { name: 'Fund' }).click()
    await page.getByRole('heading', { level: 1, name: '2,500.50 USD' }).waitFor()
    await expectFits(page, 'account-fund')
    await goTo(page, page.url().replace(/accounts\/.*/, `external-accounts/${encodeURIComponent(payee.id)}`))
    await page.getByText('ends in 004: the delivery to the receiver fails').waitFor()
    await page.getByRole('link', { name: 'Pay to it' }).click()
    await page.getByRole('button', { name: 'Get a quote' }).waitFor()
    expect(await page.locator('select').nth(0).inputValue()).toBe(account.id)
    expect(await page.locator('select').nth(1).inputValue()).toBe(payee.id)
  })

  it('deletes a payee after a second press, and asks whose a wallet is', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD'] })
    const payee = await createPayee(api, 'GBP', '12345004', { customerId: customer.id })
    const page = await at.openAs(platform, `external-accounts/${encodeURIComponent(payee.id)}`)
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('button', { name: /^Delete .+ …\w{4} for good$/ }).click()
    await page.getByRole('heading', { level: 1, name: 'Ana Lopez' }).waitFor()
    await page.getByText('The customer has no payees yet.').waitFor()
  })

  it('shows what a change of the configuration changes before it saves it', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'settings')
    const currencies = page.getByLabel('Currencies, as JSON')
    await currencies.waitFor()
    const before = await currencies.inputValue()
    await currencies.fill('[')
    await page.getByText('this is not valid JSON').waitFor()
    const [first, ...others] = JSON.parse(before) as { maxAmount: number }[]
    await currencies.fill(JSON.stringify([{ ...first, maxAmount: 777_777 }, ...others]))
    await page.locator('ins').getByText('777777').waitFor()
    await expectFits(page, 'settings-diff')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('What would change').waitFor({ state: 'detached' })
    const { data } = await at.server.client(platform).GET('/config')
    expect(data!.supportedCurrencies[0]!.maxAmount).toBe(777_777)
  })

  it('makes a token that may do what was chosen, and gives it another secret', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'settings')
    await page.getByLabel('Name of a new token').fill('Payer')
    await page.getByLabel('TRANSACT: pay').check()
    await page.getByRole('button', { name: 'Create' }).click()
    const made = page.getByRole('status').filter({ hasText: 'The secret is shown' })
    const secret = await made.locator('code').nth(1).innerText()
    const row = page.getByRole('row').filter({ hasText: 'Payer' })
    await row.getByText('VIEW TRANSACT').waitFor()
    await row.getByRole('button', { name: 'Rotate' }).click()
    await row.getByRole('button', { name: 'New secret for Payer' }).click()
    await expect.poll(() => made.locator('code').nth(1).innerText()).not.toBe(secret)
    await page.getByRole('heading', { name: 'Terms for customers' }).waitFor()
  })
})
