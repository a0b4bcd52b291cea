import { createPayee, must, openTestServer } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { operate } from './onboarding.ts'
import { clabe } from './payment-api.ts'
import { json, rawCaller } from './raw-calls.ts'
import { laterOperation, type StablecoinOptions, secret, stablecoinApi } from './stablecoin-api.ts'

// Cards-stablecoins 2 and its worked example W7.

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

const raw = rawCaller(() => server)
const start = (options?: StablecoinOptions) => stablecoinApi(server, options)
const later = (get: Parameters<typeof laterOperation>[1], id: string, ms?: number) =>
  laterOperation(server, get, id, ms)

describe('W7: mint by wire', () => {
  it('links, registers, mints what is wired, and asks for enabling', async () => {
    const { post, get, link, register, wallet, platform } = await start({ link: false })
    const body = { provider: 'BRALE', apiClientId: 'client_1', apiClientSecret: secret }
    const first = await post('/stablecoin-provider-accounts', body, 'K1')
    expect(first).toMatchObject({ status: 201, body: { status: 'ACTIVE', providerEnvironment: 'SANDBOX' } })
    const replay = await post('/stablecoin-provider-accounts', body, 'K1')
    expect(replay.body).toEqual(first.body)
    expect(replay.headers.get('idempotent-replayed')).toBe('true')
    expect(
      await post('/stablecoin-provider-accounts', { ...body, apiClientId: 'client_2' }, 'K1'),
    ).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })

    const { body: coin } = await register('acme')
    expect(coin).toMatchObject({
      name: 'ACME Dollar',
      symbol: 'ACME',
      decimals: 6,
      issuanceStatus: 'PROVISIONED',
      gridOperationsStatus: 'NOT_ENABLED',
      stablecoinProviderAccountId: first.body.id,
    })
    expect(coin).not.toHaveProperty('currency')

    const mint = (amount: string) =>
      post(`/stablecoins/${coin.id}/mints`, {
        amount,
        fundingSource: { type: 'WIRE' },
        destination: { accountId: wallet.id },
      })
    expect(await mint('1000001')).toMatchObject({ status: 400, body: { code: 'INVALID_AMOUNT' } })
    const minted = await mint('1000000')
    expect(minted).toMatchObject({
      status: 201,
      body: {
        status: 'PENDING_FUNDING',
        amount: '1000000',
        fundingInstructions: { rail: 'WIRE', reference: expect.any(String) },
        expiresAt: expect.any(String),
        source: { type: 'WIRE' },
        destination: { accountId: wallet.id },
      },
    })
    const { id } = minted.body
    expect(await later(get, id, 60_000)).toMatchObject({ status: 'PENDING_FUNDING' })
    const funding = `/sandbox/stablecoin-operations/${id}/simulate/funding`
    expect(await post(funding, {}, null)).toMatchObject({ status: 202, body: { status: 'PROCESSING' } })
    expect(await post(funding, {}, null)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    expect(await later(get, id)).toMatchObject({ status: 'COMPLETED' })
    expect(await server.ledgerBalances(platform)).toEqual({
      [`coinres:${coin.id}:ACME`]: -1_000_000n,
      [`coinout:${coin.id}:ACME`]: 1_000_000n,
    })

    await link('client_2')
    expect(await register('acme2')).toMatchObject({
      status: 400,
      body: {
        code: 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED',
        details: { stablecoinProviderAccountIds: [first.body.id, expect.any(String)] },
      },
    })

    const ask = () => post(`/stablecoins/${coin.id}/grid-enablement`, {}, null)
    expect(await ask()).toMatchObject({ status: 200, body: { gridOperationsStatus: 'PENDING_APPROVAL' } })
    expect(await ask()).toMatchObject({ status: 200, body: { gridOperationsStatus: 'PENDING_APPROVAL' } })
    expect(
      await operate(server, 'POST', `/stablecoins/${coin.id}/enablement`, {
        decision: 'APPROVE',
        reason: 'Reserves were seen',
      }),
    ).toMatchObject({ status: 200, body: { gridOperationsStatus: 'ENABLING' } })
    await server.settle()
    expect(await get(`/stablecoins/${coin.id}`)).toMatchObject({
      gridOperationsStatus: 'ENABLED',
      currency: 'ACME',
    })
    expect(await ask()).toMatchObject({
      status: 409,
      body: {
        code: 'STABLECOIN_GRID_ENABLEMENT_NOT_REQUESTABLE',
        details: { gridOperationsStatus: 'ENABLED' },
      },
    })
  })

  it('needs a key on the four requests that would do something twice', async () => {
    const { post, register, wallet, bank } = await start()
    const { body: coin } = await register('keyed')
    const money = { amount: '1000000', fundingSource: { type: 'WIRE' } }
    const account = { provider: 'BRALE', apiClientId: 'client_9', apiClientSecret: secret }
    const token = {
      providerTokenIdentifier: 'other',
      networkTokenIdentifier: 'btkn1qqqqqqqqqq',
      network: 'SPARK',
    }
    for (const [path, body] of [
      ['/stablecoin-provider-accounts', account],
      ['/stablecoins', token],
      [`/stablecoins/${coin.id}/mints`, { ...money, destination: { accountId: wallet.id } }],
      [
        `/stablecoins/${coin.id}/burns`,
        {
          amount: '1000000',
          source: { type: 'PROVIDER_INTERNAL_BALANCE' },
          destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId: bank.id, rail: 'WIRE' },
        },
      ],
    ] as const) {
      const details = { errors: [{ field: 'Idempotency-Key', message: expect.any(String) }] }
      for (const key of [null, 'k'.repeat(256)]) {
        expect(await post(path, body, key), path).toMatchObject({
          status: 400,
          body: { code: 'INVALID_INPUT', details },
        })
      }
    }
  })
})

