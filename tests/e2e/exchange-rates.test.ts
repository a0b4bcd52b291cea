import { createPayee, createQuote, must, openTestServer, quoteBody } from '@corridor/testkit/index.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()

async function start() {
  const platform = await server.platform()
  const api = server.client(platform)
  const rates = (query: object = {}) => api.GET('/exchange-rates', { params: { query } })
  const accountIn = async (currency: string) =>
    (await api.GET('/platform/internal-accounts', { params: { query: { currency } } })).data!.data[0]!.id
  return { platform, api, rates, accountIn }
}

function setConfig(platform: { platformId: string; environment: 'SANDBOX' | 'PRODUCTION' }, set: string) {
  return server.rows(`update platform_configs set ${set} where platform_id = $1 and environment = $2`, [
    platform.platformId,
    platform.environment,
  ])
}

describe('exchange rates', () => {
  it('are all-in: what arrives of an amount, and every fee (16.16)', async () => {
    const { platform, rates } = await start()
    const query = { sourceCurrency: 'USD', destinationCurrency: ['EUR'], sendingAmount: 10_000 }
    const { data, response } = await rates(query)
    const stamp = Math.floor(server.world.now() / 300_000) * 300_000
    expect(data).toEqual({
      data: [
        {
          sourceCurrency: { code: 'USD', name: 'United States Dollar', symbol: '$', decimals: 2 },
          destinationCurrency: { code: 'EUR', name: 'Euro', symbol: '€', decimals: 2 },
          destinationPaymentRail: 'SEPA_INSTANT',
          sendingAmount: 10_000,
          minSendingAmount: 1,
          maxSendingAmount: 100_000_000,
          receivingAmount: 8557,
          exchangeRate: 1.16863387,
          fees: { fixed: 0, total: 50 },
          updatedAt: new Date(stamp).toISOString(),
        },
      ],
    })
    const left = (stamp + 300_000 - server.world.now()) / 1000
    expect(response.headers.get('cache-control')).toBe(`private, max-age=${left}`)

    const fee = {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      variableFeeBps: 30,
      fixedFee: { amount: 50, currency: 'USD' },
    }
    await setConfig(platform, `fee_configs = '${JSON.stringify([fee])}'`)
    const withFee = (await rates(query)).data!.data[0]!
    expect(withFee).toMatchObject({ receivingAmount: 8488, fees: { fixed: 50, total: 130 } })
    const euros = await rates({ sourceCurrency: 'EUR', destinationCurrency: ['USD'] })
    expect(euros.data!.data[0]!.fees.fixed).toBe(0)
  })

  it('cover every configured fiat pair in order, and crypto only when it is named', async () => {
    const { rates } = await start()
    const all = (await rates()).data!.data
    const pairs = all.map((row) => `${row.sourceCurrency.code}-${row.destinationCurrency.code}`)
    expect(new Set(pairs).size).toBe(pairs.length)
    expect(pairs).not.toContain('USD-USD')
    expect(pairs.filter((pair) => /-(USDC|USDT|USDB|BTC|ARS)$/.test(pair))).toEqual([])
    expect(pairs).toContain('BTC-USD')
    const ofUsd = all
      .filter((row) => row.sourceCurrency.code === 'USD')
      .map((row) => row.destinationCurrency.code)
    expect(ofUsd).toEqual([...ofUsd].sort())
    expect(pairs[0]).toMatch(/^USD-/)

    const named = await rates({ sourceCurrency: 'USD', destinationCurrency: ['USDC', 'EUR', 'USDC'] })
    const rows = named.data!.data.map((row) => [row.destinationCurrency.code, row.destinationPaymentRail])
    expect(rows).toEqual([
      ['EUR', 'SEPA_INSTANT'],
      ['USDC', 'SOLANA'],
    ])
  })

  it('are those of a quote made from the same snapshot (6.1)', async () => {
    const { platform, api, rates, accountIn } = await start()
    const fee = {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      variableFeeBps: 30,
      fixedFee: { amount: 50, currency: 'USD' },
    }
    await setConfig(platform, `fee_configs = '${JSON.stringify([fee])}'`)
    const source = { id: await accountIn('USD') }
    for (const [currency, amount] of [
      ['EUR', 12_345],
      ['VND', 999],
      ['BTC', 70_001],
    ] as const) {
      const listed = await rates({
        sourceCurrency: 'USD',
        destinationCurrency: [currency],
        sendingAmount: amount,
      })
      const quoted = await createQuote(api, quoteBody(source, { id: await accountIn(currency) }, amount))
      const { receivingAmount, fees } = listed.data!.data[0]!
      expect([receivingAmount, fees.total], currency).toEqual([
        quoted.totalReceivingAmount,
        quoted.feesIncluded,
      ])
    }
  })

  it('include what the chain takes', async () => {
    const { rates } = await start()
    const query = { sourceCurrency: 'USD', destinationCurrency: ['USDC'], sendingAmount: 20_000 }
    expect((await rates(query)).data!.data[0]).toMatchObject({
      receivingAmount: 199_790_000,
      fees: { fixed: 1, total: 21 },
    })
  })

  it('of nothing show the price of the reference amount, and never less than nothing', async () => {
    const { platform, rates } = await start()
    const query = { sourceCurrency: 'USD', destinationCurrency: ['EUR'] }
    const reference = (await rates(query)).data!.data[0]!
    expect((await rates({ ...query, sendingAmount: 0 })).data!.data[0]).toEqual({
      ...reference,
      sendingAmount: 0,
      receivingAmount: 0,
    })
    const fee = {
      feeType: 'CROSS_CURRENCY_TRANSACTION',
      sourceCurrency: 'USD',
      variableFeeBps: 0,
      fixedFee: { amount: 500, currency: 'USD' },
    }
    await setConfig(platform, `fee_configs = '${JSON.stringify([fee])}'`)
    expect((await rates({ ...query, sendingAmount: 100 })).data!.data[0]).toMatchObject({
      receivingAmount: 0,
    })
  })

  it('below the fixed fee show no negative fee', async () => {
    const { platform, rates } = await start()
    const fixedFee = { amount: 500, currency: 'USD' }
    const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', fixedFee }
    await setConfig(platform, `fee_configs = '${JSON.stringify([{ ...fee, variableFeeBps: 2_000 }])}'`)
    for (const sendingAmount of [1, 100, 499, 500, 549, 550, 551, 600]) {
      const query = { sourceCurrency: 'USD', destinationCurrency: ['EUR'], sendingAmount }
      const { fees } = (await rates(query)).data!.data[0]!
      expect(fees.total, `${sendingAmount}`).toBeGreaterThanOrEqual(fees.fixed)
    }
  })

  it('have no row where the fees are more than any payment, and refuse an amount that has such', async () => {
    const { platform, rates } = await start()
    const largest = 9_000_000_000_000_000
    const ofFees = async (variableFeeBps: number, amount: number, sendingAmount: number) => {
      const fixedFee = { amount, currency: 'USD' }
      const fee = { feeType: 'CROSS_CURRENCY_TRANSACTION', sourceCurrency: 'USD', variableFeeBps, fixedFee }
      await setConfig(platform, `fee_configs = '${JSON.stringify([fee])}'`)
      return rates({ sourceCurrency: 'USD', destinationCurrency: ['EUR'], sendingAmount })
    }
    expect((await ofFees(0, largest, 10_000)).data).toEqual({ data: [] })
    expect((await ofFees(10_000, 0, 10_000)).data!.data).toHaveLength(1)
    expect((await ofFees(10_000, 0, largest)).error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'sendingAmount' },
    })
  })

  it('refuse unknown currencies and bad amounts, and leave out what is no corridor', async () => {
    const { platform, rates } = await start()
    for (const query of [{ sourceCurrency: 'XXX' }, { destinationCurrency: ['EUR', 'usd'] }]) {
      expect((await rates(query)).error).toMatchObject({ status: 400, code: 'INVALID_CURRENCY' })
    }
    for (const sendingAmount of [-1, 1.5, 'x']) {
      expect((await rates({ sendingAmount })).error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    }
    const query = { sourceCurrency: 'USD', destinationCurrency: ['ARS'] }
    expect((await rates(query)).data).toEqual({ data: [] })
    const onlyEuro = {
      currencyCode: 'EUR',
      minAmount: 1,
      maxAmount: 5,
      requiredCounterpartyFields: [],
      enabledTransactionTypes: ['OUTGOING'],
    }
    await setConfig(platform, `supported_currencies = '${JSON.stringify([onlyEuro])}'`)
    expect((await rates({ sourceCurrency: 'USD' })).data).toEqual({ data: [] })
  })
})

