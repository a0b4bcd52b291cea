import { createCustomer, fund, internalAccountOf } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { findChromium } from '../browser/browser.ts'
import { type OpenedConsole, openConsole } from './opened-console.ts'

const executable = findChromium()
if (!executable) {
  console.error('SKIPPED: no Chromium here and none could be installed; requests and ledger were NOT tested.')
}

describe.skipIf(!executable)('in a browser', () => {
  let at: OpenedConsole
  const pages: Page[] = []

  beforeAll(async () => {
    at = await openConsole(executable!)
  }, 180_000)
  afterAll(async () => {
    await at?.close()
  })
  afterEach(async () => {
    await Promise.all(pages.splice(0).map((page) => page.close()))
    expect(at.faults.splice(0)).toEqual([])
  })

  async function opened(page: Promise<Page>): Promise<Page> {
    pages.push(await page)
    return page
  }

  it('the requests show what was refused, grouped, and each leads to its own', async () => {
    const platform = await at.server.platform()
    const page = await opened(at.openAs(platform, 'requests'))
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
    await page.getByText('2 in all').waitFor()
    expect(await list.getByText('GET /config').count()).toBe(0)
    await list.getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'GET /customers/{customerId}' }).waitFor()
    await page.getByText('404 USER_NOT_FOUND').waitFor()
    await page.getByRole('link', { name: unknown.params.path.customerId }).waitFor()
  })

  it('a request is copied as what was asked, not as the line of the log', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const customerId = 'Customer:00000000-0000-7000-8000-000000000000'
    await api.PATCH('/customers/{customerId}', {
      params: { path: { customerId } },
      body: { customerType: 'INDIVIDUAL' },
    })
    const page = await opened(at.openAs(platform, 'requests'))
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.getByRole('region', { name: 'Requests' }).getByRole('link').first().click()
    await page.getByRole('heading', { level: 1, name: 'PATCH /customers/{customerId}' }).waitFor()
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
    expect(await copied('SDK')).toBe(`const answer = await corridor.customers.update('${customerId}', body)`)
    expect(await copied('CLI')).toBe(`corridor customers update ${customerId} --data @body.json`)
  })

  it('the ledger says that it is sound, adds up, and turns red where it is not', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const { id } = await createCustomer(api)
    const account = await internalAccountOf(api, id, 'USD')
    await fund(api, account.id, 900_000_000_00)
    const page = await opened(at.openAs(platform, 'ledger'))
    await page.getByText('Sound.').waitFor()
    const list = page.getByRole('region', { name: 'Accounts of the ledger' })
    const row = list.getByRole('row').filter({ hasText: 'avail:InternalAccount' })
    await row.getByText('900,000,000.00 USD').first().waitFor()
    await row.getByRole('link').click()
    await page.getByText('of the holder of an internal account').waitFor()
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
    await page.getByRole('alert').getByText('Not sound').waitFor()
    await page.getByText('BALANCE_DIFFERS_FROM_TRANSFERS').waitFor()
    await tamper(-1)
  })
})
