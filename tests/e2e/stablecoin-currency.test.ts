import {
  createCustomer,
  createPayee,
  createQuote,
  execute,
  fund,
  internalAccountOf,
  must,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { operate } from './onboarding.ts'
import { laterOperation, stablecoinApi } from './stablecoin-api.ts'

// Cards-stablecoins 2.3: an enabled coin is a currency of its platform, in accounts and in quotes.

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

type Coins = Awaited<ReturnType<typeof stablecoinApi>>

const decide = (coinId: string, decision: string) =>
  operate(server, 'POST', `/stablecoins/${coinId}/enablement`, { decision, reason: 'Reserves were seen' })

/** Registers a coin and makes it a currency of the service. */
async function enabledCoin(coins: Coins, name: string) {
  const { body: coin } = await coins.register(name)
  await coins.post(`/stablecoins/${coin.id}/grid-enablement`, {}, null)
  expect(await decide(coin.id, 'APPROVE')).toMatchObject({ status: 200 })
  await server.settle()
  return coin as { id: string; symbol: string }
}

/** Adds a currency to those that the platform supports. */
async function support({ api }: Coins, currencyCode: string) {
  const { supportedCurrencies } = await must(api.GET('/config'))
  const entry = {
    currencyCode,
    minAmount: 1,
    maxAmount: 1_000_000_000_000,
    requiredCounterpartyFields: [],
    enabledTransactionTypes: ['OUTGOING' as const, 'INCOMING' as const],
  }
  return api.PATCH('/config', { body: { supportedCurrencies: [...supportedCurrencies, entry] as never } })
}

/** A platform whose coin is a currency, and a customer who has an account in it. */
async function start() {
  const coins = await stablecoinApi(server)
  const coin = await enabledCoin(coins, 'acme')
  await must(support(coins, 'ACME'))
  await server.settle()
  const customer = await createCustomer(coins.api, { currencies: ['USD', 'EUR', 'ACME'] })
  const account = (currency: string) => internalAccountOf(coins.api, customer.id, currency)
  const mint = async (accountId: string, amount: string) => {
    const minted = await coins.post(`/stablecoins/${coin.id}/mints`, {
      amount,
      fundingSource: { type: 'ACH_DEBIT', externalAccountId: coins.bank.id },
      destination: { accountId },
    })
    expect(minted).toMatchObject({ status: 201, body: { status: 'PENDING_PROVIDER' } })
    return laterOperation(server, coins.get, minted.body.id)
  }
  const types = async () => (await server.events(coins.platform)).map(({ type }) => type)
  return { ...coins, coin, customer, account, mint, types }
}

describe('a coin that is enabled', () => {
  it('is no currency before that, nor of another platform, nor where it is not dollars of six decimals', async () => {
    const coins = await stablecoinApi(server)
    const { body: coin } = await coins.register('acme')
    const refused = { code: 'INVALID_CURRENCY' }
    expect((await support(coins, 'ACME')).error).toMatchObject(refused)
    await coins.post(`/stablecoins/${coin.id}/grid-enablement`, {}, null)
    expect((await support(coins, 'ACME')).error).toMatchObject(refused)
    await decide(coin.id, 'APPROVE')
    await server.settle()
    const other = await stablecoinApi(server)
    expect((await support(other, 'ACME')).error).toMatchObject(refused)
    expect((await support(coins, 'ACME')).response.status).toBe(200)
    for (const name of ['acme dollar', 'ac:me', 'a', 'abcdefghijklm', '1up']) {
      const { body: odd } = await coins.register(name)
      expect(await coins.post(`/stablecoins/${odd.id}/grid-enablement`, {}, null)).toMatchObject({
        status: 200,
        body: { gridOperationsStatus: 'PENDING_APPROVAL' },
      })
      expect(await decide(odd.id, 'APPROVE')).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT', details: { reason: 'CURRENCY_NOT_SUPPORTED' } },
      })
      expect(await decide(odd.id, 'DECLINE')).toMatchObject({
        status: 200,
        body: { gridOperationsStatus: 'NOT_ENABLED' },
      })
    }
  })

  it('gives the platform and its customers accounts, with six decimals', async () => {
    const { api, account, get } = await start()
    expect(await account('ACME')).toMatchObject({
      type: 'INTERNAL_CRYPTO',
      status: 'ACTIVE',
      balance: { amount: 0, currency: { code: 'ACME', name: 'ACME', symbol: 'ACME', decimals: 6 } },
    })
    const { data } = await must(
      api.GET('/platform/internal-accounts', { params: { query: { currency: 'ACME' } as never } }),
    )
    expect(data).toHaveLength(1)
    const unnamed = await createCustomer(api, { region: 'US', currencies: undefined as never })
    expect(unnamed.currencies).toContain('ACME')
    expect(await get('/exchange-rates?sourceCurrency=ACME&destinationCurrency=EUR')).toMatchObject({
      data: [{ sourceCurrency: { code: 'ACME', decimals: 6 }, destinationCurrency: { code: 'EUR' } }],
    })
  })

  it('is minted into an account, and the owner is told', async () => {
    const { api, account, mint, types, platform, coin } = await start()
    const { id } = await account('ACME')
    expect(await mint(id, '5000000')).toMatchObject({ status: 'COMPLETED', destination: { accountId: id } })
    expect((await account('ACME')).balance.amount).toBe(5_000_000)
    expect(await server.ledgerBalances(platform)).toEqual({
      [`coinres:${coin.id}:ACME`]: -5_000_000n,
      [`avail:${id}`]: 5_000_000n,
    })
    expect((await types()).filter((type) => type === 'INTERNAL_ACCOUNT.BALANCE_UPDATED')).toHaveLength(1)
    const { data } = await must(api.GET('/transactions', { params: { query: { accountIdentifier: id } } }))
    expect(data).toMatchObject([
      { type: 'INCOMING', direction: 'CREDIT', status: 'COMPLETED', receivedAmount: { amount: 5_000_000 } },
    ])
  })

  it('waits in suspense when the account it is minted for is closed meanwhile', async () => {
    const { account, coin, post, bank, get, platform } = await start()
    const { id } = await account('ACME')
    const minted = await post(`/stablecoins/${coin.id}/mints`, {
      amount: '5000000',
      fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
      destination: { accountId: id },
    })
    expect(await operate(server, 'POST', `/internal-accounts/${id}/close`)).toMatchObject({ status: 200 })
    expect(await laterOperation(server, get, minted.body.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await server.ledgerBalances(platform)).toMatchObject({ 'susp:ACME': 5_000_000n })
  })

  it.each(['frozen', 'full'])(
    'waits in suspense when that account is %s meanwhile, until its release',
    async (how) => {
      const { account, coin, post, bank, get, platform } = await start()
      const { id } = await account('ACME')
      const minted = await post(`/stablecoins/${coin.id}/mints`, {
        amount: '5000000',
        fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
        destination: { accountId: id },
      })
      const move = async (on: 'freeze' | 'release') =>
        expect(await operate(server, 'POST', `/internal-accounts/${id}/${on}`)).toMatchObject({ status: 200 })
      if (how === 'full') {
        for (const amount of [4_500_000_000_000_000, Number.MAX_SAFE_INTEGER - 4_500_000_004_999_999]) {
          const railReference = `fills-${amount}`
          await post('/sandbox/inbound-payments', { currency: 'ACME', amount, railReference })
          const { platformId, environment } = platform
          const query = `platformId=${platformId}&environment=${environment}&status=WAITING`
          const [item] = (await operate(server, 'GET', `/suspense?${query}`)).body.data
          const body = { accountId: id, reason: 'Found' }
          expect(await operate(server, 'POST', `/suspense/${item.id}/assign`, body)).toMatchObject({
            status: 200,
          })
        }
      }
      if (how === 'frozen') await move('freeze')
      expect(await laterOperation(server, get, minted.body.id)).toMatchObject({ status: 'COMPLETED' })
      const suspended = async () => (await server.ledgerBalances(platform))['susp:ACME'] ?? 0n
      expect(await suspended()).toBe(5_000_000n)
      if (how === 'full') return
      await move('release')
      await server.settle()
      expect([await suspended(), (await account('ACME')).balance.amount]).toEqual([0n, 5_000_000])
    },
  )

  it('converts at par from and to dollars, at the market to other money, and moves between accounts', async () => {
    const { api, account, mint, customer } = await start()
    const [acme, usd, eur] = [await account('ACME'), await account('USD'), await account('EUR')]
    await mint(acme.id, '5000000')
    await fund(api, usd.id, 1_000)
    const run = async (source: { id: string }, destination: { id: string }, amount: number) => {
      const quote = await createQuote(api, quoteBody(source, destination, amount))
      expect((await execute(api, quote.id)).response.status).toBe(200)
      await server.settle()
      expect(
        (await must(api.GET('/quotes/{quoteId}', { params: { path: { quoteId: quote.id } } }))).status,
      ).toBe('COMPLETED')
      return quote
    }
    const bought = await run(usd, acme, 1_000)
    // A tenth of a percent between dollars: 1000 cents less 1 are 9.99 coins.
    expect(bought).toMatchObject({
      sendingCurrency: { code: 'USD' },
      receivingCurrency: { code: 'ACME', decimals: 6 },
      feesIncluded: 1,
      totalReceivingAmount: 9_990_000,
      exchangeRate: 1,
    })
    expect((await account('ACME')).balance.amount).toBe(14_990_000)
    const sold = await run(acme, usd, 1_000_000)
    expect(sold).toMatchObject({ feesIncluded: 1_000, totalReceivingAmount: 99 })
    const abroad = await run(acme, eur, 10_000_000)
    // Half a percent to other money, and 0.86 EUR for a dollar.
    expect(abroad).toMatchObject({
      feesIncluded: 50_000,
      totalReceivingAmount: 855,
      receivingCurrency: { code: 'EUR' },
    })
    const heir = await createCustomer(api, { currencies: ['ACME'] })
    const theirs = await internalAccountOf(api, heir.id, 'ACME')
    expect(await run(acme, theirs, 1_000_000)).toMatchObject({
      feesIncluded: 0,
      totalReceivingAmount: 1_000_000,
    })
    expect((await internalAccountOf(api, heir.id, 'ACME')).balance.amount).toBe(1_000_000)
    const payee = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    expect(await run(acme, payee, 1_000_000)).toMatchObject({ receivingCurrency: { code: 'EUR' } })
    expect((await account('ACME')).balance.amount).toBe(
      14_990_000 - 1_000_000 - 10_000_000 - 1_000_000 - 1_000_000,
    )
  })

  it('goes to a Spark wallet that takes it, and to no other', async () => {
    const { api, account, mint, customer } = await start()
    const acme = await account('ACME')
    await mint(acme.id, '2000000')
    const wallet = (accountInfo: object) =>
      api.POST('/customers/external-accounts', {
        body: { customerId: customer.id, currency: 'ACME', accountInfo } as never,
      })
    const solana = { accountType: 'SOLANA_WALLET', address: '4Nd1mYwzYxqy9nBQ6j3wKqvN1gqPpQxNq6ZJxY4z5o8M' }
    expect((await wallet(solana)).error).toMatchObject({ code: 'INVALID_CURRENCY' })
    const spark = {
      accountType: 'SPARK_WALLET',
      address: 'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
    }
    const payee = await must(wallet(spark))
    const quote = await createQuote(api, quoteBody(acme, payee, 1_000_000))
    expect(quote).toMatchObject({ totalReceivingAmount: 1_000_000, receivingCurrency: { code: 'ACME' } })
    await execute(api, quote.id)
    await server.settle()
    expect((await account('ACME')).balance.amount).toBe(1_000_000)
  })
})

