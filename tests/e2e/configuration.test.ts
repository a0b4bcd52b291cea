import { openTestServer, operatorKey } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'

const server = await openTestServer()

async function start(environment: 'SANDBOX' | 'PRODUCTION' = 'SANDBOX') {
  const platform = await server.platform({ environment })
  const api = server.client(platform)
  return {
    platform,
    api,
    read: async () => (await api.GET('/config')).data!,
    change: (body: unknown) => api.PATCH('/config', { body: body as never }),
    events: async () => {
      const told = await server.events(platform)
      return (await eventTypes(platform.platformId)).map((row, index) => ({ ...row, told: told[index] }))
    },
  }
}

async function eventTypes(platformId: string): Promise<{ type: string; status: string }[]> {
  return server.rows('select type, status from events where platform_id = $1 order by seq', [platformId])
}

const fee = (variableFeeBps: number, amount: number) => ({
  feeType: 'CROSS_CURRENCY_TRANSACTION',
  sourceCurrency: 'USD',
  variableFeeBps,
  fixedFee: { amount, currency: 'USD' },
})

const usd = {
  currencyCode: 'USD',
  minAmount: 100,
  maxAmount: 5_000_000,
  requiredCounterpartyFields: [],
  enabledTransactionTypes: ['OUTGOING'],
}