describe('a provider account', () => {
  it.each([
    ['bad_002', {}, 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
    ['two_004', {}, 400, 'INVALID_INPUT'],
    ['two_004', { providerAccountId: 'acct_c' }, 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
    ['fine', { providerAccountId: 'acct_other' }, 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
    ['fine', { provider: 'OTHER' }, 400, 'INVALID_INPUT'],
  ])('%s with %j is refused', async (apiClientId, more, status, code) => {
    const { link, get } = await start({ link: false })
    expect(await link(apiClientId, more)).toMatchObject({ status, body: { code } })
    expect(await get('/stablecoin-provider-accounts')).toMatchObject({ data: [], totalCount: 0 })
  })

  it('of several must be named, is linked once, and again after it was revoked', async () => {
    const { link, get } = await start({ link: false })
    expect((await link('two_004')).body.details.providerAccountIds).toEqual(['acct_a', 'acct_b'])
    const linked = await link('two_004', { providerAccountId: 'acct_b' })
    expect(linked).toMatchObject({ status: 201, body: { providerAccountId: 'acct_b', status: 'ACTIVE' } })
    expect(await link('two_004', { providerAccountId: 'acct_b' })).toMatchObject({ status: 409 })
    const revoke = () =>
      operate(server, 'POST', `/stablecoin-provider-accounts/${linked.body.id}/revoke`, { reason: 'Leaked' })
    expect(await revoke()).toMatchObject({ status: 200, body: { status: 'REVOKED' } })
    expect(await revoke()).toMatchObject({ status: 409 })
    expect(await link('two_004', { providerAccountId: 'acct_b' })).toMatchObject({ status: 201 })
    expect(await get('/stablecoin-provider-accounts?status=REVOKED')).toMatchObject({ totalCount: 1 })
  })

  it('is asked for again every hour, and stays what the provider says', async () => {
    const { link, get } = await start({ link: false })
    const { body: good } = await link('fine')
    const { body: bad } = await link('off_006')
    expect(bad.status).toBe('INVALID')
    await server.pass(3 * 60 * 60 * 1000)
    expect(await get(`/stablecoin-provider-accounts/${good.id}`)).toMatchObject({ status: 'ACTIVE' })
    expect(await get(`/stablecoin-provider-accounts/${bad.id}`)).toMatchObject({ status: 'INVALID' })
  })

  it('never shows its secret: not in answers, replays, rows or the log', async () => {
    const { link, get, platform } = await start({ link: false })
    const { body } = await link('fine')
    expect(JSON.stringify([body, await get(`/stablecoin-provider-accounts/${body.id}`)])).not.toContain(
      secret,
    )
    for (const table of ['stablecoin_provider_accounts', 'idempotency_keys', 'jobs']) {
      const rows = await server.rows(`select * from ${table}`)
      expect(
        JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? `${value}` : value)),
      ).not.toContain(secret)
    }
    expect(platform.clientId).toBeTruthy()
  })

  it('of another platform does not exist', async () => {
    const [one, other] = [await start({ link: false }), await start({ link: false })]
    const { body } = await one.link('fine')
    expect(await other.get(`/stablecoin-provider-accounts/${body.id}`)).toMatchObject({
      code: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND',
    })
    expect(await other.register('x', { stablecoinProviderAccountId: body.id })).toMatchObject({
      status: 404,
      body: { code: 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND' },
    })
  })
})

describe('a coin', () => {
  it.each([
    ['coin001', 'PENDING_REVIEW', 'PENDING_REVIEW'],
    ['coin002', 'REJECTED', 'REJECTED'],
    ['coin003', 'FAILED', 'FAILED'],
    ['coin005', 'PROVISIONING', 'PROVISIONED'],
    ['coin', 'PROVISIONED', 'PROVISIONED'],
  ])('%s is %s at first and %s after half a minute', async (name, first, then) => {
    const { register, get } = await start()
    const { body } = await register(name)
    expect(body.issuanceStatus).toBe(first)
    await server.pass(31_000)
    expect(await get(`/stablecoins/${body.id}`)).toMatchObject({ issuanceStatus: then })
  })

  it('is registered once: by token, and by name at one provider account', async () => {
    const [one, other] = [await start(), await start()]
    const networkTokenIdentifier = 'btkn1qqqqqqsame'
    expect(await one.register('same', { networkTokenIdentifier })).toMatchObject({ status: 201 })
    for (const answer of [
      await one.register('another', { networkTokenIdentifier }),
      await one.register('same'),
      await other.register('same', { networkTokenIdentifier }),
    ]) {
      expect(answer).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    }
    expect(await one.register('x', { networkTokenIdentifier: 'btkn1UPPER' })).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'networkTokenIdentifier' } },
    })
  })

  it.each([
    [[], 404, 'STABLECOIN_PROVIDER_ACCOUNT_NOT_FOUND'],
    [['off_006'], 400, 'STABLECOIN_PROVIDER_ACCOUNT_INVALID'],
    [['off_006', 'fine'], 201, undefined],
    [['one', 'two'], 400, 'STABLECOIN_PROVIDER_ACCOUNT_SELECTION_REQUIRED'],
  ])('of a platform that linked %j answers %i %s', async (links, status, code) => {
    const { link, register } = await start({ link: false })
    for (const each of links) await link(each)
    expect(await register('acme')).toMatchObject({ status, ...(code ? { body: { code } } : {}) })
  })

  it('whose credentials are revoked after their first use mints nothing', async () => {
    const { register, post, wallet, get } = await start({ apiClientId: 'once_003' })
    const { body: coin } = await register('acme')
    expect(await get('/stablecoin-provider-accounts')).toMatchObject({ data: [{ status: 'REVOKED' }] })
    const body = { amount: '10000', fundingSource: { type: 'WIRE' }, destination: { accountId: wallet.id } }
    expect(await post(`/stablecoins/${coin.id}/mints`, body)).toMatchObject({
      status: 400,
      body: { code: 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED' },
    })
    expect(await register('second')).toMatchObject({
      status: 400,
      body: { code: 'STABLECOIN_PROVIDER_ACCOUNT_REVOKED' },
    })
  })

  it('is enabled by itself after five seconds where its name says so, disabled and enabled again', async () => {
    const { register, post, get } = await start()
    const { body: coin } = await register('auto101')
    await post(`/stablecoins/${coin.id}/grid-enablement`, {}, null)
    await server.pass(4_900)
    expect(await get(`/stablecoins/${coin.id}`)).toMatchObject({ gridOperationsStatus: 'PENDING_APPROVAL' })
    await server.pass(200)
    expect(await get(`/stablecoins/${coin.id}`)).toMatchObject({ gridOperationsStatus: 'ENABLED' })
    const decide = (decision: string, reason: unknown = `To ${decision}`) =>
      operate(server, 'POST', `/stablecoins/${coin.id}/enablement`, { decision, reason })
    expect(await decide('APPROVE')).toMatchObject({ status: 409 })
    expect(await decide('DISABLE')).toMatchObject({
      status: 200,
      body: { gridOperationsStatus: 'DISABLED', currency: 'AUTO101' },
    })
    expect(await decide('RE_ENABLE')).toMatchObject({
      status: 200,
      body: { gridOperationsStatus: 'ENABLING' },
    })
    for (const reason of [undefined, '', '  ', 7, 'x'.repeat(513)]) {
      expect(await decide('DISABLE', reason ?? null)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT' },
      })
    }
    const link = `/stablecoin-provider-accounts/${coin.stablecoinProviderAccountId}`
    expect(await operate(server, 'POST', `${link}/revoke`, {})).toMatchObject({ status: 400 })
    await operate(server, 'POST', `${link}/revoke`, { reason: 'Leaked' })
    const decided = (subjectId: string, decision: string, reason: string) => ({
      subjectId,
      decision,
      reason,
      actorId: 'operator',
    })
    expect((await operate(server, 'GET', `/stablecoins/${coin.id}/decisions`)).body.data).toMatchObject([
      decided(coin.stablecoinProviderAccountId, 'REVOKE', 'Leaked'),
      decided(coin.id, 'RE_ENABLE', 'To RE_ENABLE'),
      decided(coin.id, 'DISABLE', 'To DISABLE'),
    ])
    expect(await operate(server, 'GET', '/stablecoins/Stablecoin:x/decisions')).toMatchObject({ status: 404 })
  })

  it('waits for the operator where it cannot be a currency, whatever its name says', async () => {
    const { register, post, get } = await start()
    const { body: coin } = await register('a:b101')
    expect(await post(`/stablecoins/${coin.id}/grid-enablement`, {}, null)).toMatchObject({ status: 200 })
    await server.pass(10_000)
    expect(await get(`/stablecoins/${coin.id}`)).toMatchObject({ gridOperationsStatus: 'PENDING_APPROVAL' })
    const jobs = await operate(server, 'GET', '/jobs/dead')
    expect(JSON.stringify(jobs.body)).not.toContain(coin.id)
  })

  it('that is declined may be asked for again, one that is not provisioned may not', async () => {
    const { register, post } = await start()
    const { body: coin } = await register('acme')
    const ask = (id: string) => post(`/stablecoins/${id}/grid-enablement`, {}, null)
    await ask(coin.id)
    expect(
      await operate(server, 'POST', `/stablecoins/${coin.id}/enablement`, {
        decision: 'DECLINE',
        reason: 'Not yet',
      }),
    ).toMatchObject({ body: { gridOperationsStatus: 'NOT_ENABLED' } })
    expect(await ask(coin.id)).toMatchObject({ status: 200 })
    const { body: waiting } = await register('coin001')
    expect(await ask(waiting.id)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
    const { body: dollar } = await register('usd')
    expect(await ask(dollar.id)).toMatchObject({ status: 200 })
    const body = { decision: 'APPROVE', reason: 'Reserves were seen' }
    expect(await operate(server, 'POST', `/stablecoins/${dollar.id}/enablement`, body)).toMatchObject({
      status: 409,
      body: { details: { reason: 'CURRENCY_CODE_TAKEN' } },
    })
  })
})

