import { readFileSync } from 'node:fs'
import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  must,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { desktop } from '../browser/browser.ts'
import { describeConsole, expectAccessible, goTo, shoot } from './opened-console.ts'

describeConsole('requests and ledger in a browser', (at) => {
  it('the requests show what was refused, grouped, and each leads to its own', async () => {
    const platform = await at.server.platform()
    const page = await at.openAs(platform, 'requests')
    await page.getByText('No requests yet.').waitFor()

    const api = at.server.client(platform)
    const unknown = { params: { path: { customerId: 'Customer:00000000-0000-7000-8000-000000000000' } } }
    for (const _ of [1, 2]) await api.GET('/customers/{customerId}', unknown)
    await api.GET('/config')
    // The rows appear as the requests are made; later ones wait behind a bar.
    const all = page.getByRole('region', { name: 'Requests' })
    await all.getByText('GET /customers/{customerId}').first().waitFor()
    await api.GET('/tokens')
    await page.getByText('There are new requests.').waitFor()
    expect(await all.getByText('GET /tokens').count()).toBe(0)
    await page.keyboard.press('.')
    await all.getByText('GET /tokens').waitFor()
    await page.reload()
    await page.getByText('× 2').waitFor()
    await page.getByRole('link', { name: /USER_NOT_FOUND/ }).click()
    await page.waitForURL(/code=USER_NOT_FOUND/)
    const list = page.getByRole('region', { name: 'Requests' })
    await list.getByText('GET /customers/{customerId}').first().waitFor()
    await page.getByText('2 of 4').waitFor()
    expect(await list.getByText('GET /config').count()).toBe(0)
    await list.getByRole('link').first().click()
    await page.getByRole('heading', { level: 2, name: 'GET /customers/{customerId}' }).waitFor()
    // What was asked is code, not words.
    expect(await page.locator('.pane h2 > code').innerText()).toBe('GET /customers/{customerId}')
    await page.locator('.pane').getByText('404 USER_NOT_FOUND').first().waitFor()
    await page.locator('.pane').getByRole('link', { name: unknown.params.path.customerId }).waitFor()
  })

  it('a refused request says what to do, and is asked again in the sandbox with a body written anew', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api, { fullName: 'Ana Lopez' })
    await api.PATCH('/customers/{customerId}', {
      params: { path: { customerId: id } },
      body: { customerType: 'INDIVIDUAL', region: 'nowhere' } as never,
    })
    const page = await at.openAs(platform, 'requests')
    await page.getByRole('region', { name: 'Requests' }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 2, name: 'PATCH /customers/{customerId}' }).waitFor()
    await page.getByText('Wrong fields').waitFor()
    await page.getByRole('link', { name: 'What to do' }).waitFor()
    const advice = page.locator('p').filter({ hasText: 'What to do about INVALID_INPUT' })
    await expect.poll(() => advice.innerText()).toMatch(/\w+ .*What to do about INVALID_INPUT$/)
    const body = page.getByLabel('Body, as JSON')
    const again = page.getByRole('button', { name: 'Repeat in the sandbox' })
    await body.fill('{')
    await page.getByText('This is not valid JSON.').waitFor()
    expect(await again.isDisabled()).toBe(true)
    await body.fill(JSON.stringify({ customerType: 'INDIVIDUAL', fullName: 'Ana Maria Lopez' }))
    await again.click()
    await page.getByRole('button', { name: 'Yes, send PATCH /customers/{customerId} again' }).click()
    await page.getByText('Current response of PATCH /customers/{customerId}:').waitFor()
    await page.getByText('"fullName": "Ana Maria Lopez"').waitFor()
    await expectAccessible(page, 'a request that was asked again')
    await shoot(page, 'request-again')
    const { data } = await api.GET('/customers/{customerId}', { params: { path: { customerId: id } } })
    expect(data).toMatchObject({ fullName: 'Ana Maria Lopez' })
  })

  it('a request that a fault has cut off is there, and says that it had no answer', async () => {
    const platform = await at.server.platform()
    await must(
      at.server
        .client(platform)
        .POST('/sandbox/faults', { body: { kind: 'REFUSED', target: 'API', times: 1 } }),
    )
    const authorization = `Basic ${btoa(`${platform.clientId}:${platform.clientSecret}`)}`
    await expect(fetch(`${at.origin}/2025-10-13/config`, { headers: { authorization } })).rejects.toThrow()
    const page = await at.openAs(platform, 'requests')
    const row = page
      .getByRole('region', { name: 'Requests' })
      .getByRole('row')
      .filter({ hasText: 'GET /config' })
    await row.locator('.status.bad').getByText('no response').waitFor()
  })

  it('the ledger leads from an account to its journals, and says which takes back which', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customer = await createCustomer(api)
    const source = await internalAccountOf(api, customer.id, 'USD')
    await fund(api, source.id, 1_000_00)
    const payee = await createPayee(api, 'EUR', 'DE12500105170648489004', { customerId: customer.id })
    const quote = await api.POST('/quotes', {
      body: quoteBody(source, payee, 100_00, { immediatelyExecute: true }) as never,
    })
    await at.server.settle()
    const page = await at.openAs(platform, `ledger?owner=${customer.id}`)
    const accounts = page.getByRole('region', { name: 'Accounts of the ledger' })
    await accounts.getByRole('row').filter({ hasText: 'avail …' }).waitFor()
    expect(await accounts.getByRole('row').count()).toBe(2)
    // On a phone what it is about has its place before what is left out first.
    await page.setViewportSize({ width: 360, height: 740 })
    await accounts.locator('.rest').getByText('1,000.00 USD').waitFor()
    await page.setViewportSize(desktop)
    await page
      .getByRole('region', { name: 'Journals of the latest payments' })
      .getByText('Conversion unwound')
      .first()
      .waitFor()
    await shoot(page, 'ledger-journals')
    await expectAccessible(page, 'the ledger with journals')
    await accounts.getByRole('link').first().click()
    const journals = page.getByRole('region', { name: 'Journals of its latest payments' })
    // What the code says as well is said once.
    await journals.getByText('Execution', { exact: true }).waitFor()
    await journals.getByText('Refund', { exact: true }).waitFor()
    expect(await journals.getByText(/execute|refund$/).count()).toBe(0)
    expect(await journals.getByText('Conversion', { exact: true }).count()).toBe(0)
    await goTo(page, page.url().replace(/ledger\/.*/, 'ledger'))
    const all = page.getByRole('region', { name: 'Journals of the latest payments' })
    await all
      .getByRole('row')
      .filter({ hasText: 'by “Conversion unwound”' })
      .getByRole('link')
      .first()
      .click()
    await page.getByRole('heading', { level: 1, name: 'Journal · Conversion' }).waitFor()
    await page.getByRole('link', { name: quote.data!.transactionId as string }).waitFor()
    await page
      .getByRole('region', { name: 'Postings' })
      .getByText('100.00 USD')
      .first()
      .waitFor({ state: 'detached' })
    await expectAccessible(page, 'a journal')
    await shoot(page, 'journal')
    await page.getByRole('link', { name: 'Conversion unwound' }).click()
    await page.getByRole('heading', { level: 1, name: 'Journal · Conversion unwound' }).waitFor()
    // A reload finds it too: its id has a slash.
    await page.reload()
    await page.getByRole('heading', { level: 1, name: 'Journal · Conversion unwound' }).waitFor()
    await page.getByRole('link', { name: 'Conversion', exact: true }).waitFor()
  })

  it('a request is copied as what was asked, not as the line of the log', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customerId = 'Customer:00000000-0000-7000-8000-000000000000'
    await api.PATCH('/customers/{customerId}', {
      params: { path: { customerId } },
      body: { customerType: 'INDIVIDUAL' },
    })
    const page = await at.openAs(platform, 'requests')
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('region', { name: 'Requests' }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 2, name: 'PATCH /customers/{customerId}' }).waitFor()
    const copied = async (name: string) => {
      const button = page.getByRole('button', { name: `Copy as ${name}` })
      await button.click()
      await button.getByText('copied').waitFor()
      return page.evaluate('navigator.clipboard.readText()')
    }
    const curl = (await copied('curl')) as string
    expect(curl).toContain(
      `curl -X PATCH '${at.origin}/2025-10-13/customers/${encodeURIComponent(customerId)}'`,
    )
    expect(curl).toContain('-d @body.json')
    expect(curl).toContain('$CORRIDOR_CLIENT_SECRET')
    // With all that it takes to run: where the client comes from, and something in place of what was sent.
    expect(await copied('SDK')).toBe(
      [
        "import { Corridor } from '@corridor/sdk'",
        '',
        'const corridor = new Corridor() // CORRIDOR_BASE_URL, CORRIDOR_CLIENT_ID, CORRIDOR_CLIENT_SECRET',
        'const body = {} // what was sent is not kept',
        `const answer = await corridor.customers.update('${customerId}', body)`,
      ].join('\n'),
    )
    expect(await copied('CLI')).toBe(`corridor customers update ${customerId} --data @body.json`)
  })

  it('the ledger says that it is sound, adds up, and turns red where it is not', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 900_000_000_00)
    const page = await at.openAs(platform, 'ledger')
    await page.getByText('Sound.').waitFor()
    const list = page.getByRole('region', { name: 'Accounts of the ledger' })
    const row = list.getByRole('row').filter({ hasText: 'avail …' })
    await row.getByText('900,000,000.00 USD').first().waitFor()
    const cut = (cells: Element[]) =>
      cells.filter((cell) => cell.scrollWidth > cell.clientWidth).map((cell) => cell.textContent)
    await expect.poll(() => list.locator('td.amount').evaluateAll(cut)).toEqual([])
    await page.getByText('in one currency, each of which sums to 0').waitFor()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Export' }).click(),
    ])
    const written = readFileSync((await download.path())!, 'utf8')
    expect(written).toContain(`avail:${account.id},USD,0.00,900000000.00,0.00,900000000.00,NOT_NEGATIVE,`)
    await row.getByRole('link').first().click()
    await page.getByText('money of an internal account').waitFor()
    await page.getByRole('link', { name: account.id, exact: true }).waitFor()

    const tamper = (minor: number) =>
      at.server.engine.database.asLogin((connection) =>
        connection.script(
          `update ledger_accounts set credits_posted = credits_posted + (${minor}) where id = 'avail:${account.id}'`,
        ),
      )
    await tamper(1)
    await at.server.pass(6_000)
    await page.getByRole('link', { name: 'Ledger', exact: true }).first().click()
    await page.getByRole('button', { name: 'Verify now' }).click()
    await page.getByRole('alert').getByText('The audit found problems').waitFor()
    await page.getByText('BALANCE_DIFFERS_FROM_TRANSFERS').waitFor()
    await page.getByRole('link', { name: `avail:${account.id}` }).waitFor()
    // On every page, with what to do now.
    await page.getByRole('link', { name: 'Home', exact: true }).first().click()
    await page.getByText('The ledger does not balance. Move no money').waitFor()
    await page.getByRole('alert').getByRole('link', { name: 'What to do now' }).waitFor()
    await tamper(-1)
  })
})
