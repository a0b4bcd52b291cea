import { statement } from '@corridor/engine/mechanisms/db/driver.ts'
import {
  createCustomer,
  internalAccountOf,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { agentApi, bearer, connectAgent, everyPermission, policyOf, send } from '../e2e/agent-api.ts'
import { basic } from '../e2e/raw-calls.ts'

/** Agents as their platform keeps them: life, device codes, policies (wallets 12.1 to 12.3). */

let server: TestServer
let agents: Awaited<ReturnType<typeof agentApi>>
beforeAll(async () => {
  server = await startTestServer()
  agents = await agentApi(server)
})
afterAll(() => server.close())

const dayMs = 24 * 60 * 60 * 1000
const unknown = '0199dd6c-0000-7000-8000-000000000000'
const me = (token: string) => send(server, bearer(token), 'GET', '/agents/me')
const redeem = (code: string) => send(server, undefined, 'POST', `/agents/device-codes/${code}/redeem`)

async function create(policy: object = policyOf(), more: object = {}) {
  const { customer, call } = agents
  return call('POST', '/agents', { name: ' Payroll ', customerId: customer.id, policy, ...more })
}
const fieldsOf = ({ body }: { body: { details: { errors: { field: string }[] } } }) =>
  body.details.errors.map(({ field }) => field).sort()

describe('the life of an agent (wallets 12.2)', () => {
  it('begins unconnected, running, with nothing used, and with a device code', async () => {
    const { status, body } = await create()
    expect(status).toBe(201)
    const today = new Date(Date.parse(body.agent.createdAt))
    const tomorrow = new Date(today.getTime() + dayMs).toISOString().slice(0, 10)
    const month = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + 1))
      .toISOString()
      .slice(0, 7)
    expect(body).toEqual({
      agent: {
        id: expect.stringMatching(/^Agent:/),
        name: 'Payroll',
        customerId: agents.customer.id,
        isPaused: false,
        isConnected: false,
        policy: {
          permissions: everyPermission,
          defaultExecutionMode: 'AUTO',
          spendingLimits: {
            currency: 'USD',
            perTransactionLimit: 100_000_000,
            dailyLimit: null,
            monthlyLimit: null,
          },
        },
        usage: {
          dailyTransactionCount: 0,
          dailySpend: 0,
          dailyResetDate: tomorrow,
          monthlySpend: 0,
          monthlyResetMonth: month,
        },
        createdAt: body.agent.updatedAt,
        updatedAt: expect.any(String),
      },
      deviceCode: {
        code: expect.stringMatching(/^SVC-AGENT-[A-HJ-NP-Z2-9]{4}-[A-HJ-NP-Z2-9]{4}$/),
        agentId: body.agent.id,
        expiresAt: new Date(today.getTime() + dayMs).toISOString(),
        redeemed: false,
      },
    })
    expect((await agents.call('GET', `/agents/${body.agent.id}`)).body).toEqual(body.agent)
  })

  it('is renamed and paused, each of which is a change', async () => {
    const { id } = (await create()).body.agent
    const path = `/agents/${id}`
    const before = (await agents.call('GET', path)).body
    const paused = await agents.call('PATCH', path, { name: 'Other', isPaused: true, unknown: 1 })
    expect(paused.body).toEqual({ ...before, name: 'Other', isPaused: true, updatedAt: expect.any(String) })
    expect(paused.body.updatedAt > before.updatedAt).toBe(true)
    expect((await agents.call('PATCH', path, {})).status).toBe(400)
    expect((await agents.call('PATCH', path, { name: '  ' })).status).toBe(400)
    expect((await agents.call('PATCH', path, { name: 'x'.repeat(256) })).status).toBe(400)
    expect((await agents.call('PATCH', path, { name: null })).status).toBe(400)
    expect((await agents.call('GET', path)).body).toEqual(paused.body)
  })

  it('reads while it is paused, and does nothing else', async () => {
    const agent = await agents.connect()
    await agents.call('PATCH', `/agents/${agent.id}`, { isPaused: true })
    expect((await me(agent.token)).body).toMatchObject({ isPaused: true, isConnected: true })
    await agents.call('PATCH', `/agents/${agent.id}`, { isPaused: false })
    expect((await me(agent.token)).body).toMatchObject({ isPaused: false })
  })

  it('ends at once with DELETE, and so do its token and its codes', async () => {
    const agent = await agents.connect()
    expect((await me(agent.token)).status).toBe(200)
    expect((await agents.call('DELETE', `/agents/${agent.id}`)).status).toBe(204)
    const refused = await me(agent.token)
    expect(refused).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
    for (const path of [`/agents/${agent.id}`, `/agents/device-codes/${agent.code}/status`]) {
      expect((await agents.call('GET', path)).body).toMatchObject({ code: 'REFERENCE_NOT_FOUND' })
    }
    expect((await redeem(agent.code)).status).toBe(404)
    expect((await agents.call('DELETE', `/agents/${agent.id}`)).status).toBe(404)
  })

  it('ends with its customer', async () => {
    const customer = await createCustomer(agents.api)
    const agent = await connectAgent(server, agents.platform, customer.id)
    await agents.call('DELETE', `/customers/${customer.id}`)
    expect((await me(agent.token)).status).toBe(401)
    expect((await agents.call('GET', `/agents/${agent.id}`)).status).toBe(404)
    expect((await agents.call('GET', `/agents?customerId=${customer.id}`)).body.data).toEqual([])
  })

  it('is of a customer of the platform, or is not made', async () => {
    const deleted = await createCustomer(agents.api)
    await agents.call('DELETE', `/customers/${deleted.id}`)
    const foreign = await agentApi(server)
    for (const customerId of [`Customer:${unknown}`, 'nobody', deleted.id, foreign.customer.id]) {
      const refused = await create(policyOf(), { customerId })
      expect(refused, customerId).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
      expect(fieldsOf(refused)).toEqual(['customerId'])
    }
  })

  it('is listed newest first, by the filters that are given', async () => {
    const own = await agentApi(server)
    const made = [await own.connect(), await own.connect(), await own.connect()]
    await own.call('PATCH', `/agents/${made[0]!.id}`, { isPaused: true })
    const ids = async (query: string) => {
      const { body } = await own.call('GET', `/agents?${query}`)
      expect(body.totalCount).toBe(body.data.length)
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await ids('')).toEqual([...made].reverse().map(({ id }) => id))
    expect(await ids('isPaused=true')).toEqual([made[0]!.id])
    expect(await ids('isPaused=false&isConnected=true')).toEqual([made[2]!.id, made[1]!.id])
    expect(await ids('isConnected=false')).toEqual([])
    expect(await ids(`customerId=Customer:${unknown}`)).toEqual([])
    const page = (await own.call('GET', '/agents?limit=2')).body
    expect(page).toMatchObject({ hasMore: true, totalCount: 3 })
    const rest = (await own.call('GET', `/agents?limit=2&cursor=${page.nextCursor}`)).body
    expect(rest).toMatchObject({ hasMore: false, totalCount: 3 })
    expect(rest.data.map(({ id }: { id: string }) => id)).toEqual([made[0]!.id])
    expect((await own.call('GET', '/agents?isPaused=yes')).status).toBe(400)
  })
})

