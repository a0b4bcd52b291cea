import { createCustomer, createPayee, fund, internalAccountOf } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { describeConsole, expectAccessible, goTo, type Platform, shoot } from './opened-console.ts'

describeConsole('what pages say of themselves', (at) => {
  async function opened(platform: Platform, path: string) {
    const page = await at.openAs(platform, path)
    const base = /^.*?\/console\/[^/]+\/[^/?#]+/.exec(page.url())![0]
    return { page, to: (path: string) => goTo(page, `${new URL(base).pathname}/${path}`) }
  }

  async function payer(platform: Platform) {
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD', 'EUR'] })
    const account = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, account.id, 500_000)
    const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
    return { api, customer, account, payee }
  }

  it('has one main button where there is nothing yet, and names what the sample is', async () => {
    const { page, to } = await opened(await at.server.platform(), '')
    for (const path of ['', 'payments']) {
      if (path) await to(path)
      await page.getByText('No payments yet.').waitFor()
      await page.getByRole('button', { name: 'Make a sample payment', exact: true }).waitFor()
      expect(await page.locator('main .main').allInnerTexts()).toEqual(['New payment'])
      await shoot(page, `empty-${path || 'home'}`)
    }
  })

  it('keeps its title and its parts where it is refused, and takes a refusal for an answer', async () => {
    const { page, to } = await opened(await at.server.platform(), '')
    const details = { requiredPermission: 'VIEW' }
    const json = { code: 'FORBIDDEN', message: 'It is not allowed.', status: 403, details }
    await page.route('**/console/api/**', (route) => route.fulfill({ status: 403, json }))
    await to('quotes/new')
    await page.getByRole('heading', { level: 1, name: 'New payment' }).waitFor()
    await page.getByRole('alert').getByText('lacks the permission VIEW').waitFor()
    await to('settings')
    // Nothing is known from before it was refused.
    await page.reload()
    const configuration = page.locator('.part', {
      has: page.getByRole('heading', { name: 'Configuration', exact: true }),
    })
    await configuration.getByRole('alert').getByText('lacks the permission VIEW').waitFor()
    await to('')
    await page.reload()
    await page.getByText('They answer.').waitFor()
    // Of each step that is done or not, and of nothing that is to be copied.
    await expect.poll(() => page.getByText('This credential cannot show whether it is done.').count()).toBe(3)
    expect(await page.getByRole('region', { name: 'Your code' }).innerText()).not.toContain('…')
    await shoot(page, 'home-refused')
  })

  it('says names where it has ids, and reads them once for all rows', async () => {
    const platform = await at.server.platform()
    const { api, customer } = await payer(platform)
    await api.POST('/agents', {
      body: {
        customerId: customer.id,
        name: 'Buyer',
        policy: {
          permissions: ['VIEW_TRANSACTIONS'],
          defaultExecutionMode: 'AUTO',
          spendingLimits: { currency: 'USD', perTransactionLimit: 10_000 },
        },
      },
    } as never)
    const { page, to } = await opened(platform, '')
    let asked = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname.endsWith('/customers')) asked++
    })
    await to('accounts')
    const accounts = page.getByRole('region', { name: 'Accounts of customers' })
    const rows = accounts.locator('tbody tr:not(.spacer)')
    await rows.nth(1).waitFor()
    const named = rows.filter({ has: page.getByRole('link', { name: 'Ana Lopez' }) })
    await expect.poll(async () => (await named.count()) - (await rows.count()), { timeout: 10_000 }).toBe(0)
    expect(asked).toBe(1)
    // Those with money first.
    expect(await accounts.locator('tbody tr').first().innerText()).toContain('5,000.00 USD')
    await shoot(page, 'accounts-names')
    await to('quotes/new')
    await expect
      .poll(() => page.locator('select').first().locator('option:checked').textContent())
      .toMatch(/^Ana Lopez · 5,000\.00 USD · …[0-9a-f]{6}$/)
    await to('requests')
    await page.locator('tbody tr').first().waitFor()
    // What the first token of a platform is called.
    const { data } = (await api.GET('/tokens' as never, {} as never)) as {
      data: { data: { name: string }[] }
    }
    await page.locator('tbody').getByText(data.data[0]!.name, { exact: true }).first().waitFor()
    await shoot(page, 'requests-names')
    await to('agents')
    await page.locator('tbody').getByRole('link', { name: 'Ana Lopez' }).waitFor()
    expect(await page.getByRole('columnheader', { name: 'Status' }).count()).toBe(1)
    await page.locator('tbody').getByRole('link', { name: 'Buyer' }).click()
    // Nothing is above a threshold that nobody has set.
    await page.locator('.facts dd').getByText('at once', { exact: true }).waitFor()
    await expectAccessible(page, 'an agent')
  })

  it('has nothing to copy before there is an amount', async () => {
    const platform = await at.server.platform()
    await payer(platform)
    const { page } = await opened(platform, 'quotes/new')
    const code = page.getByRole('region', { name: 'As code' })
    await code.getByText('Enter an amount to copy it.').waitFor()
    expect(await code.getByRole('button', { name: /^Copy/ }).count()).toBe(0)
    expect(await code.locator('pre').innerText()).not.toContain('lockedCurrencyAmount')
    await page.getByLabel('Amount, as').fill('12.34')
    await code.getByText('"lockedCurrencyAmount":1234').waitFor()
    await code.getByRole('button', { name: 'Copy as curl' }).waitFor()
  })

  it('says the number of an account elsewhere in words, and what a card can become once', async () => {
    const platform = await at.server.platform()
    const { payee } = await payer(platform)
    const { page, to } = await opened(platform, `external-accounts/${encodeURIComponent(payee.id)}`)
    const facts = page.locator('.facts').first()
    await facts.getByText('Account number', { exact: true }).waitFor()
    await facts.getByText('12345678', { exact: true }).waitFor()
    await facts.getByText('Ana Lopez', { exact: true }).waitFor()
    await shoot(page, 'external-account')
    await expectAccessible(page, 'an external account')
    await to('cards')
    await page.getByRole('button', { name: 'Issue a card' }).click()
    await page.getByRole('heading', { name: 'States' }).waitFor()
    const next = page.locator('.part', { has: page.getByRole('heading', { name: 'States' }) }).locator('li')
    const states = (await next.allInnerTexts()).map((text) => text.split(':')[0])
    expect(states.length).toBeGreaterThan(0)
    expect(new Set(states).size).toBe(states.length)
    await page.locator('.machine').getByText('Pending KYC', { exact: true }).waitFor()
    await shoot(page, 'card')
  })

  it('leads from the sandbox to each of its parts, and ends nothing where nothing fails', async () => {
    const platform = await at.server.platform()
    const { page, to } = await opened(platform, 'sandbox')
    for (const name of ['Clock', 'Scenarios']) {
      await page.locator('.head').getByRole('link', { name, exact: true }).waitFor()
    }
    await page.getByText('real time', { exact: true }).waitFor()
    await shoot(page, 'sandbox')
    await to('sandbox/faults')
    const end = page.getByRole('button', { name: 'End all' })
    await expect.poll(() => end.isDisabled(), { timeout: 10_000 }).toBe(true)
    await page.getByLabel('Seed of the random choice').waitFor()
    await at.server
      .client(platform)
      .POST('/sandbox/faults', { body: { target: 'RAIL', kind: 'SILENCE' } } as never)
    await page.reload()
    await expect.poll(() => end.isDisabled(), { timeout: 10_000 }).toBe(false)
  })

  it('groups the digits of how many there are', async () => {
    const platform = await at.server.platform()
    await payer(platform)
    const { page, to } = await opened(platform, '')
    await page.route(/\/customers\?/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, json: { ...((await response.json()) as object), totalCount: 7_063 } })
    })
    await to('customers')
    await page.locator('.count').getByText('7,063 in all', { exact: true }).waitFor()
  })
})