describe('exchange rates for an amount to be received', () => {
  const solana = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'
  const fee = (variableFeeBps: number, amount: number) => ({
    feeType: 'CROSS_CURRENCY_TRANSACTION',
    sourceCurrency: 'USD',
    variableFeeBps,
    fixedFee: { amount, currency: 'USD' },
  })

  it('tell what has to be sent, all-in (16.16, the other way)', async () => {
    const { platform, rates } = await start()
    const query = { sourceCurrency: 'USD', destinationCurrency: ['EUR'] }
    const bySent = (await rates({ ...query, sendingAmount: 10_000 })).data!.data[0]!
    const { data, response } = await rates({ ...query, receivingAmount: 8557 })
    // 9950 · 0.86 is 8557 exactly, so the two directions are one row.
    expect(data!.data).toEqual([bySent])
    const left = (Date.parse(bySent.updatedAt) + 300_000 - server.world.now()) / 1000
    expect(response.headers.get('cache-control')).toBe(`private, max-age=${left}`)

    await setConfig(platform, `fee_configs = '${JSON.stringify([fee(30, 50)])}'`)
    // 9999 − 50 − 50 − 30 is 9869, and 8487.34 of it; 9998 would bring 8486.48.
    expect((await rates({ ...query, receivingAmount: 8487 })).data!.data[0]).toMatchObject({
      sendingAmount: 9999,
      receivingAmount: 8487,
      fees: { fixed: 50, total: 130 },
    })
  })

  it('are what a quote comes to that locks it, whatever corridor, fee and amount', async () => {
    const { platform, api, rates, accountIn } = await start()
    const sources = ['USD', 'EUR', 'MXN', 'BTC', 'USDC']
    const targets = ['EUR', 'USD', 'VND', 'BTC', 'INR', 'GBP']
    const accounts = new Map<string, string>()
    for (const code of new Set([...sources, ...targets])) accounts.set(code, await accountIn(code))
    // A chain takes a share of its own.
    const wallet = (await createPayee(api, 'SOLANA', solana)).id
    let quoted = 0
    const cases = fc.record({
      source: fc.constantFrom(...sources),
      target: fc.constantFrom(...targets, 'SOLANA'),
      amount: fc.oneof(fc.integer({ min: 1, max: 2_000 }), fc.integer({ min: 1, max: 90_000_000 })),
      bps: fc.constantFrom(0, 1, 30, 333, 5_000, 9_949),
      fixed: fc.constantFrom(0, 1, 50, 777),
    })
    await fc.assert(
      fc.asyncProperty(cases, async ({ source, target, amount, bps, fixed }) => {
        const code = target === 'SOLANA' ? 'USDC' : target
        // Their rates are those of the network alone (6.1).
        fc.pre(source !== code)
        await setConfig(platform, `fee_configs = '${JSON.stringify([fee(bps, fixed)])}'`)
        const query = { sourceCurrency: source, destinationCurrency: [code] }
        const [row] = (await must(rates({ ...query, receivingAmount: amount }))).data
        const to = { id: target === 'SOLANA' ? wallet : accounts.get(target)! }
        const body = quoteBody({ id: accounts.get(source)! }, to, amount, { lockedCurrencySide: 'RECEIVING' })
        const { data: quote, error } = await api.POST('/quotes', { body })
        expect(row!.receivingAmount).toBe(amount)
        if (!quote) {
          // It is priced all the same, as an amount to be sent is.
          expect(error).toMatchObject({ code: 'AMOUNT_OUT_OF_RANGE' })
          expect(row!.sendingAmount).toBeGreaterThan(row!.maxSendingAmount)
          return
        }
        quoted++
        expect([row!.sendingAmount, row!.receivingAmount, row!.fees.total]).toEqual([
          quote.totalSendingAmount,
          quote.totalReceivingAmount,
          quote.feesIncluded,
        ])
        const [sent, received] = [
          quote.totalSendingAmount / 10 ** quote.sendingCurrency.decimals,
          quote.totalReceivingAmount / 10 ** quote.receivingCurrency.decimals,
        ]
        expect(row!.exchangeRate / (sent / received)).toBeCloseTo(1, 6)
        // Sending that much delivers it at the same fees, and one unit less does not.
        const [forth] = (await must(rates({ ...query, sendingAmount: row!.sendingAmount }))).data
        expect(forth!.receivingAmount).toBeGreaterThanOrEqual(amount)
        expect(forth!.fees).toEqual(row!.fees)
        if (row!.sendingAmount === 1) return
        const [less] = (await must(rates({ ...query, sendingAmount: row!.sendingAmount - 1 }))).data
        expect(less!.receivingAmount).toBeLessThan(amount)
      }),
      { numRuns: 120, seed: 11 },
    )
    expect(quoted).toBeGreaterThan(60)
  }, 60_000)

  it('lock and keep nothing', async () => {
    const { platform, rates } = await start()
    await must(rates({ receivingAmount: 5_000 }))
    expect(await server.rows('select 1 from quotes where platform_id = $1', [platform.platformId])).toEqual(
      [],
    )
  })

  it('have no row where the fees let no amount deliver it', async () => {
    const { platform, rates } = await start()
    const query = { sourceCurrency: ['USD', 'GBP'], destinationCurrency: ['EUR'] }
    await setConfig(platform, `fee_configs = '${JSON.stringify([fee(9_950, 0)])}'`)
    const of = async (more: object) =>
      (await must(rates({ ...query, ...more }))).data.map((row) => [
        row.sourceCurrency.code,
        row.receivingAmount,
      ])
    expect(await of({ receivingAmount: 5_000 })).toEqual([['GBP', 5_000]])
    expect((await of({ sendingAmount: 1_000_000 }))[0]).toEqual(['USD', 0])
  })

  it('refuse what is no amount, or more than can be sent', async () => {
    const { rates } = await start()
    for (const receivingAmount of [
      0,
      -1,
      1.5,
      'x',
      '',
      '1e3',
      '0x10',
      9_000_000_000_000_001,
      '9'.repeat(400),
      [5, 6],
    ]) {
      expect((await rates({ receivingAmount })).error, String(receivingAmount)).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
        details: { field: 'receivingAmount' },
      })
    }
    // A satoshi is worth more than a cent of rupiahs, not the other way round.
    const query = { sourceCurrency: 'VND', destinationCurrency: ['BTC'] }
    expect((await rates({ ...query, receivingAmount: 9_000_000_000_000_000 })).error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'receivingAmount', errors: [{ message: 'is too large when converted to VND' }] },
    })
  })

  it('are for one of the two amounts, and say so of both', async () => {
    const { rates } = await start()
    for (const both of [
      { sendingAmount: 10_000, receivingAmount: 8557 },
      { sendingAmount: 0, receivingAmount: 1 },
    ]) {
      expect((await rates(both)).error).toMatchObject({
        status: 400,
        code: 'INVALID_INPUT',
        details: {
          errors: [
            { field: 'sendingAmount', message: 'must not be given together with receivingAmount' },
            { field: 'receivingAmount', message: 'must not be given together with sendingAmount' },
          ],
        },
      })
    }
    // What is wrong of one of them weighs more, and the other is named all the same.
    expect((await rates({ sendingAmount: -1, receivingAmount: 8557 })).error).toMatchObject({
      details: {
        errors: [
          { field: 'sendingAmount', message: 'must be >= 0' },
          { field: 'receivingAmount', message: 'must not be given together with sendingAmount' },
        ],
      },
    })
  })
})