describe('device codes (wallets 12.1)', () => {
  it('are redeemed once, whatever their case and the spaces around them', async () => {
    const { agent, deviceCode } = (await create()).body
    const status = () => agents.call('GET', `/agents/device-codes/${deviceCode.code}/status`)
    expect((await status()).body).toEqual({ code: deviceCode.code, redeemed: false })
    const first = await redeem(`%20${deviceCode.code.toLowerCase()}%20`)
    expect(first.status).toBe(200)
    expect(first.body).toEqual({
      agentId: agent.id,
      agentName: agent.name,
      accessToken: expect.stringMatching(/^gat_[0-9a-f]{40}$/),
      policy: agent.policy,
    })
    expect(first.headers.get('cache-control')).toBe('no-store')
    expect(await redeem(deviceCode.code)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { reason: 'Device code already redeemed' } },
    })
    expect((await status()).body).toEqual({ code: deviceCode.code, redeemed: true })
    expect((await me(first.body.accessToken)).body).toMatchObject({ id: agent.id, isConnected: true })
  })

  it('give one token to two who redeem one at once', async () => {
    const { code } = (await create()).body.deviceCode
    const answers = await Promise.all([redeem(code), redeem(code), redeem(code)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400])
  })

  it('expire after 24 hours', async () => {
    const own = await agentApi(server)
    const { body } = await own.call('POST', '/agents', {
      name: 'a',
      customerId: own.customer.id,
      policy: policyOf(),
    })
    await own.call('POST', '/sandbox/clock/advance', { seconds: dayMs / 1000 - 1 })
    const { code } = body.deviceCode
    expect((await own.call('GET', `/agents/device-codes/${code}/status`)).body.redeemed).toBe(false)
    await own.call('POST', '/sandbox/clock/advance', { seconds: 1 })
    expect(await redeem(code)).toMatchObject({
      status: 400,
      body: { details: { reason: 'Device code expired' } },
    })
    expect(await own.call('GET', `/agents/device-codes/${code}/status`)).toMatchObject({
      status: 200,
      body: { redeemed: false },
    })
    const renewed = await own.call('POST', `/agents/${body.agent.id}/device-codes`)
    expect(renewed.status).toBe(201)
    expect((await redeem(renewed.body.code)).status).toBe(200)
  })

  it('are void once there is a newer one, and there is none for a connected agent', async () => {
    const { agent, deviceCode } = (await create()).body
    const path = `/agents/${agent.id}/device-codes`
    const [one, other] = await Promise.all([agents.call('POST', path), agents.call('POST', path)])
    expect([one.status, other.status]).toEqual([201, 201])
    expect(await redeem(deviceCode.code)).toMatchObject({
      status: 400,
      body: { details: { reason: 'Device code invalidated' } },
    })
    const redeemed = [await redeem(one.body.code), await redeem(other.body.code)]
    expect(redeemed.map(({ status }) => status).sort()).toEqual([200, 400])
    expect(await agents.call('POST', path)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })
  })

  it('are unknown to other platforms, and so is what is no code', async () => {
    const { code } = (await create()).body.deviceCode
    const stranger = await agentApi(server)
    expect((await stranger.call('GET', `/agents/device-codes/${code}/status`)).status).toBe(404)
    for (const text of ['SVC-AGENT-AAAA-AAAA', 'x', 'x'.repeat(500), '%00', 'SVC-AGENT-OOOO-0000']) {
      expect(await redeem(text), text).toMatchObject({ status: 404, body: { code: 'REFERENCE_NOT_FOUND' } })
    }
    expect((await redeem(code)).status).toBe(200)
  })

  it('are redeemed whatever credentials come with them', async () => {
    const { code } = (await create()).body.deviceCode
    const path = `/agents/device-codes/${code}/redeem`
    expect(
      (await send(server, 'Basic nonsense', 'POST', path, undefined, { 'idempotency-key': 'a' })).status,
    ).toBe(200)
    expect(
      (await send(server, 'Basic nonsense', 'POST', path, undefined, { 'idempotency-key': 'a' })).status,
    ).toBe(400)
  })

  it('and tokens are nowhere in the database in the clear', async () => {
    const agent = await agents.connect()
    const rows = await server.engine.database.system((connection) =>
      connection.query<{ text: string }>(
        statement(
          'test.agents',
          'select a::text as text from agents a union all select d::text from agent_device_codes d',
        ),
      ),
    )
    expect(rows.length).toBeGreaterThan(2)
    for (const { text } of rows) {
      for (const secret of [agent.token, agent.token.slice(4), agent.code]) expect(text).not.toContain(secret)
    }
  })

  it('can be tried ten times a minute from one address, those of the sandbox a hundred times', async () => {
    const limited = await startTestServer({ rateLimits: true })
    try {
      const sandbox = await limited.platform()
      const api = limited.client(sandbox)
      const customer = await createCustomer(api)
      const codes: string[] = []
      for (let count = 0; count < 15; count++) {
        const body = { name: 'a', customerId: customer.id, policy: policyOf() }
        const made = await send(limited, basic(sandbox), 'POST', '/agents', body)
        codes.push(made.body.deviceCode.code)
      }
      const guess = (code: string) => send(limited, undefined, 'POST', `/agents/device-codes/${code}/redeem`)
      for (const code of codes) expect((await guess(code)).status).toBe(200)
      const guesses = []
      for (let count = 0; count < 11; count++) guesses.push(await guess('SVC-AGENT-AAAA-AAAA'))
      expect(guesses.map(({ status }) => status)).toEqual([...Array(10).fill(404), 429])
      expect(guesses[10]!.body.code).toBe('RATE_LIMITED')
      const waitSeconds = Number(guesses[10]!.headers.get('retry-after'))
      expect(waitSeconds).toBeGreaterThanOrEqual(1)
      await limited.pass(waitSeconds * 1000)
      expect((await guess('SVC-AGENT-AAAA-AAAA')).status).toBe(404)
      // Codes of the sandbox are tried on, until even they have had their share.
      let status = 0
      for (let count = 0; count < 80 && status !== 429; count++) status = (await guess(codes[0]!)).status
      expect(status).toBe(429)
    } finally {
      await limited.close()
    }
  })
})

