import { createCustomer, createPayee } from '@corridor/testkit/index.ts'
import { expect, it } from 'vitest'
import { phone } from '../browser/browser.ts'
import { cardApi } from '../e2e/card-api.ts'
import { describeConsole, expectAccessible, expectNoSidewaysScroll, goTo, shoot } from './opened-console.ts'

/** The lists of the pages, with the text of each when there is nothing. */
const lists = [
  ['payments', 'No payments yet.'],
  ['customers', 'No customers yet.'],
  ['cards', 'No cards were issued yet.'],
  ['receivables', 'No receivables: no customer owes anything'],
  ['agents', 'No agents yet.'],
  ['stablecoins', 'No stablecoins are registered.'],
  ['verifications', 'No customer was submitted for verification yet.'],
  ['documents', 'No documents were uploaded yet.'],
  ['accounts', 'The platform has no external accounts.'],
  ['sandbox/faults', 'There are no faults.'],
] as const

/** Pages that are never empty, or show several things. */
const others = [
  'network',
  'rates',
  'sandbox',
  'sandbox/clock',
  'sandbox/inbox',
  'sandbox/money',
  'sandbox/money?by=quote',
  'sandbox/money?by=uma',
] as const

const nobody = '00000000-0000-0000-0000-000000000000'
const details = [
  ['payments', `Transaction:${nobody}`],
  ['quotes', `Quote:${nobody}`],
  ['customers', `Customer:${nobody}`],
  ['accounts', `InternalAccount:${nobody}`],
  ['cards', `Card:${nobody}`],
  ['receivables', `Receivable:${nobody}`],
  ['agents', `Agent:${nobody}`],
  ['stablecoins', `Stablecoin:${nobody}`],
  ['stablecoin-operations', `StablecoinOperation:${nobody}`],
  ['stablecoin-provider-accounts', `StablecoinProviderAccount:${nobody}`],
  ['verifications', `Verification:${nobody}`],
  ['documents', `Document:${nobody}`],
  ['beneficial-owners', `BeneficialOwner:${nobody}`],
  ['external-accounts', `ExternalAccount:${nobody}`],
  ['delegated-keys', `DelegatedKey:${nobody}`],
  ['imports', `Job:${nobody}`],
  ['sandbox/faults', `Fault:${nobody}`],
  ['invitations', 'ABCDEFGHJK'],
] as const