describe('the fee of a withdrawal', () => {
  const solana = '7xKXtg2CW87d97TXJSDpbD5jBkheTqA83TZRuJosgAsU'

  it('is estimated without touching anything (16.16)', async () => {
    const { api, accountIn } = await start()
    const internalAccountId = await accountIn('USDC')
    const estimate = (body: object) =>
      api.POST('/crypto/estimate-withdrawal-fee', {
        body: {
          internalAccountId,
          currency: 'USDC',
          cryptoNetwork: 'SOLANA',
          amount: 1_000_000,
          destinationAddress: solana,
          ...body,
        } as never,
      })
    expect((await estimate({})).data).toEqual({
      networkFee: 5000,
      networkFeeAsset: 'SOL',
      applicationFee: 0,
      totalFee: 5000,
      netAmount: 995_000,
    })
    expect((await estimate({ amount: 5001 })).data).toMatchObject({ netAmount: 1 })
    const evm = {
      cryptoNetwork: 'ETHEREUM',
      destinationAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    }
    expect((await estimate({ ...evm, amount: 2_000_000 })).data).toEqual({
      networkFee: 150_000_000_000_000,
      networkFeeAsset: 'ETH',
      applicationFee: 0,
      totalFee: 600_000,
      netAmount: 1_400_000,
    })
    for (const [body, code, field] of [
      [{ amount: 5000 }, 'AMOUNT_OUT_OF_RANGE', undefined],
      [{ amount: 0 }, 'INVALID_AMOUNT', 'amount'],
      [{ amount: -5 }, 'INVALID_AMOUNT', 'amount'],
      [{ currency: 'USDT' }, 'INVALID_CURRENCY', 'currency'],
      [{ cryptoNetwork: 'TRON' }, 'INVALID_INPUT', 'cryptoNetwork'],
      [{ cryptoNetwork: 'MOON' }, 'INVALID_INPUT', 'cryptoNetwork'],
      [
        { destinationAddress: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' },
        'INVALID_INPUT',
        'destinationAddress',
      ],
      [{ internalAccountId: await accountIn('USD'), currency: 'USD' }, 'INVALID_INPUT', 'internalAccountId'],
    ] as const) {
      const { error } = await estimate(body)
      const bounds = { min: 5_001, max: expect.any(Number), currency: 'USDC' }
      const details = code === 'AMOUNT_OUT_OF_RANGE' ? bounds : {}
      expect(error, JSON.stringify(body)).toMatchObject({ status: 400, code, details })
      expect((error as unknown as { details: { field?: string } }).details.field).toBe(field)
    }
    const unknown = { internalAccountId: 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70' }
    expect((await estimate(unknown)).error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
  })

  it.each([
    ['SPARK', 'spark1qv9pzxqlyckngw6zf9g9whn9d3eh4qvg37tfmf9tk2uup37w6hww86h3lqvvxgw7', 0],
    ['LIGHTNING', 'amina@wallet.example', 0],
    ['BITCOIN', 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 1500],
  ])('of bitcoin depends on the network: %s', async (cryptoNetwork, destinationAddress, totalFee) => {
    const { api, accountIn } = await start()
    const internalAccountId = await accountIn('BTC')
    const body = { internalAccountId, currency: 'BTC', cryptoNetwork, amount: 100_000, destinationAddress }
    const { data } = await api.POST('/crypto/estimate-withdrawal-fee', { body: body as never })
    expect(data).toMatchObject({ totalFee, netAmount: 100_000 - totalFee, networkFeeAsset: 'BTC' })
    const wrong = { ...body, destinationAddress: solana }
    const { error } = await api.POST('/crypto/estimate-withdrawal-fee', { body: wrong as never })
    expect(error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'destinationAddress' } })
  })
})