describe('a coin that is disabled', () => {
  it('keeps its accounts and balances and takes no new movements, until it is enabled again', async () => {
    const { api, account, mint, coin, get, post, bank, customer } = await start()
    const [acme, usd] = [await account('ACME'), await account('USD')]
    await mint(acme.id, '5000000')
    const earlier = await createQuote(api, quoteBody(acme, usd, 1_000_000))
    expect(await decide(coin.id, 'DISABLE')).toMatchObject({ body: { currency: 'ACME' } })
    expect((await account('ACME')).balance).toMatchObject({ amount: 5_000_000, currency: { decimals: 6 } })
    const refused = { code: 'INVALID_CURRENCY', details: { currency: 'ACME' } }
    expect((await api.POST('/quotes', { body: quoteBody(acme, usd, 1_000_000) })).error).toMatchObject(
      refused,
    )
    expect((await execute(api, earlier.id)).error).toMatchObject(refused)
    await fund(api, usd.id, 1_000)
    expect((await api.POST('/quotes', { body: quoteBody(usd, acme, 1_000) })).error).toMatchObject(refused)
    const funding = await api.POST('/sandbox/internal-accounts/{accountId}/fund', {
      params: { path: { accountId: acme.id } },
      body: { amount: 1 },
    })
    expect(funding.error).toMatchObject({ code: 'CONFLICT', details: { reason: 'CURRENCY_DISABLED' } })
    expect(
      await post(`/stablecoins/${coin.id}/mints`, {
        amount: '10000',
        fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
        destination: { accountId: acme.id },
      }),
    ).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(await get('/exchange-rates?sourceCurrency=ACME')).toMatchObject({ code: 'INVALID_CURRENCY' })
    // What is in the list already may stay in it.
    const { supportedCurrencies } = await must(api.GET('/config'))
    await must(api.PATCH('/config', { body: { supportedCurrencies } as never }))
    expect((await account('ACME')).balance.amount).toBe(5_000_000)

    await decide(coin.id, 'RE_ENABLE')
    await server.settle()
    const again = await createQuote(api, quoteBody(acme, usd, 1_000_000))
    expect((await execute(api, again.id)).response.status).toBe(200)
    await server.settle()
    expect((await internalAccountOf(api, customer.id, 'ACME')).balance.amount).toBe(4_000_000)
  })
})