describe('a mint', () => {
  it.each([
    [{ amount: '0' }, 400, 'INVALID_AMOUNT'],
    [{ amount: '0010000' }, 400, 'INVALID_AMOUNT'],
    [{ amount: '9000000000000010000' }, 400, 'INVALID_AMOUNT'],
    [{ amount: '-1' }, 400, 'INVALID_INPUT'],
    [{ amount: 10_000 }, 400, 'INVALID_INPUT'],
    [{ amount: '1'.repeat(31) }, 400, 'INVALID_INPUT'],
    [{ fundingSource: { type: 'CASH' } }, 400, 'INVALID_INPUT'],
    [{ description: 'x'.repeat(1025) }, 400, 'INVALID_INPUT'],
  ])('with %j is refused and leaves nothing', async (more, status, code) => {
    const { register, post, wallet, get } = await start()
    const { body: coin } = await register('acme')
    const body = {
      amount: '10000',
      fundingSource: { type: 'WIRE' },
      destination: { accountId: wallet.id },
      ...more,
    }
    expect(await post(`/stablecoins/${coin.id}/mints`, body)).toMatchObject({ status, body: { code } })
    expect(await get(`/stablecoins/${coin.id}/operations`)).toMatchObject({ data: [] })
  })

  it('checks the accounts it is paid from and to', async () => {
    const { register, post, wallet, bank, api } = await start()
    const { body: coin } = await register('acme')
    const mxn = await createPayee(api, 'MXN', clabe('901'))
    const own = (await must(api.GET('/platform/internal-accounts'))).data[0]!
    const unknown = 'ExternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    const mint = (fundingSource: object, accountId: string) =>
      post(`/stablecoins/${coin.id}/mints`, { amount: '10000', fundingSource, destination: { accountId } })
    const refused = (status: number, code: string, reason?: string) => ({
      status,
      body: { code, ...(reason ? { details: { reason } } : {}) },
    })
    const wire = { type: 'WIRE' }
    expect(await mint(wire, unknown)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
    expect(await mint(wire, bank.id)).toMatchObject(refused(400, 'INVALID_INPUT'))
    expect(await mint(wire, own.id)).toMatchObject(refused(400, 'INVALID_INPUT'))
    const ach = (externalAccountId: string) => ({ type: 'ACH_DEBIT', externalAccountId })
    expect(await mint(ach(unknown), wallet.id)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
    expect(await mint(ach(mxn.id), wallet.id)).toMatchObject(refused(400, 'INVALID_BANK_ACCOUNT'))
    expect(await mint({ type: 'GRID_INTERNAL_ACCOUNT', accountId: own.id }, wallet.id)).toMatchObject(
      refused(400, 'INVALID_INPUT', 'NOT_SUPPORTED'),
    )
    const balance = {
      type: 'PROVIDER_INTERNAL_BALANCE',
      sourceTokenIdentifier: 'USDC',
      cryptoNetwork: 'SOLANA',
    }
    expect(await mint(balance, wallet.id)).toMatchObject(refused(400, 'INVALID_INPUT', 'NOT_SUPPORTED'))
    expect(await mint(ach(bank.id), wallet.id)).toMatchObject({
      status: 201,
      body: { status: 'PENDING_PROVIDER', source: { type: 'ACH_DEBIT', externalAccountId: bank.id } },
    })
  })

  it('expires after seven days without funds, and is not funded after that', async () => {
    const { register, post, wallet, get } = await start()
    const { body: coin } = await register('acme')
    const body = { amount: '10000', fundingSource: { type: 'WIRE' }, destination: { accountId: wallet.id } }
    const { body: mint } = await post(`/stablecoins/${coin.id}/mints`, body)
    expect(await later(get, mint.id, 7 * 24 * 60 * 60 * 1000)).toMatchObject({ status: 'EXPIRED' })
    expect(await post(`/sandbox/stablecoin-operations/${mint.id}/simulate/funding`, {}, null)).toMatchObject({
      status: 409,
    })
  })

  it.each([
    [undefined, 2_000, 'COMPLETED'],
    ['doomed 002', 2_000, 'FAILED'],
    ['slow 005', 20_000, 'PROCESSING'],
    ['slow 005', 32_000, 'COMPLETED'],
  ])('described as %s is, after %i ms, %s', async (description, ms, status) => {
    const { register, post, wallet, bank, get, platform } = await start()
    const { body: coin } = await register('acme')
    const { body: mint } = await post(`/stablecoins/${coin.id}/mints`, {
      amount: '10000',
      fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
      destination: { accountId: wallet.id },
      ...(description ? { description } : {}),
    })
    const done = await later(get, mint.id, ms)
    expect(done).toMatchObject({
      status,
      ...(status === 'FAILED' ? { failureReason: 'PROVIDER_TRANSFER_FAILED' } : {}),
    })
    expect((await server.ledgerBalances(platform))[`coinout:${coin.id}:ACME`]).toBe(
      status === 'COMPLETED' ? 10_000n : undefined,
    )
    expect(await server.events(platform)).toEqual([])
  })

  it('is 503 while the provider is down, and nothing of it stays', async () => {
    const { register, post, wallet, get } = await start()
    const { body: coin } = await register('acme')
    const body = {
      amount: '10000',
      fundingSource: { type: 'WIRE' },
      destination: { accountId: wallet.id },
      description: 'down 008',
    }
    const answer = await post(`/stablecoins/${coin.id}/mints`, body, 'down')
    expect(answer).toMatchObject({ status: 503, body: { code: 'SERVICE_UNAVAILABLE' } })
    expect(answer.headers.get('retry-after')).toBe('5')
    expect(await get(`/stablecoins/${coin.id}/operations`)).toMatchObject({ data: [] })
    expect(await post(`/stablecoins/${coin.id}/mints`, body, 'down')).toMatchObject({ status: 503 })
    await server.pass(120_000)
    expect(await get(`/stablecoins/${coin.id}/operations`)).toMatchObject({ data: [] })
  })

  it('whose answer is lost is CREATED, found out by a job, and never submitted under another id', async () => {
    const { register, post, wallet, get } = await start()
    const { body: coin } = await register('acme')
    const issuer = server.thirdParties.SANDBOX.stablecoins!
    const submitted: string[] = []
    const original = issuer.submit
    let isLost = true
    issuer.submit = async (access, instruction, now) => {
      submitted.push(instruction.operationId)
      const answer = await original(access, instruction, now)
      if (isLost) throw new Error('connection lost')
      return answer
    }
    try {
      const body = { amount: '10000', fundingSource: { type: 'WIRE' }, destination: { accountId: wallet.id } }
      const first = await post(`/stablecoins/${coin.id}/mints`, body, 'lost')
      expect(first).toMatchObject({ status: 201, body: { status: 'CREATED' } })
      const again = await post(`/stablecoins/${coin.id}/mints`, body, 'lost')
      expect(again.body).toEqual(first.body)
      isLost = false
      expect(await later(get, first.body.id, 61_000)).toMatchObject({ status: 'PENDING_FUNDING' })
      expect(new Set(submitted)).toEqual(new Set([first.body.id]))
      expect(await get(`/stablecoins/${coin.id}/operations`)).toMatchObject({ totalCount: 1 })
    } finally {
      issuer.submit = original
    }
  })
})

describe('a burn', () => {
  it('waits for the tokens, pays out, and takes them off what is outstanding', async () => {
    const { register, post, wallet, bank, get, platform, api } = await start()
    const { body: coin } = await register('acme')
    const { body: mint } = await post(`/stablecoins/${coin.id}/mints`, {
      amount: '5000000',
      fundingSource: { type: 'ACH_DEBIT', externalAccountId: bank.id },
      destination: { accountId: wallet.id },
    })
    await later(get, mint.id)
    const burn = (source: object, externalAccountId: string, rail = 'WIRE') =>
      post(`/stablecoins/${coin.id}/burns`, {
        amount: '2000000',
        source,
        destination: { type: 'EXTERNAL_ACCOUNT', externalAccountId, rail },
      })
    const mxn = await createPayee(api, 'MXN', clabe('902'))
    const outside = { type: 'EXTERNAL_ACCOUNT' }
    expect(await burn(outside, mxn.id)).toMatchObject({ status: 400, body: { code: 'INVALID_BANK_ACCOUNT' } })
    expect(await burn(outside, wallet.id)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_BANK_ACCOUNT' },
    })
    const own = (await must(api.GET('/platform/internal-accounts'))).data[0]!
    expect(await burn({ type: 'GRID_INTERNAL_ACCOUNT', accountId: own.id }, bank.id)).toMatchObject({
      status: 400,
      body: { details: { reason: 'NOT_SUPPORTED' } },
    })
    const { body: burned, status } = await burn(outside, bank.id, 'ACH_CREDIT')
    expect(status).toBe(201)
    expect(burned).toMatchObject({
      status: 'PENDING_FUNDING',
      fundingInstructions: {
        rail: 'SPARK',
        network: 'SPARK',
        address: expect.any(String),
        valueType: 'ACME',
      },
      destination: { accountId: bank.id, rail: 'ACH_CREDIT' },
      estimatedDelivery: { rail: 'ACH_CREDIT', amount: '200', currency: 'USD', timing: '1-3 business days' },
    })
    await post(`/sandbox/stablecoin-operations/${burned.id}/simulate/funding`, {}, null)
    expect(await later(get, burned.id)).toMatchObject({ status: 'COMPLETED' })
    expect(await server.ledgerBalances(platform)).toEqual({
      [`coinres:${coin.id}:ACME`]: -3_000_000n,
      [`coinout:${coin.id}:ACME`]: 3_000_000n,
    })
    expect(await get(`/stablecoins/${coin.id}/operations?operationType=BURN`)).toMatchObject({
      data: [{ id: burned.id }],
      totalCount: 1,
    })
  })
})

it('answers another platform as if there were nothing', async () => {
  const [one, other] = [await start(), await start()]
  const { body: coin } = await one.register('acme')
  const { body: mint } = await one.post(`/stablecoins/${coin.id}/mints`, {
    amount: '10000',
    fundingSource: { type: 'WIRE' },
    destination: { accountId: one.wallet.id },
  })
  for (const path of [
    `/stablecoins/${coin.id}`,
    `/stablecoins/${coin.id}/operations`,
    `/stablecoin-operations/${mint.id}`,
  ]) {
    expect(await other.get(path)).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
  }
  const foreign = [
    [`/stablecoins/${coin.id}/grid-enablement`, {}],
    [`/sandbox/stablecoin-operations/${mint.id}/simulate/funding`, {}],
    [
      `/stablecoins/${coin.id}/mints`,
      { amount: '10000', fundingSource: { type: 'WIRE' }, destination: { accountId: other.wallet.id } },
    ],
  ] as const
  for (const [path, body] of foreign) expect(await other.post(path, body)).toMatchObject({ status: 404 })
})

it('is not there in production, where no provider is configured', async () => {
  const platform = await server.platform({ environment: 'PRODUCTION' })
  const answer = await raw('POST', '/stablecoin-provider-accounts', {
    as: platform,
    headers: { ...json, 'idempotency-key': 'a' },
    body: JSON.stringify({ provider: 'BRALE', apiClientId: 'a', apiClientSecret: 'b' }),
  })
  expect(answer.json()).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
})