describeConsole('the pages of resources in a browser', (at) => {
  it('says of each empty list what it would hold', async () => {
    const page = await at.openAs(await at.server.platform(), '')
    const base = new URL(page.url()).pathname
    for (const [path, text] of lists) {
      await goTo(page, `${base}/${path}`)
      await page.locator('.nothing').getByText(text).waitFor()
    }
  }, 180_000)

  it('says of each page which id is nowhere here', async () => {
    const page = await at.openAs(await at.server.platform(), '')
    const base = new URL(page.url()).pathname
    for (const [path, id] of details) {
      await goTo(page, `${base}/${path}/${encodeURIComponent(id)}`)
      await page.getByRole('alert').getByText(`Nothing here has the id ${id}`).first().waitFor()
      // A heading and a window that name it, not what was shown before.
      const short = id.replace(/:.*(?=.{6}$)/, ' …')
      await page.getByRole('heading', { level: 1, name: `Not found: ${short}` }).waitFor()
      await expect.poll(() => page.title()).toContain(short)
    }
  }, 180_000)

  it('names of each refused list the permission that is lacking', async () => {
    const page = await at.openAs(await at.server.platform(), '')
    const base = new URL(page.url()).pathname
    const details = { requiredPermission: 'VIEW' }
    const body = { code: 'FORBIDDEN', message: 'It is not allowed.', status: 403, details }
    await page.route('**/2025-10-13/**', (route) => route.fulfill({ status: 403, json: body }))
    for (const path of [...lists.map(([list]) => list), ...others]) {
      await goTo(page, `${base}/${path}`)
      await page.getByRole('alert').getByText('lacks the permission VIEW').first().waitFor()
    }
  }, 180_000)

  it('plays the card network: a purchase, then its clearing', async () => {
    const { platform, activeCard, call, customer } = await cardApi(at.server)
    const card = await activeCard()
    const page = await at.openAs(platform, `cards/${encodeURIComponent(card.id)}`)
    const picture = page.getByRole('img', { name: 'States of a card, now Active' })
    expect(await picture.locator('.state.now').textContent()).toContain('Active')
    expect(await picture.locator('.state').count()).toBe(5)
    await page.getByRole('button', { name: 'Authorize', exact: true }).click()
    await page.getByRole('status').getByText('issuerTransactionToken').waitFor()
    await page.getByRole('button', { name: 'Clear', exact: true }).click()
    await expect
      .poll(
        async () => {
          await at.server.settle()
          const { data } = (await call('GET', `/transactions?type=CARD&customerId=${customer.id}`)).body
          return data.map(({ status }: { status: string }) => status)
        },
        { timeout: 30_000 },
      )
      .toEqual(['SETTLED'])
  }, 120_000)

  it('shows the states of a card whole on a phone, and what it says of a fault can be pressed', async () => {
    const { platform, activeCard, call } = await cardApi(at.server)
    const card = await activeCard()
    const size = { width: 360, height: 740 }
    const page = await at.openAs(platform, `cards/${encodeURIComponent(card.id)}`, size)
    const picture = page.getByRole('img', { name: 'States of a card, now Active' })
    await picture.waitFor()
    for (const state of await picture.locator('.state rect').all()) {
      const { x, width } = (await state.boundingBox())!
      expect(x).toBeGreaterThanOrEqual(6)
      expect(x + width).toBeLessThanOrEqual(354)
    }
    await shoot(page, 'card-360')
    const fault = { kind: 'LATENCY', target: 'API', params: { ms: 1 } }
    const { id } = (await call('POST', '/sandbox/faults', fault)).body
    const base = /^.*?\/sandbox/.exec(new URL(page.url()).pathname)![0]
    for (const [path, names] of [
      ['sandbox/faults', ['End all', 'Yes, end all that fails on purpose', 'No']],
      [`sandbox/faults/${encodeURIComponent(id)}`, ['End LATENCY']],
    ] as const) {
      await goTo(page, `${base}/${path}`)
      for (const name of names) {
        const button = page.getByRole('button', { name, exact: true })
        // It could be pressed: nothing stands over it.
        await button.click({ trial: true })
        const { x, width } = (await button.boundingBox())!
        expect(x).toBeGreaterThanOrEqual(6)
        expect(x + width).toBeLessThanOrEqual(354)
        if (name === 'End all') await button.click()
      }
      await shoot(page, `${path.replaceAll(/\W/g, '-').slice(0, 20)}-360`)
    }
  }, 120_000)

  it.each(['light', 'dark', 'phone'] as const)(
    'is accessible and fits (%s)',
    async (look) => {
      const { platform, api, activeCard } = await cardApi(at.server)
      const card = await activeCard()
      const customer = await createCustomer(api, { currencies: ['USD'] })
      const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
      const page = await at.openAs(platform, '', look === 'phone' ? phone : undefined)
      await page.evaluate(`localStorage.setItem('corridor.theme', '${look === 'dark' ? 'dark' : 'light'}')`)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      const base = new URL(page.url()).pathname
      for (const [name, path] of [
        ['card', `cards/${encodeURIComponent(card.id)}`],
        ['external-account', `external-accounts/${encodeURIComponent(payee.id)}`],
        ['verifications', 'verifications'],
        ['documents', 'documents'],
        ['network', 'network'],
        ['rates', 'rates'],
        ['stablecoins', 'stablecoins'],
        ['unknown', `documents/${encodeURIComponent(`Document:${nobody}`)}`],
      ]) {
        await goTo(page, `${base}/${path}`)
        await page.locator(name === 'unknown' ? 'main [role=alert]' : 'main h1').waitFor()
        await page.locator('main:not(:has(.skeleton))').waitFor()
        await shoot(page, `${name}-${look}`)
        await expectAccessible(page, `${name}, ${look}`)
        await expectNoSidewaysScroll(page, name!)
      }
    },
    180_000,
  )
})