describe('who may call what (wallets 12)', () => {
  it('a token is for /agents/me, and the credentials of a platform for the rest', async () => {
    const agent = await agents.connect()
    for (const path of ['/customers', '/agents', `/agents/${agent.id}`, '/agents/approvals', '/quotes/x']) {
      expect(await send(server, bearer(agent.token), 'GET', path), path).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      })
    }
    const refused = await agents.call('GET', '/agents/me')
    expect(refused).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
    expect(refused.headers.get('www-authenticate')).toMatch(/^Bearer/)
    expect((await me(`gat_${'0'.repeat(40)}`)).status).toBe(401)
    expect((await me(agent.token.toUpperCase())).status).toBe(401)
  })
})

describe('policies (wallets 12.3)', () => {
  it('name all that is wrong with them at once', async () => {
    const other = await createCustomer(agents.api)
    const foreign = await internalAccountOf(agents.api, other.id, 'USD')
    const refused = await create({
      permissions: ['EVERYTHING'],
      defaultExecutionMode: 'NEVER',
      spendingLimits: { currency: 'XXX', dailyLimit: -1, dailyTransactionLimit: 1.5 },
      accountRestrictions: {
        allowedAccountIds: [agents.usd.id, foreign.id],
        accountRules: [{ accountId: agents.usd.id }, { accountId: agents.usd.id }],
      },
      approvalThresholds: { amount: 5 },
    })
    expect(refused).toMatchObject({ status: 400, body: { code: 'INVALID_INPUT' } })
    expect(fieldsOf(refused)).toEqual([
      'policy.accountRestrictions.accountRules.1.accountId',
      'policy.accountRestrictions.allowedAccountIds.1',
      'policy.approvalThresholds.currency',
      'policy.defaultExecutionMode',
      'policy.permissions.0',
      'policy.spendingLimits.currency',
      'policy.spendingLimits.dailyLimit',
      'policy.spendingLimits.dailyTransactionLimit',
      'policy.spendingLimits.perTransactionLimit',
    ])
    expect((await create('nonsense' as never)).status).toBe(400)
    expect((await create([] as never)).status).toBe(400)
  })

  it('collapse permissions, and may be empty', async () => {
    const twice = await create(policyOf({ permissions: ['CREATE_QUOTES', 'CREATE_QUOTES'] }))
    expect(twice.body.agent.policy.permissions).toEqual(['CREATE_QUOTES'])
    expect((await create(policyOf({ permissions: [] }))).body.agent.policy.permissions).toEqual([])
  })

  const merges: readonly [string, object, object][] = [
    ['nothing', {}, {}],
    ['permissions as a whole', { permissions: ['CREATE_QUOTES'] }, { permissions: ['CREATE_QUOTES'] }],
    [
      'the mode',
      { defaultExecutionMode: 'APPROVAL_REQUIRED' },
      { defaultExecutionMode: 'APPROVAL_REQUIRED' },
    ],
    [
      'limits one by one, and null removes one',
      { spendingLimits: { dailyLimit: null, perTransactionLimit: 7 } },
      {
        spendingLimits: {
          currency: 'USD',
          perTransactionLimit: 7,
          dailyLimit: null,
          dailyTransactionLimit: 3,
          monthlyLimit: 9_000,
        },
      },
    ],
    [
      'limits in another currency, converted and rounded down',
      { spendingLimits: { currency: 'EUR', monthlyLimit: 11 } },
      {
        spendingLimits: {
          currency: 'EUR',
          perTransactionLimit: expect.any(Number),
          dailyLimit: expect.any(Number),
          dailyTransactionLimit: 3,
          monthlyLimit: 11,
        },
      },
    ],
    [
      'the threshold, and null removes it',
      { approvalThresholds: { amount: null } },
      { approvalThresholds: { currency: 'USD', amount: null } },
    ],
    [
      'restrictions at their first level',
      { accountRestrictions: { allowedAccountIds: [] } },
      { accountRestrictions: { allowedAccountIds: [], accountRules: [expect.any(Object)] } },
    ],
  ]
  it.each(merges)('merge %s', async (_name, change, expected) => {
    const { agent } = (
      await create(
        policyOf({
          spendingLimits: { dailyLimit: 1_001, dailyTransactionLimit: 3, monthlyLimit: 9_000 },
          accountRestrictions: {
            allowedAccountIds: [agents.usd.id],
            accountRules: [{ accountId: agents.usd.id, perTransactionLimit: 5 }],
          },
          approvalThresholds: { currency: 'USD', amount: 3 },
        }),
      )
    ).body
    const { status, body } = await agents.call('PATCH', `/agents/${agent.id}/policy`, change)
    expect(status).toBe(200)
    expect(body.policy).toEqual({ ...agent.policy, ...expected, ...rulesIn(body) })
    expect((await agents.call('GET', `/agents/${agent.id}`)).body).toEqual(body)
    // Rules follow the currency of the limits, and are otherwise what they were.
    function rulesIn({
      policy,
    }: {
      policy: { accountRestrictions: object; spendingLimits: { currency: string } }
    }) {
      if (policy.spendingLimits.currency !== 'EUR') return {}
      expect(policy.accountRestrictions).toMatchObject({
        accountRules: [{ perTransactionLimit: expect.any(Number) }],
      })
      return { accountRestrictions: policy.accountRestrictions }
    }
  })

  it.each([
    [{ spendingLimits: { dailyTransactionLimit: null } }, 'spendingLimits.dailyTransactionLimit'],
    [{ spendingLimits: { perTransactionLimit: null } }, 'spendingLimits.perTransactionLimit'],
    [{ approvalThresholds: { amount: 3 } }, 'approvalThresholds.currency'],
    [{ permissions: null }, 'permissions'],
    [
      { accountRestrictions: { allowedAccountIds: [`InternalAccount:${unknown}`] } },
      'accountRestrictions.allowedAccountIds.0',
    ],
  ])('are not changed by %j', async (change, field) => {
    const { agent } = (await create()).body
    const refused = await agents.call('PATCH', `/agents/${agent.id}/policy`, change)
    expect(refused.status).toBe(400)
    expect(fieldsOf(refused)).toEqual([field])
    expect((await agents.call('GET', `/agents/${agent.id}`)).body).toEqual(agent)
  })

  it('take a permission away at once', async () => {
    const agent = await agents.connect()
    await agents.call('PATCH', `/agents/${agent.id}/policy`, { permissions: [] })
    expect((await me(agent.token)).body.policy.permissions).toEqual([])
  })
})
