import { createCustomer, createPayee, createQuote, internalAccountOf, must } from '@corridor/testkit/index.ts'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'
import { umaSenders } from '../../apps/console/src/pages/sandbox/uma-senders.ts'
import { umaUsers } from '../../packages/adapters/src/sandbox/outcomes.ts'
import {
  describeConsole,
  expectAccessible,
  expectNoSidewaysScroll,
  goTo,
  type Platform,
  shoot,
} from './opened-console.ts'

it('offers every user of the simulated UMA institution as a sender', () => {
  const addresses = Object.keys(umaUsers).map((user) => `$${user}@sandbox.uma.money`)
  expect(umaSenders.map(({ value }) => value)).toEqual(addresses)
})

describeConsole('money in and the inbox in a browser', (at) => {
  async function opened(platform: Platform, path: string, size?: { width: number; height: number }) {
    const page = await at.openAs(platform, path, size)
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
    return page
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const copied = (page: Page) => page.evaluate('navigator.clipboard.readText()')
  const moved = async (page: Page, path: string) => {
    const [base] = /^.*?\/console\/[^/]+\/sandbox/.exec(new URL(page.url()).pathname)!
    await goTo(page, `${base}/${path}`)
  }

  /** A quote over 100.00 USD that waits for its money. */
  async function waitingQuote(platform: Platform) {
    const api = at.server.client(platform)
    const customer = await createCustomer(api, { currencies: ['USD'] })
    const payee = await createPayee(api, 'GBP', '12345678', { customerId: customer.id })
    const quote = await createQuote(api, {
      source: { sourceType: 'REALTIME_FUNDING', customerId: customer.id, currency: 'USD' },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000,
    } as never)
    return { api, quote, path: `sandbox/money?by=quote&for=${encodeURIComponent(quote.id)}` }
  }

  describe('money in', () => {
    it('reaches an account by its reference: exact, told twice, and with a wrong one', async () => {
      const platform = await at.server.platform()
      const api = at.server.client(platform)
      const customer = await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD'] })
      const { id } = await internalAccountOf(api, customer.id, 'USD')
      const balance = async () => (await internalAccountOf(api, customer.id, 'USD')).balance.amount
      const page = await opened(platform, `accounts/${encodeURIComponent(id)}`)
      await page.getByRole('link', { name: 'Money in' }).click()
      await page.getByRole('combobox', { name: 'Account' }).waitFor()
      expect(await page.getByRole('combobox', { name: 'Account' }).inputValue()).toBe(id)
      await page.getByLabel('Amount in USD,').fill('1,000.005')
      await press(page, 'Let it arrive')
      await page.getByRole('alert').getByText('not an amount with at most 2 decimals').waitFor()
      await page.getByLabel('Amount in USD,').fill('1,000.00')
      await page.getByLabel('Name of the payer').fill('Rosa Diaz')
      await press(page, 'Let it arrive')
      await page.getByText('It was credited.').waitFor()
      await expect.poll(balance, { timeout: 30_000 }).toBe(100_000)
      const link = page.getByRole('status').getByRole('link', { name: /^Transaction/ })
      expect(await link.getAttribute('href')).toContain('/payments/Transaction')
      await press(page, 'Wrong reference')
      await page.getByText('waits in suspense').waitFor()
      expect(await balance()).toBe(100_000)
      await press(page, 'Report twice')
      await expect.poll(() => page.getByText('It was credited.').count(), { timeout: 30_000 }).toBe(2)
      await expect.poll(balance).toBe(200_000)
      // Over a chain, in another currency with decimals of its own: at par.
      await page.getByLabel('How').selectOption('USDC over Solana')
      await page.getByLabel('Amount in USDC').fill('5.000001')
      await press(page, 'Let it arrive')
      await expect.poll(balance, { timeout: 30_000 }).toBe(200_500)
      await expectAccessible(page, 'money in')
    }, 120_000)

    it('is put into an account whose coordinates carry no reference', async () => {
      const platform = await at.server.platform()
      const api = at.server.client(platform)
      const customer = await createCustomer(api, { currencies: ['BTC'] })
      const { id } = await internalAccountOf(api, customer.id, 'BTC')
      const page = await opened(platform, 'sandbox/money')
      await page.getByRole('combobox', { name: 'Account' }).selectOption('Another one')
      await page.getByLabel('Id of the account').fill(id)
      await page.getByLabel('Amount in BTC').fill('0.5')
      expect(await page.getByRole('button', { name: 'Wrong reference' }).count()).toBe(0)
      await press(page, 'Let it arrive')
      await page.getByText('It was credited.').waitFor()
      expect((await internalAccountOf(api, customer.id, 'BTC')).balance.amount).toBe(50_000_000)
    }, 120_000)

    it.each([
      ['Exact', 'It funds the quote', 'COMPLETED'],
      ['0.01 USD short', 'the sender gets it back', 'FAILED'],
      ['Report twice', 'It funds the quote', 'COMPLETED'],
      ['After expiry', 'the sender gets it back', 'EXPIRED'],
    ])(
      'for a quote: %s',
      async (name, said, status) => {
        const platform = await at.server.platform()
        const { api, quote, path } = await waitingQuote(platform)
        const page = await opened(platform, path)
        await press(page, name)
        if (name === 'After expiry') await press(page, 'Yes, move the clock to its end')
        await page.getByText(said).first().waitFor()
        await at.server.settle()
        const { transactionId } = quote
        const path_ = { params: { path: { transactionId } } }
        expect(await must(api.GET('/transactions/{transactionId}', path_))).toMatchObject({ status })
      },
      120_000,
    )

    it('for a quote: a wrong reference and a second payment wait in suspense', async () => {
      const platform = await at.server.platform()
      const { quote, path } = await waitingQuote(platform)
      const page = await opened(platform, `quotes/${encodeURIComponent(quote.id)}`)
      await page.getByRole('link', { name: 'Money in' }).click()
      await press(page, 'Wrong reference')
      await page.getByText('waits in suspense').waitFor()
      await press(page, 'Paid twice')
      await page.getByText('It funds the quote').waitFor()
      await page.getByText('waits in suspense').waitFor()
      expect(new URL(page.url()).pathname + new URL(page.url()).search).toContain(path)
      await expectAccessible(page, 'money for a quote')
    }, 120_000)

    it('makes a quote that waits where there is none', async () => {
      const page = await opened(await at.server.platform(), 'sandbox/money?by=quote')
      await page.getByText('No quotes are waiting for funds').waitFor()
      await press(page, 'Make one')
      await press(page, 'Exact')
      await page.getByText('It funds the quote').waitFor()
    }, 120_000)

    it('comes over UMA once there is an endpoint that is asked, and says so before', async () => {
      const platform = await at.server.platform()
      const api = at.server.client(platform)
      const customer = await createCustomer(api, { fullName: 'Ana Lopez', currencies: ['USD'] })
      const page = await opened(platform, 'sandbox/money')
      await page.getByLabel('UMA', { exact: true }).check()
      await page.getByText('Your endpoint must approve the payment first').waitFor()
      await page.getByLabel('Amount in USD,').fill('50')
      await press(page, 'Let it arrive')
      await page.getByRole('alert').getByText('WEBHOOK_ENDPOINT_NOT_SET').first().waitFor()
      await expectAccessible(page, 'money over UMA')
      await must(api.PATCH('/config', { body: { webhookEndpoint: 'https://receiver.example/hooks' } }))
      await page.reload()
      await page.getByLabel('From').selectOption({ index: 4 })
      await page.getByLabel('Amount in USD,').fill('50')
      await press(page, 'Let it arrive')
      await page.getByText('Waiting for the response of your endpoint').waitFor()
      await at.server.settle()
      const { data } = await must(
        api.GET('/transactions', { params: { query: { customerId: [customer.id] } } } as never),
      )
      expect(data).toMatchObject([
        {
          receivedAmount: { amount: 5_000 },
          source: { umaAddress: '$fail.compliance.usd@sandbox.uma.money' },
        },
      ])
    }, 120_000)
  })

  describe('the inbox', () => {
    it('is empty with what fills it, then shows purpose, code and text, and copies the code', async () => {
      const platform = await at.server.platform()
      const page = await opened(platform, 'sandbox/inbox')
      await page.getByText('No messages yet').waitFor()
      await page.getByText('corridor customers verify-email CUSTOMERID').waitFor()
      await press(page, 'Send a code')
      const row = page.getByRole('row').filter({ hasText: 'greta@example.com' })
      await row.getByRole('button', { name: 'Copy code 123456' }).click()
      await row.getByText('copied').waitFor()
      expect(await copied(page)).toBe('123456')
      await row.getByRole('button', { name: 'Proves an address' }).click()
      await page.getByText('Your verification code is 123456.').waitFor()
      await page.getByText('Your verification code', { exact: true }).waitFor()
      await expectAccessible(page, 'inbox')
      await press(page, 'Close it')
      expect(await page.getByText('Your verification code is 123456.').count()).toBe(0)
    }, 120_000)

    it('is filtered by channel and customer, and drops the filters that leave nothing', async () => {
      const platform = await at.server.platform()
      const api = at.server.client(platform)
      const make = async (email: string) => {
        const customer = await createCustomer(api, {
          region: 'SE',
          currencies: ['EUR'],
          email,
          phoneNumber: '+46701234567',
        })
        const path = { params: { path: { customerId: customer.id } } }
        for (const what of ['verify-email', 'verify-phone'] as const) {
          const { response } = await api.POST(`/customers/{customerId}/${what}`, path as never)
          expect(response.status).toBe(204)
        }
        return customer
      }
      const [ana] = [await make('ana@example.com'), await make('rosa@example.com')]
      const page = await opened(platform, `customers/${encodeURIComponent(ana.id)}`)
      await page.getByRole('link', { name: 'Messages sent to them' }).click()
      const list = page.getByRole('region', { name: 'Inbox' })
      await page.getByText('2 in all').waitFor()
      expect(await list.getByText('rosa@example.com').count()).toBe(0)
      await page.getByLabel('Channel').selectOption('SMS')
      await page.getByText('1 in all').waitFor()
      await list.getByText('SMS to +46701234567').waitFor()
      expect(new URL(page.url()).search).toContain('channel=SMS')
      const nobody = 'Customer:00000000-0000-7000-8000-000000000000'
      await page.getByLabel('Customer id').fill(nobody)
      await press(page, 'Filter')
      await page.getByText('Nothing matches these filters.').waitFor()
      await page.getByText('It matches nothing. Without it, there are results.').waitFor()
      await press(page, 'Drop the filters')
      await page.getByText('4 in all').waitFor()
    }, 120_000)

    it('tells of new messages, of what is refused and what is broken, and keeps what it shows', async () => {
      const platform = await at.server.platform()
      const page = await opened(platform, 'sandbox/inbox')
      await press(page, 'Send a code')
      await page.getByText('1 in all').waitFor()
      await page.route('**/sandbox/inbox*', (route) => route.abort())
      await page.getByText('Not up to date since').waitFor()
      await page.getByRole('button', { name: 'Copy code 123456' }).waitFor()
      await page.unroute('**/sandbox/inbox*')
      const details = { requiredPermission: 'VIEW' }
      for (const [status, code, said] of [
        [403, 'FORBIDDEN', 'lacks the permission VIEW'],
        [500, 'INTERNAL_ERROR', 'It is not allowed.'],
      ] as const) {
        const json = { code, message: 'It is not allowed.', status, details: status === 403 ? details : {} }
        await page.route('**/sandbox/inbox*', (route) => route.fulfill({ status, json }))
        await moved(page, `sandbox/inbox?channel=${status === 403 ? 'SMS' : 'EMAIL'}`)
        await page.getByRole('alert').getByText(said).first().waitFor()
        await page.unroute('**/sandbox/inbox*')
      }
      await page.getByRole('button', { name: 'Try again' }).first().click()
      await page.getByRole('button', { name: 'Copy code 123456' }).waitFor()
      // The browser tells of what did not get through, and of what was broken, now or a moment later.
      const others = at.faults.splice(0).filter((fault) => !/ERR_FAILED|status of 500/.test(fault))
      expect(others).toEqual([])
    }, 120_000)
  })

  it('says what a customer needs: terms, addresses, identity, factors', async () => {
    const platform = await at.server.platform()
    const api = at.server.client(platform)
    const swede = await createCustomer(api, { region: 'SE', currencies: ['EUR'], email: 'greta@example.com' })
    const page = await opened(platform, `customers/${encodeURIComponent(swede.id)}`)
    const part = page.locator('section').filter({ has: page.getByRole('heading', { name: 'Readiness' }) })
    await part.getByText('Not accepted; required only if the operator demands it. Current version:').waitFor()
    const { version, url } = await must(api.GET('/customers/end-user-terms'))
    expect(await part.getByRole('link', { name: version }).getAttribute('href')).toBe(url)
    await part.getByText('Not verified yet').waitFor()
    await part.getByText('Not provided; verification required').waitFor()
    await part.getByRole('listitem').getByText('Code by SMS').waitFor()
    await expectAccessible(page, 'a customer')

    await page.getByRole('group', { name: 'Reset of a lost factor' }).getByRole('button').click()
    await press(page, 'Yes, start the reset of: Code by SMS')
    await part.getByText('Liveness passed').waitFor()
    const address = page.url()
    expect(address).toContain('reset=ScaReset')
    await part.getByLabel('Country code of the new phone').fill('+46')
    await part.getByLabel('Number of the new phone').fill('701234567')
    await press(page, 'Complete the reset')
    await part.getByText('Completed', { exact: true }).first().waitFor()
    await page.getByText('+46701234567').waitFor()
    await page.reload()
    await part.getByText('Completed', { exact: true }).first().waitFor()
    await press(page, 'Another reset')
    await part.getByLabel('Id of a reset').fill('ScaReset:nothing')
    await press(page, 'Show it')
    await page.getByRole('alert').getByText('No resource has the id ScaReset:nothing').waitFor()

    const consent = {
      acceptedAt: '2025-10-13T09:00:00.000Z',
      ipAddress: '203.0.113.42',
      termsVersion: version,
      acceptanceMethod: 'CHECKBOX',
    }
    const american = await createCustomer(api, { currencies: ['USD'], endUserTermsConsent: consent } as never)
    await moved(page, `customers/${encodeURIComponent(american.id)}`)
    await part.getByText(`Version ${version} accepted`).waitFor()
    await part.getByText('this customer is exempt from strong authentication').waitFor()
    expect(await page.getByRole('group', { name: 'Reset of a lost factor' }).count()).toBe(0)
  }, 120_000)

  it('shows the key that webhooks are signed with, and copies it', async () => {
    const platform = await at.server.platform()
    const { keyId, publicKey } = await must(at.server.client(platform).GET('/webhooks/public-key'))
    const page = await opened(platform, 'webhooks')
    await page.getByText(keyId, { exact: true }).waitFor()
    await press(page, 'Copy the public key')
    await page.getByText('copied').waitFor()
    expect(await copied(page)).toBe(publicKey)
  }, 120_000)

  it.each(['light', 'dark', 'phone'] as const)(
    'is accessible and fits (%s)',
    async (look) => {
      const platform = await at.server.platform()
      const { quote, api } = await waitingQuote(platform)
      const swede = await createCustomer(api, { region: 'SE', currencies: ['EUR'], email: 'g@example.com' })
      const path = { params: { path: { customerId: swede.id } } }
      expect((await api.POST('/customers/{customerId}/verify-email', path as never)).response.status).toBe(
        204,
      )
      const size = look === 'phone' ? { width: 360, height: 740 } : { width: 1280, height: 800 }
      const page = await opened(platform, '', size)
      await page.evaluate(`localStorage.setItem('corridor.theme', '${look === 'dark' ? 'dark' : 'light'}')`)
      await page.reload()
      await page.getByRole('heading', { level: 1, name: 'Home' }).waitFor()
      for (const [name, address] of [
        ['money-account', 'sandbox/money'],
        ['money-quote', `sandbox/money?by=quote&for=${encodeURIComponent(quote.id)}`],
        ['money-uma', 'sandbox/money?by=uma'],
        ['inbox', 'sandbox/inbox'],
        ['sandbox', 'sandbox'],
        ['customer', `customers/${encodeURIComponent(swede.id)}`],
        ['webhooks', 'webhooks'],
      ]) {
        await moved(page, address!)
        await page.locator('main h1').waitFor()
        await page.locator('main:not(:has(.skeleton))').waitFor()
        await shoot(page, `${name}-${look}`)
        await expectAccessible(page, `${name}, ${look}`)
        await expectNoSidewaysScroll(page, name!)
      }
    },
    180_000,
  )
})