describe('the configuration', () => {
  it('exists from the start, with every currency and nothing else set', async () => {
    const { read, platform } = await start()
    const config = await read()
    expect(config).toMatchObject({
      id: `PlatformConfig:${platform.platformId}`,
      isRegulatedFinancialInstitution: false,
      feeConfigs: [],
      proxyUmaSubdomain: config.umaDomain.split('.')[0],
    })
    expect(config.supportedCurrencies.map(({ currencyCode }) => currencyCode)).toEqual(
      expect.arrayContaining(['USD', 'EUR', 'USDC', 'BTC']),
    )
    for (const absent of ['webhookEndpoint', 'embeddedWalletConfig', 'cardTokenization2faConfig']) {
      expect(config).not.toHaveProperty(absent)
    }
  })

  it('leaves everything alone for an empty body and for values that are set', async () => {
    const { read, change } = await start()
    const before = await read()
    server.world.passMs(1000)
    expect((await change({})).data).toEqual(before)
    expect((await change({ umaDomain: before.umaDomain.toUpperCase(), id: 'x' })).data).toEqual(before)
    // What was read may be sent back whole; what cannot be set is ignored.
    const unsettable = {
      id: 'x',
      isRegulatedFinancialInstitution: true,
      proxyUmaSubdomain: 'other',
      createdAt: 'x',
      updatedAt: 'x',
    }
    expect((await change({ ...before, ...unsettable })).data).toEqual(before)
  })

  it('merges fees by key, and drops an entry that takes nothing', async () => {
    const { change } = await start()
    const first = await change({ feeConfigs: [fee(40, 50)] })
    expect(first.response.status).toBe(200)
    expect(first.data!.feeConfigs).toEqual([fee(40, 50)])

    const other = await change({ embeddedWalletConfig: { appName: 'Larch' } })
    expect(other.data).toMatchObject({
      feeConfigs: [fee(40, 50)],
      embeddedWalletConfig: { appName: 'Larch' },
    })
    expect((await change({ feeConfigs: [fee(10, 0)] })).data!.feeConfigs).toEqual([fee(10, 0)])
    expect((await change({ feeConfigs: [fee(0, 0)] })).data!.feeConfigs).toEqual([])

    const foreign = await change({ feeConfigs: [{ ...fee(40, 50), sourceCurrency: 'EUR' }] })
    expect(foreign.error).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
  })

  it('tells a changed endpoint about itself once, and no other change', async () => {
    const { change, events, read } = await start()
    const webhookEndpoint = 'https://hooks.larch.example/in'
    expect((await change({ webhookEndpoint })).response.status).toBe(200)
    expect((await change({ webhookEndpoint })).response.status).toBe(200)
    expect((await change({ webhookEndpoint: null })).response.status).toBe(200)
    expect(await read()).not.toHaveProperty('webhookEndpoint')

    const sent = await events()
    expect(sent.map(({ type, status }) => [type, status])).toEqual([['TEST', 'QUEUED']])
    expect(sent[0]!.told).toMatchObject({ type: 'TEST', data: {} })
    await change({ webhookEndpoint: 'http://localhost:4000/in' })
    expect(await events()).toHaveLength(2)
  })

  it('merges nested objects and keeps absent keys', async () => {
    const { change } = await start()
    await change({
      embeddedWalletConfig: { appName: 'Larch', otpLength: 8 },
      cardTokenization2faConfig: { displayName: 'L', email: { fromName: 'Larch', subject: 'Code' } },
    })
    const answer = await change({
      embeddedWalletConfig: { otpLength: 5 },
      cardTokenization2faConfig: { email: { subject: 'Your code' }, sms: { bodyText: 'x' } },
    })
    expect(answer.data).toMatchObject({
      embeddedWalletConfig: { appName: 'Larch', otpLength: 5 },
      cardTokenization2faConfig: {
        displayName: 'L',
        email: { fromName: 'Larch', subject: 'Your code' },
        sms: { bodyText: 'x' },
      },
    })
  })

  it('replaces the list of currencies, and opens accounts in those it gains', async () => {
    const { api, change } = await start()
    const accounts = async () => (await api.GET('/platform/internal-accounts')).data!.data.length
    const all = await accounts()
    const answer = await change({ supportedCurrencies: [usd] })
    expect(answer.data!.supportedCurrencies).toEqual([usd])
    expect(await accounts()).toBe(all)

    const euro = { ...usd, currencyCode: 'EUR', enabledTransactionTypes: ['OUTGOING', 'OUTGOING'] }
    const wider = await change({
      supportedCurrencies: [usd, { ...euro, providerRequiredCustomerFields: ['EMAIL'] }],
    })
    expect(wider.data!.supportedCurrencies[1]).toEqual({ ...euro, enabledTransactionTypes: ['OUTGOING'] })
    expect(await accounts()).toBe(all)
  })

  it('names every wrong field at once and changes nothing', async () => {
    const { change, read } = await start()
    const before = await read()
    const answer = await change({
      umaDomain: 'not a host',
      webhookEndpoint: 'ftp://hooks.larch.example',
      supportedCurrencies: [{ ...usd, minAmount: 10, maxAmount: 5 }, usd, { ...usd, minAmount: -1 }],
      feeConfigs: [fee(1, 1), fee(2, 2), { ...fee(1, 1), fixedFee: { amount: 1, currency: 'EUR' } }],
      embeddedWalletConfig: { otpLength: 3, appName: 'Larch' },
      cardTokenization2faConfig: { logoUrl: 'http://larch.example/logo.png' },
    })
    expect(answer.error).toMatchObject({ status: 400, code: 'INVALID_INPUT' })
    expect(fieldsOf(answer.error)).toEqual([
      'cardTokenization2faConfig.logoUrl',
      'embeddedWalletConfig.otpLength',
      'feeConfigs.1',
      'feeConfigs.2',
      'feeConfigs.2.fixedFee.currency',
      'supportedCurrencies.0.minAmount',
      'supportedCurrencies.1.currencyCode',
      'supportedCurrencies.2.currencyCode',
      'supportedCurrencies.2.minAmount',
      'umaDomain',
      'webhookEndpoint',
    ])
    expect(await read()).toEqual(before)
  })

  it.each(['javascript:alert(1)', 'http://larch.example/logo.png', 'data:text/html,x'])(
    'shows people nothing from %s',
    async (logoUrl) => {
      const { change } = await start()
      for (const part of ['embeddedWalletConfig', 'cardTokenization2faConfig']) {
        expect(fieldsOf((await change({ [part]: { logoUrl } })).error)).toEqual([`${part}.logoUrl`])
      }
      const settings = {
        invitations: { name: 'Larch', countries: ['US'], logoUrl, onboardingUrl: logoUrl },
      }
      const platform = await server.platform()
      const refused = await server.fetch(
        `http://corridor.test/operator/platforms/${platform.platformId}?environment=SANDBOX`,
        {
          method: 'PATCH',
          headers: { authorization: `Bearer ${operatorKey}`, 'content-type': 'application/json' },
          body: JSON.stringify({ settings }),
        },
      )
      expect(refused.status).toBe(400)
      expect(fieldsOf(await refused.json())).toEqual([
        'settings.invitations.logoUrl',
        'settings.invitations.onboardingUrl',
      ])
    },
  )

  it('answers INVALID_CURRENCY for a currency that the service does not know', async () => {
    const { change } = await start()
    const answer = await change({ supportedCurrencies: [usd, { ...usd, currencyCode: 'usd' }] })
    expect(answer.error).toMatchObject({
      code: 'INVALID_CURRENCY',
      details: { field: 'supportedCurrencies.1.currencyCode' },
    })
  })

  it('gives a UMA domain to one platform at a time', async () => {
    const [one, two] = [await start(), await start()]
    const umaDomain = 'pay.larch.example'
    const taken = await one.change({ umaDomain: 'Pay.Larch.Example' })
    expect(taken.data).toMatchObject({ umaDomain, proxyUmaSubdomain: 'pay' })
    const refused = await two.change({ umaDomain, feeConfigs: [fee(1, 1)] })
    expect(refused.error).toMatchObject({
      code: 'INVALID_INPUT',
      details: { field: 'umaDomain', errors: [{ field: 'umaDomain' }] },
    })
    expect((await two.read()).feeConfigs).toEqual([])
    await one.change({ umaDomain: 'other.larch.example' })
    expect((await two.change({ umaDomain })).data).toMatchObject({ umaDomain })
  })

  it('takes a port of its own machine for a UMA domain, outside production alone', async () => {
    const { change, read } = await start()
    const taken = await change({ umaDomain: 'localhost:7001' })
    expect(taken.data).toMatchObject({ umaDomain: 'localhost:7001' })
    for (const umaDomain of ['pay.larch.example:7001', 'localhost', 'localhost:0', '127.0.0.1:7001']) {
      expect(fieldsOf((await change({ umaDomain })).error)).toEqual(['umaDomain'])
    }
    expect((await read()).umaDomain).toBe('localhost:7001')
    const real = await start('PRODUCTION')
    expect(fieldsOf((await real.change({ umaDomain: 'localhost:7002' })).error)).toEqual(['umaDomain'])
  })

  it('asks for https in production', async () => {
    const { change } = await start('PRODUCTION')
    const plain = await change({ webhookEndpoint: 'http://hooks.larch.example/in' })
    expect(plain.error).toMatchObject({ code: 'INVALID_INPUT', details: { field: 'webhookEndpoint' } })
    expect((await change({ webhookEndpoint: 'https://hooks.larch.example/in' })).response.status).toBe(200)
  })

  it('is changed with MANAGE only', async () => {
    const { api, platform } = await start()
    const created = await api.POST('/tokens', { body: { name: 't', permissions: ['TRANSACT'] } })
    const { clientId, clientSecret } = created.data!
    const other = server.client({ clientId, clientSecret: clientSecret! })
    expect((await other.GET('/config')).data!.id).toContain(platform.platformId)
    const refused = await other.PATCH('/config', { body: {} })
    expect(refused.error).toMatchObject({ status: 403, details: { requiredPermission: 'MANAGE' } })
  })

  it('keeps both of two simultaneous changes', async () => {
    const { change, read } = await start()
    const answers = await Promise.all([
      change({ feeConfigs: [fee(1, 1)] }),
      change({ embeddedWalletConfig: { appName: 'Larch' } }),
    ])
    expect(answers.map(({ response }) => response.status)).toEqual([200, 200])
    expect(await read()).toMatchObject({
      feeConfigs: [fee(1, 1)],
      embeddedWalletConfig: { appName: 'Larch' },
    })
  })
})

function fieldsOf(error: unknown): string[] {
  const { details } = error as { details: { errors: { field: string }[] } }
  return details.errors.map(({ field }) => field).sort()
}
