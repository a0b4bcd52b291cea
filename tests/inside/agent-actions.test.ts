import { forgetOldUsage } from '@corridor/engine/access/agents/index.ts'
import {
  createPayee,
  fund,
  internalAccountOf,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { agentApi, connectAgent, policyOf, send } from '../e2e/agent-api.ts'
import { basic, json } from '../e2e/raw-calls.ts'
import { dying } from './dying.ts'

/** What agents do, and what somebody has to approve first (wallets 12.3 to 12.6, E11, E12). */

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.close())
afterEach(() => server.expectSoundLedger())

type Api = Awaited<ReturnType<typeof agentApi>>
type Agent = Awaited<ReturnType<Api['connect']>>

const forbidden = (reason: string) => ({ status: 403, body: { code: 'FORBIDDEN', details: { reason } } })

async function quoted(api: Api, agent: Agent, amount: number, more: object = {}): Promise<string> {
  const made = await agent.call('POST', '/quotes', api.quoteOf(amount, more))
  expect(made.status, JSON.stringify(made.body)).toBe(201)
  return made.body.id
}
const execute = (agent: Agent, quoteId: string, headers = {}) =>
  agent.call('POST', `/quotes/${quoteId}/execute`, undefined, headers)
const usageOf = async (agent: Agent) => (await agent.call('GET', '')).body.usage
const decide = (
  api: Api,
  agent: { id: string },
  actionId: string,
  how: 'approve' | 'reject',
  body?: object,
) => api.call('POST', `/agents/${agent.id}/actions/${actionId}/${how}`, body)
const bookNow = async (api: Api) => Date.parse((await api.call('GET', '/sandbox/clock')).body.now)
/** Lets everything that can go on do so, until the condition holds. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve))
}
const pendingEvents = async (api: Api) =>
  (await server.events(api.platform)).filter(({ type }) => type === 'AGENT_ACTION.PENDING_APPROVAL')

describe('E11: an agent that acts on its own', () => {
  it('pays within its limits and not beyond them', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(
      policyOf({
        permissions: ['CREATE_TRANSFERS'],
        spendingLimits: { perTransactionLimit: 50_000, dailyLimit: 80_000, dailyTransactionLimit: 3 },
      }),
    )
    const pay = (amount: number) => agent.call('POST', '/transfer-out', api.transferOut(amount))
    const first = await pay(50_000)
    expect(first.status).toBe(201)
    expect(first.body).toEqual({
      id: expect.stringMatching(/^AgentAction:/),
      agentId: agent.id,
      customerId: api.customer.id,
      platformCustomerId: api.customer.platformCustomerId,
      status: 'APPROVED',
      type: 'TRANSFER_OUT',
      transferDetails: {
        amount: 50_000,
        currency: 'USD',
        sourceAccountId: api.usd.id,
        destinationAccountId: api.bank.id,
      },
      transaction: expect.objectContaining({ status: 'PENDING', type: 'OUTGOING', agentId: agent.id }),
      createdAt: expect.any(String),
      updatedAt: expect.any(String),
    })
    expect(await pay(50_001)).toMatchObject(forbidden('POLICY_LIMIT'))
    expect(await pay(30_001)).toMatchObject(forbidden('POLICY_LIMIT'))
    expect((await pay(30_000)).status).toBe(201)
    expect(await usageOf(agent)).toMatchObject({
      dailyTransactionCount: 2,
      dailySpend: 80_000,
      monthlySpend: 80_000,
    })
    expect(await api.balance()).toBe(20_000)
    await server.settle()
    const shown = await agent.call('GET', `/actions/${first.body.id}`)
    expect(shown.body.transaction).toMatchObject({ status: 'COMPLETED', agentId: agent.id })
    expect(await api.told(first.body.transaction.id)).toContain('COMPLETED')
    expect(await agent.call('POST', '/quotes', api.quoteOf(1_000))).toMatchObject({
      ...forbidden('POLICY_PERMISSION'),
      body: { details: { requiredPermission: 'CREATE_QUOTES' } },
    })
    await api.call('PATCH', `/agents/${agent.id}`, { isPaused: true })
    expect(await pay(1)).toMatchObject(forbidden('AGENT_PAUSED'))
    expect((await agent.call('GET', '')).status).toBe(200)
    await api.call('DELETE', `/agents/${agent.id}`)
    expect((await agent.call('GET', '')).status).toBe(401)
    expect((await pay(1)).status).toBe(401)
    // What it began goes on without it.
    expect(await api.transaction(first.body.transaction.id)).toMatchObject({ agentId: agent.id })
  })

  it('pulls money in, which counts as well', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf({ spendingLimits: { dailyLimit: 1_000 } }))
    const pull = (amount: number) =>
      agent.call('POST', '/transfer-in', {
        source: { accountId: api.bank.id },
        destination: { accountId: api.usd.id },
        amount,
      })
    const { status, body } = await pull(1_000)
    expect(status).toBe(201)
    expect(body).toMatchObject({
      type: 'TRANSFER_IN',
      status: 'APPROVED',
      transferDetails: { amount: 1_000, sourceAccountId: api.bank.id, destinationAccountId: api.usd.id },
      transaction: { type: 'INCOMING', status: 'PENDING', agentId: agent.id },
    })
    expect(await pull(1)).toMatchObject(forbidden('POLICY_LIMIT'))
    await server.settle()
    expect(await api.balance()).toBe(101_000)
    expect(await api.told(body.transaction.id)).toEqual(['PENDING', 'COMPLETED'])
  })

  it('counts each day and each month of UTC anew, and gives nothing back', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(
      policyOf({ spendingLimits: { dailyLimit: 100, dailyTransactionLimit: 1, monthlyLimit: 10_000 } }),
    )
    const failing = await createPayee(api.api, 'USD', '000123456003', { customerId: api.customer.id })
    const pay = (amount: number) =>
      agent.call('POST', '/transfer-out', {
        ...api.transferOut(amount),
        destination: { accountId: failing.id },
      })
    expect((await pay(100)).status).toBe(201)
    await server.settle()
    expect(await pay(1)).toMatchObject(forbidden('POLICY_LIMIT'))
    const before = await usageOf(agent)
    expect(before).toMatchObject({ dailyTransactionCount: 1, dailySpend: 100, monthlySpend: 100 })
    const { now } = (await api.call('GET', '/sandbox/clock')).body
    expect(before.dailyResetDate).toBe(new Date(Date.parse(now) + 86_400_000).toISOString().slice(0, 10))
    const untilTomorrow = (Date.parse(before.dailyResetDate) - Date.parse(now)) / 1000
    await api.call('POST', '/sandbox/clock/advance', { seconds: Math.ceil(untilTomorrow) })
    const isNewMonth = before.dailyResetDate.startsWith(before.monthlyResetMonth)
    expect(await usageOf(agent)).toMatchObject({
      dailyTransactionCount: 0,
      dailySpend: 0,
      monthlySpend: isNewMonth ? 0 : 100,
    })
    expect((await pay(100)).status).toBe(201)
  })

  it('leaves no counters of months that are over, by the clock of its book', async () => {
    const [api, still] = [await agentApi(server), await agentApi(server)]
    const [agent, other] = [await api.connect(), await still.connect()]
    const pay = async () => {
      expect((await agent.call('POST', '/transfer-out', api.transferOut(100))).status).toBe(201)
      expect((await other.call('POST', '/transfer-out', still.transferOut(100))).status).toBe(201)
    }
    const countersOf = async (book: Api, { id }: Agent) => {
      const of = {
        name: 'test.counters',
        text: `select id from volume_counters where id like $1 order by id`,
      }
      const { platform } = book
      const found = await server.engine.database.read<{ id: string }>(platform, of, [`${id}/%`])
      return found.map((counter) => counter.id.slice(id.length + 1))
    }
    await pay()
    const used = await usageOf(agent)
    await forgetOldUsage(server.engine.database, server.world.now())
    expect(await usageOf(agent)).toEqual(used)
    const [day] = (await countersOf(api, agent)) as [string]
    const first = [day, `${day}/USD`, `${day.slice(0, 7)}/USD`].sort()
    expect((await countersOf(api, agent)).sort()).toEqual(first)

    // Into the next month, and into the one after that.
    const [year, month] = day.split('-').map(Number) as [number, number]
    for (const [next, kept] of [
      [Date.UTC(year, month, 1), first],
      [Date.UTC(year, month + 1, 1), []],
    ] as const) {
      const seconds = Math.ceil((next - (await bookNow(api))) / 1000)
      expect((await api.call('POST', '/sandbox/clock/advance', { seconds })).status).toBe(200)
      await pay()
      const paid = await usageOf(agent)
      await forgetOldUsage(server.engine.database, server.world.now())
      expect(await usageOf(agent)).toEqual(paid)
      const left = await countersOf(api, agent)
      expect(left.filter((id) => id.startsWith(day.slice(0, 7))).sort()).toEqual(kept)
    }
    // The other book is still in the first month.
    expect((await countersOf(still, other)).sort()).toEqual(first)
    expect(await usageOf(other)).toMatchObject({ monthlySpend: 300 })
  })

  it('gets the first answer again under its Idempotency-Key, and is counted once', async () => {
    const api = await agentApi(server)
    const [agent, other] = [await api.connect(), await api.connect()]
    const key = { 'idempotency-key': 'pay-1' }
    const pay = (by: Agent, amount = 100) => by.call('POST', '/transfer-out', api.transferOut(amount), key)
    const first = await pay(agent)
    const again = await pay(agent)
    expect(again.body).toEqual(first.body)
    expect(again.headers.get('idempotent-replayed')).toBe('true')
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 1, dailySpend: 100 })
    expect((await pay(agent, 200)).status).toBe(409)
    // Keys of another agent, and those of the platform, are other keys.
    const others = await pay(other)
    expect(others.status).toBe(201)
    expect(others.body.id).not.toBe(first.body.id)
    expect(await api.balance()).toBe(99_800)
  })

  it('gets the whole answer from a process that died before it could give it', async () => {
    const api = await agentApi(server)
    const agent = await api.connect()
    const key = { 'idempotency-key': 'pay-1' }
    const asking = await api.connect(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
    const [quoteId, askedQuote] = [await quoted(api, agent, 1_000), await quoted(api, asking, 1_000)]
    const asked = (await execute(asking, askedQuote)).body.id
    const begun = { status: 'APPROVED', transaction: { status: 'PENDING' } }
    const calls = [
      [() => agent.call('POST', '/transfer-out', api.transferOut(100), key), 201, begun],
      [
        () => execute(agent, quoteId, key),
        200,
        { ...begun, quote: { status: 'PROCESSING' }, transaction: { quoteId } },
      ],
      [
        () => api.call('POST', `/agents/${asking.id}/actions/${asked}/approve`, undefined, key),
        200,
        { ...begun, quote: { status: 'PROCESSING' }, transaction: { quoteId: askedQuote } },
      ],
    ] as const
    for (const [act, status, body] of calls) {
      expect((await dying(server, 'after', act)).status).toBe(500)
      const again = await act()
      expect(again.headers.get('idempotent-replayed')).toBe('true')
      expect(again, JSON.stringify(again.body)).toMatchObject({ status, body })
    }
  })
})

describe('E12: an agent that asks first', () => {
  const threshold = { approvalThresholds: { currency: 'USD', amount: 25_000 } }

  it('is asked above its threshold, and begins once approved', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf(threshold))
    const within = await execute(agent, await quoted(api, agent, 25_000))
    expect(within.status).toBe(200)
    expect(within.body).toMatchObject({
      status: 'APPROVED',
      type: 'EXECUTE_QUOTE',
      quote: { status: 'PROCESSING' },
      transaction: { agentId: agent.id },
    })
    expect(within.body).not.toHaveProperty('transferDetails')
    expect(await pendingEvents(api)).toEqual([])

    const quoteId = await quoted(api, agent, 25_001)
    const asked = await execute(agent, quoteId)
    expect(asked.status).toBe(200)
    expect(asked.body).toMatchObject({
      status: 'PENDING_APPROVAL',
      quote: { id: quoteId, status: 'PENDING' },
    })
    expect(asked.body).not.toHaveProperty('transaction')
    expect(await pendingEvents(api)).toMatchObject([
      { id: expect.stringMatching(/^Webhook:/), data: asked.body },
    ])
    expect(await api.balance()).toBe(75_000)
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 1, dailySpend: 25_000 })
    expect((await api.call('GET', '/agents/approvals')).body).toEqual({
      data: [asked.body],
      hasMore: false,
      totalCount: 1,
    })
    expect(await execute(agent, quoteId)).toMatchObject({ status: 409, body: { code: 'CONFLICT' } })

    const approved = await decide(api, agent, asked.body.id, 'approve')
    expect(approved.status).toBe(200)
    expect(approved.body).toMatchObject({
      id: asked.body.id,
      status: 'APPROVED',
      quote: { status: 'PROCESSING' },
      transaction: { quoteId, agentId: agent.id },
    })
    expect(approved.body.updatedAt > asked.body.updatedAt).toBe(true)
    expect(await api.balance()).toBe(49_999)
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 2, dailySpend: 50_001 })
    await server.settle()
    expect(await api.told(approved.body.transaction.id)).toContain('COMPLETED')
    expect((await agent.call('GET', `/actions/${asked.body.id}`)).body).toMatchObject({
      status: 'APPROVED',
      quote: { status: 'COMPLETED' },
      transaction: { status: 'COMPLETED' },
    })
    for (const how of ['approve', 'reject'] as const) {
      expect(await decide(api, agent, asked.body.id, how)).toMatchObject({
        status: 409,
        body: { code: 'CONFLICT' },
      })
    }
    expect((await api.call('GET', '/agents/approvals')).body.data).toEqual([])
    expect(await pendingEvents(api)).toHaveLength(1)
    expect(await execute(agent, quoteId)).toMatchObject({ status: 409 })
  })

  it('is rejected with a reason that it can read, and nothing moves', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf(threshold))
    const quoteId = await quoted(api, agent, 30_000)
    const asked = (await execute(agent, quoteId)).body
    const rejected = await decide(api, agent, asked.id, 'reject', { reason: 'Above the risk limit.' })
    expect(rejected.body).toMatchObject({ status: 'REJECTED', rejectionReason: 'Above the risk limit.' })
    const { data } = (await agent.call('GET', '/actions')).body
    expect(data).toEqual([rejected.body])
    expect((await decide(api, agent, asked.id, 'approve')).status).toBe(409)
    // Rejected is decided: the quote is for no other action.
    expect((await execute(agent, quoteId)).status).toBe(409)
    const transfer = await agent.call('POST', '/transfer-out', api.transferOut(30_000))
    expect(transfer).toMatchObject({ status: 201, body: { status: 'PENDING_APPROVAL' } })
    const plain = await decide(api, agent, transfer.body.id, 'reject')
    expect(plain.body.status).toBe('REJECTED')
    expect(plain.body).not.toHaveProperty('rejectionReason')
    expect(await api.balance()).toBe(100_000)
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 0, dailySpend: 0, monthlySpend: 0 })
  })

  type Case = [string, (api: Api, agent: Agent, quoteId: string) => Promise<unknown>]
  const policy = (api: Api, agent: Agent, change: object) =>
    api.call('PATCH', `/agents/${agent.id}/policy`, change)
  const spoilers: Case[] = [
    ['the quote has expired', (api) => api.call('POST', '/sandbox/clock/advance', { seconds: 3_600 })],
    ['the agent is paused', (api, agent) => api.call('PATCH', `/agents/${agent.id}`, { isPaused: true })],
    ['the permission is gone', (api, agent) => policy(api, agent, { permissions: ['CREATE_QUOTES'] })],
    [
      'the account is not allowed any more',
      (api, agent) => policy(api, agent, { accountRestrictions: { allowedAccountIds: [] } }),
    ],
    [
      'the limit was lowered',
      (api, agent) => policy(api, agent, { spendingLimits: { perTransactionLimit: 29_999 } }),
    ],
    [
      'the limit is used up',
      async (api, agent) => {
        await policy(api, agent, { spendingLimits: { dailyLimit: 40_000 } })
        const paid = await agent.call('POST', '/transfer-out', api.transferOut(10_001))
        expect(paid.body.status).toBe('APPROVED')
      },
    ],
    [
      'the balance is short',
      async (api) => {
        const paid = await api.call('POST', '/transfer-out', api.transferOut(70_001))
        expect(paid.status).toBe(201)
      },
    ],
    [
      'the platform has executed the quote itself',
      async (api, _agent, quoteId) => {
        expect((await api.call('POST', `/quotes/${quoteId}/execute`)).status).toBe(200)
      },
    ],
    [
      'the customer may not move money any more',
      async (api) => {
        const { id } = api.usd
        const frozen = await server.fetch(`http://corridor.test/operator/internal-accounts/${id}/freeze`, {
          method: 'POST',
          headers: { authorization: 'Bearer test-operator-key' },
        })
        expect(frozen.status).toBe(200)
      },
    ],
  ]
  it.each(spoilers)(
    'is FAILED by an approval when %s, which is an answer and no refusal',
    async (_name, spoil) => {
      const api = await agentApi(server)
      const agent = await api.connect(policyOf(threshold))
      const quoteId = await quoted(api, agent, 30_000)
      const asked = (await execute(agent, quoteId)).body
      expect(asked.status).toBe('PENDING_APPROVAL')
      await spoil(api, agent, quoteId)
      const before = { balances: await api.balances(), usage: await usageOf(agent) }
      const events = (await server.events(api.platform)).length
      const failed = await decide(api, agent, asked.id, 'approve')
      expect(failed.status, JSON.stringify(failed.body)).toBe(200)
      expect(failed.body).toMatchObject({ id: asked.id, status: 'FAILED', type: 'EXECUTE_QUOTE' })
      expect(failed.body).not.toHaveProperty('transaction')
      expect({ balances: await api.balances(), usage: await usageOf(agent) }).toEqual(before)
      expect((await server.events(api.platform)).length).toBe(events)
      for (const how of ['approve', 'reject'] as const) {
        expect((await decide(api, agent, asked.id, how)).status).toBe(409)
      }
    },
  )

  it('is FAILED when the rate of its quote is not to be had any more, and so is the quote', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf(threshold))
    const quoteId = await quoted(api, agent, 30_000)
    const asked = (await execute(agent, quoteId)).body
    const platform = `http://corridor.test/operator/platforms/${api.platform.platformId}?environment=SANDBOX`
    const refusing = await server.fetch(platform, {
      method: 'PATCH',
      headers: { authorization: 'Bearer test-operator-key', ...json },
      body: JSON.stringify({ settings: { refusesQuotedRates: true } }),
    })
    expect(refusing.status, await refusing.text()).toBe(200)
    const failed = await decide(api, agent, asked.id, 'approve')
    expect(failed).toMatchObject({ status: 200, body: { status: 'FAILED', quote: { status: 'FAILED' } } })
    expect((await agent.call('GET', `/actions/${asked.id}`)).body).toEqual(failed.body)
    expect(await api.statusOfQuote(quoteId)).toBe('FAILED')
    expect(await api.balance()).toBe(100_000)
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 0 })
  })

  it('may be rejected after its quote has expired, and waits until then', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf(threshold))
    const asked = (await execute(agent, await quoted(api, agent, 30_000))).body
    await api.call('POST', '/sandbox/clock/advance', { seconds: 7 * 86_400 })
    const [waiting] = (await api.call('GET', '/agents/approvals')).body.data
    expect(waiting).toMatchObject({ id: asked.id, status: 'PENDING_APPROVAL', quote: { status: 'EXPIRED' } })
    expect((await decide(api, agent, asked.id, 'reject')).body.status).toBe('REJECTED')
  })

  it('ends with its agent, and with its customer', async () => {
    const api = await agentApi(server)
    for (const end of [
      (agent: Agent) => api.call('DELETE', `/agents/${agent.id}`),
      () => api.call('DELETE', `/customers/${api.customer.id}`),
    ]) {
      const agent = await api.connect(policyOf(threshold))
      const asked = (await agent.call('POST', '/transfer-out', api.transferOut(30_000))).body
      expect(asked.status).toBe('PENDING_APPROVAL')
      await end(agent)
      expect((await api.call('GET', '/agents/approvals')).body.data).toEqual([])
      for (const how of ['approve', 'reject'] as const) {
        expect(await decide(api, agent, asked.id, how)).toMatchObject({
          status: 409,
          body: { code: 'CONFLICT', details: { status: 'REJECTED' } },
        })
      }
    }
    expect(await api.balance()).toBe(100_000)
  })

  it('is of one agent: another pair of ids names nothing', async () => {
    const api = await agentApi(server)
    const [agent, other] = [await api.connect(policyOf(threshold)), await api.connect(policyOf(threshold))]
    const asked = (await agent.call('POST', '/transfer-out', api.transferOut(30_000))).body
    for (const path of [
      [other.id, asked.id],
      ['Agent:x', asked.id],
      [agent.id, 'AgentAction:0199dd6c-0000-7000-8000-000000000000'],
      [agent.id, 'x'],
    ]) {
      const refused = await decide(api, { id: path[0]! }, path[1]!, 'approve')
      expect(refused).toMatchObject({ status: 404, body: { code: 'REFERENCE_NOT_FOUND' } })
    }
    const stranger = await agentApi(server)
    expect((await decide(stranger, agent, asked.id, 'approve')).status).toBe(404)
    expect((await stranger.call('GET', `/agents/approvals?agentId=${agent.id}`)).body.data).toEqual([])
    expect((await other.call('GET', `/actions/${asked.id}`)).status).toBe(404)
    expect((await other.call('GET', '/actions')).body.data).toEqual([])
  })

  it('is listed by agent, customer and time, and by status for the agent', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf(threshold))
    const actions: { id: string; createdAt: string }[] = []
    for (const amount of [30_000, 100, 26_000]) {
      actions.push((await agent.call('POST', '/transfer-out', api.transferOut(amount))).body)
      await api.call('POST', '/sandbox/clock/advance', { seconds: 60 })
    }
    const [first, second, third] = actions as [never, never, never] as { id: string; createdAt: string }[]
    const ids = async (path: string) => {
      const { status, body } = await api.call('GET', path)
      expect(status, JSON.stringify(body)).toBe(200)
      return body.data.map(({ id }: { id: string }) => id)
    }
    expect(await ids('/agents/approvals')).toEqual([third!.id, first!.id])
    expect(await ids('/agents/approvals?sortOrder=asc')).toEqual([first!.id, third!.id])
    expect(await ids(`/agents/approvals?agentId=${agent.id}&customerId=${api.customer.id}`)).toHaveLength(2)
    expect(await ids(`/agents/approvals?startDate=${third!.createdAt}`)).toEqual([third!.id])
    expect(await ids(`/agents/approvals?endDate=${first!.createdAt}`)).toEqual([first!.id])
    const page = (await api.call('GET', '/agents/approvals?limit=1')).body
    expect(page).toMatchObject({ hasMore: true, totalCount: 2 })
    expect((await ids(`/agents/approvals?limit=1&cursor=${page.nextCursor}`))[0]).toBe(first!.id)
    for (const query of [
      'limit=0',
      'limit=101',
      'cursor=x',
      'sortOrder=up',
      'startDate=2026-02-01T00:00:00Z&endDate=2026-01-01T00:00:00Z',
    ]) {
      expect((await api.call('GET', `/agents/approvals?${query}`)).status, query).toBe(400)
    }
    const own = async (query: string) =>
      (await agent.call('GET', `/actions?${query}`)).body.data.map(({ id }: { id: string }) => id)
    expect(await own('')).toEqual([third!.id, second!.id, first!.id])
    expect(await own('status=APPROVED')).toEqual([second!.id])
    expect(await own('status=PENDING_APPROVAL')).toEqual([third!.id, first!.id])
    expect((await agent.call('GET', '/actions?status=DONE')).status).toBe(400)
  })
})

describe('what the policy measures (wallets 12.3)', () => {
  it('converts into the currency of the limits, rounded up, fees included', async () => {
    const api = await agentApi(server)
    const eur = await internalAccountOf(api.api, api.customer.id, 'EUR')
    await fund(api.api, eur.id, 10_000)
    const agent = await api.connect(policyOf({ spendingLimits: { perTransactionLimit: 1_000_000 } }))
    const made = await agent.call('POST', '/quotes', {
      ...api.quoteOf(101),
      source: { sourceType: 'ACCOUNT', accountId: eur.id },
      lockedCurrencyAmount: 1_001,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    expect((await execute(agent, made.body.id)).status).toBe(200)
    const rates = (await api.call('GET', '/exchange-rates?sourceCurrency=EUR&destinationCurrency=USD')).body
      .data
    const { dailySpend } = await usageOf(agent)
    // At mid, which is better than the rate that is charged, and never less than the amount is worth.
    expect(dailySpend).toBeGreaterThan(1_001)
    expect(Number.isInteger(dailySpend)).toBe(true)
    expect(rates.length).toBeGreaterThan(0)
    const limit = { spendingLimits: { perTransactionLimit: dailySpend } }
    const again = async () => {
      const quote = await agent.call('POST', '/quotes', {
        ...api.quoteOf(1_001),
        source: { sourceType: 'ACCOUNT', accountId: eur.id },
      })
      return execute(agent, quote.body.id)
    }
    await api.call('PATCH', `/agents/${agent.id}/policy`, limit)
    expect((await again()).status).toBe(200)
    await api.call('PATCH', `/agents/${agent.id}/policy`, {
      spendingLimits: { perTransactionLimit: dailySpend - 1 },
    })
    expect(await again()).toMatchObject(forbidden('POLICY_LIMIT'))
  })

  it('goes on counting what was used before the limits changed their currency', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(
      policyOf({ spendingLimits: { dailyLimit: 10_000, monthlyLimit: 20_000 } }),
    )
    const pay = (amount: number) => agent.call('POST', '/transfer-out', api.transferOut(amount))
    expect((await pay(10_000)).status).toBe(201)
    const change = (spendingLimits: object) =>
      api.call('PATCH', `/agents/${agent.id}/policy`, { spendingLimits })
    const inEuro = await change({ currency: 'EUR' })
    expect(inEuro.status).toBe(200)
    const { policy, usage } = inEuro.body
    // The limit is rounded down, what is used of it up.
    expect(usage.dailySpend - policy.spendingLimits.dailyLimit).toBeGreaterThanOrEqual(0)
    expect(usage.dailySpend - policy.spendingLimits.dailyLimit).toBeLessThanOrEqual(1)
    expect(await pay(100)).toMatchObject(forbidden('POLICY_LIMIT'))
    await change({ dailyLimit: usage.dailySpend + 100 })
    expect((await pay(50)).status).toBe(201)
    expect(await pay(100)).toMatchObject(forbidden('POLICY_LIMIT'))
    const back = await change({ currency: 'USD', dailyLimit: 10_100 })
    expect(back.body.usage).toMatchObject({ dailyTransactionCount: 2 })
    expect(Math.abs(back.body.usage.dailySpend - 10_050)).toBeLessThanOrEqual(2)
  })

  it('asks for accounts, their own limits and modes', async () => {
    const api = await agentApi(server)
    const eur = await internalAccountOf(api.api, api.customer.id, 'EUR')
    const agent = await api.connect(
      policyOf({
        spendingLimits: { perTransactionLimit: 1_000 },
        accountRestrictions: {
          allowedAccountIds: [api.usd.id],
          accountRules: [
            { accountId: api.usd.id, perTransactionLimit: 5_000, executionMode: 'APPROVAL_REQUIRED' },
          ],
        },
      }),
    )
    const pay = (amount: number) => agent.call('POST', '/transfer-out', api.transferOut(amount))
    expect(await pay(5_001)).toMatchObject(forbidden('POLICY_LIMIT'))
    expect((await pay(5_000)).body).toMatchObject({ status: 'PENDING_APPROVAL' })
    const { data, totalCount } = (await agent.call('GET', '/internal-accounts')).body
    expect([data.map(({ id }: { id: string }) => id), totalCount]).toEqual([[api.usd.id], 1])
    const elsewhere = { source: { sourceType: 'ACCOUNT', accountId: eur.id } }
    expect(await agent.call('POST', '/quotes', { ...api.quoteOf(100), ...elsewhere })).toMatchObject(
      forbidden('POLICY_ACCOUNT'),
    )
    const into = { destination: { destinationType: 'ACCOUNT', accountId: eur.id } }
    expect(await agent.call('POST', '/quotes', { ...api.quoteOf(100), ...into })).toMatchObject(
      forbidden('POLICY_ACCOUNT'),
    )
    await api.call('PATCH', `/agents/${agent.id}/policy`, { accountRestrictions: { allowedAccountIds: [] } })
    expect((await agent.call('GET', '/internal-accounts')).body).toEqual({
      data: [],
      hasMore: false,
      totalCount: 0,
    })
    expect(await pay(1)).toMatchObject(forbidden('POLICY_ACCOUNT'))
    await api.call('PATCH', `/agents/${agent.id}/policy`, {
      accountRestrictions: { allowedAccountIds: null },
    })
    expect((await agent.call('GET', '/internal-accounts')).body.totalCount).toBeGreaterThan(1)
    // Of two accounts the stricter mode and the lower limit hold: the general one of the other.
    const both = await agent.call('POST', '/quotes', { ...api.quoteOf(1_000), ...into })
    expect((await execute(agent, both.body.id)).body).toMatchObject({ status: 'PENDING_APPROVAL' })
    const more = await agent.call('POST', '/quotes', { ...api.quoteOf(1_001), ...into })
    expect(await execute(agent, more.body.id)).toMatchObject(forbidden('POLICY_LIMIT'))
  })

  it('refuses in the order of wallets 12.5', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf({ spendingLimits: { perTransactionLimit: 1_000 } }))
    const transfer = (body: object) => agent.call('POST', '/transfer-out', body)
    expect((await transfer({ source: { accountId: api.usd.id } })).status).toBe(400)
    const nobody = '0199dd6c-0000-7000-8000-000000000000'
    const unknown = { ...api.transferOut(5_000), destination: { accountId: `ExternalAccount:${nobody}` } }
    expect((await transfer(unknown)).status).toBe(404)
    expect(await transfer(api.transferOut(200_000))).toMatchObject(forbidden('POLICY_LIMIT'))
    await api.call('PATCH', `/agents/${agent.id}/policy`, {
      spendingLimits: { perTransactionLimit: 500_000 },
    })
    expect(await transfer(api.transferOut(200_000))).toMatchObject({
      status: 400,
      body: { code: 'INSUFFICIENT_BALANCE' },
    })
    const quoteId = await quoted(api, agent, 30_000)
    await api.call('PATCH', `/agents/${agent.id}/policy`, { spendingLimits: { perTransactionLimit: 1 } })
    await api.call('POST', '/sandbox/clock/advance', { seconds: 3_600 })
    expect((await execute(agent, quoteId)).body.code).toBe('QUOTE_EXPIRED')
    expect((await agent.call('GET', '/actions')).body.data).toEqual([])
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 0 })
  })

  it('lets wait what the balance does not cover yet', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
    const asked = await agent.call('POST', '/transfer-out', api.transferOut(150_000))
    expect(asked.body).toMatchObject({ status: 'PENDING_APPROVAL' })
    await fund(api.api, api.usd.id, 50_000)
    expect((await decide(api, agent, asked.body.id, 'approve')).body).toMatchObject({ status: 'APPROVED' })
    expect(await api.balance()).toBe(0)
  })
})

describe('quotes of agents (wallets 12.4)', () => {
  it('are their own, and cannot be executed without them', async () => {
    const api = await agentApi(server)
    const [agent, other] = [await api.connect(), await api.connect()]
    const quoteId = await quoted(api, agent, 1_000)
    expect((await agent.call('GET', `/quotes/${quoteId}`)).body).toMatchObject({
      id: quoteId,
      status: 'PENDING',
    })
    const ofPlatform = (await api.call('POST', '/quotes', api.quoteOf(1_000))).body.id
    for (const id of [quoteId, ofPlatform]) {
      expect(await other.call('GET', `/quotes/${id}`)).toMatchObject({
        status: 404,
        body: { code: 'QUOTE_NOT_FOUND' },
      })
      expect((await execute(other, id)).status).toBe(404)
    }
    // The platform sees all of them.
    expect((await api.call('GET', `/quotes/${quoteId}`)).status).toBe(200)
  })

  it('wait for a call that executes them, and leave the fees to the platform', async () => {
    const api = await agentApi(server)
    const agent = await api.connect()
    const wrong = await agent.call('POST', '/quotes', {
      ...api.quoteOf(1_000),
      source: { sourceType: 'REALTIME_FUNDING', customerId: api.customer.id, currency: 'USD' },
      immediatelyExecute: true,
      platformFeeOverride: { variableFeeBps: 0 },
    })
    expect(wrong.status).toBe(400)
    const fields = wrong.body.details.errors.map(({ field }: { field: string }) => field)
    expect(fields).toEqual(
      expect.arrayContaining(['immediatelyExecute', 'source.sourceType', 'platformFeeOverride']),
    )
  })

  it('earn the platform its fee like any other', async () => {
    const api = await agentApi(server)
    const configured = await api.call('PATCH', '/config', {
      feeConfigs: [
        {
          feeType: 'CROSS_CURRENCY_TRANSACTION',
          sourceCurrency: 'USD',
          variableFeeBps: 100,
          fixedFee: { amount: 0, currency: 'USD' },
        },
      ],
    })
    expect(configured.status, JSON.stringify(configured.body)).toBe(200)
    const agent = await api.connect()
    const own = await agent.call('POST', '/quotes', api.quoteOf(10_000))
    const ofPlatform = await api.call('POST', '/quotes', api.quoteOf(10_000))
    expect(own.body.platformFeesIncluded).toBe(ofPlatform.body.platformFeesIncluded)
    expect(own.body.platformFeesIncluded).toBeGreaterThan(0)
    await execute(agent, own.body.id)
    await server.settle()
    const [account] = (await api.call('GET', '/platform/internal-accounts?currency=USD')).body.data
    expect(account.balance.amount).toBe(own.body.platformFeesIncluded)
  })
})

describe('what agents read and keep (wallets 12.4)', () => {
  it('all transactions of their customer, and none of others', async () => {
    const api = await agentApi(server)
    const agent = await api.connect()
    const before = await api.call('POST', '/transfer-out', api.transferOut(100))
    const listed = (await agent.call('GET', '/transactions?type=OUTGOING')).body
    expect(listed.data.map(({ id }: { id: string }) => id)).toEqual([before.body.id])
    expect((await agent.call('GET', `/transactions/${before.body.id}`)).body).toMatchObject({
      id: before.body.id,
    })
    expect((await agent.call('GET', `/transactions?customerId=${api.customer.id}`)).status).toBe(400)
    expect(before.body).not.toHaveProperty('agentId')
  })

  it('external accounts of their customer', async () => {
    const api = await agentApi(server)
    const agent = await api.connect()
    const platforms = await createPayee(api.api, 'USD', '000999456891')
    const list = async () =>
      (await agent.call('GET', '/external-accounts')).body.data.map(({ id }: { id: string }) => id).sort()
    expect(await list()).toEqual([api.bank.id, api.payee.id].sort())
    const body = {
      currency: 'MXN',
      accountInfo: {
        accountType: 'MXN_ACCOUNT',
        clabeNumber: '032180000118359719',
        beneficiary: {
          beneficiaryType: 'INDIVIDUAL',
          fullName: 'Greta Lindholm',
          birthDate: '1979-04-02',
          nationality: 'SE',
        },
      },
    }
    const made = await agent.call('POST', '/external-accounts', body)
    expect(made).toMatchObject({ status: 201, body: { customerId: api.customer.id } })
    expect((await agent.call('POST', '/external-accounts', body)).status).toBe(409)
    const other = 'Customer:0199dd6c-0000-7000-8000-000000000000'
    const refused = await agent.call('POST', '/external-accounts', { ...body, customerId: other })
    expect(refused).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'customerId' } },
    })
    const path = `/external-accounts/${made.body.id}`
    expect((await agent.call('GET', path)).body).toEqual(made.body)
    expect((await agent.call('GET', `/external-accounts/${platforms.id}`)).status).toBe(404)
    expect((await agent.call('DELETE', `/external-accounts/${platforms.id}`)).status).toBe(404)
    expect((await agent.call('DELETE', path)).status).toBe(204)
    expect((await agent.call('GET', path)).status).toBe(404)
  })

  it('not where deposits go on to, which no limit of theirs would measure', async () => {
    const api = await agentApi(server)
    const policy = policyOf({ permissions: ['MANAGE_EXTERNAL_ACCOUNTS'] })
    const agent = await api.connect(policy)
    const { id: _, ...like } = await createPayee(api.api, 'USD', '000777456891', {
      customerId: api.customer.id,
      defaultUmaDepositAccount: true,
    } as never)
    const body = {
      currency: 'USD',
      accountInfo: { ...like.accountInfo, accountNumber: '000888456891' },
    }
    const taken = await agent.call('POST', '/external-accounts', { ...body, defaultUmaDepositAccount: true })
    expect(taken).toMatchObject({
      status: 400,
      body: { code: 'INVALID_INPUT', details: { field: 'defaultUmaDepositAccount' } },
    })
    const added = await agent.call('POST', '/external-accounts', { ...body, defaultUmaDepositAccount: false })
    expect(added).toMatchObject({ status: 201, body: { defaultUmaDepositAccount: false } })
    const { data } = (await api.call('GET', `/customers/external-accounts?customerId=${api.customer.id}`))
      .body
    const defaults = data.filter((account: Record<string, unknown>) => account.defaultUmaDepositAccount)
    expect(defaults).toMatchObject([{ accountInfo: { accountNumber: '000777456891' } }])
  })

  it('nothing of another customer of the same platform, by any way to name it', async () => {
    const api = await agentApi(server)
    const agent = await api.connect()
    const neighbour = await agentApi(server)
    // A second customer of the first platform.
    const second = (
      await api.call('POST', '/customers', {
        customerType: 'INDIVIDUAL',
        fullName: 'Ben Roe',
        currencies: ['USD'],
      })
    ).body
    const usd = await internalAccountOf(api.api, second.id, 'USD')
    const bank = await createPayee(api.api, 'USD', '000123456777', { customerId: second.id })
    const theirs = await connectAgent(server, api.platform, second.id)
    for (const { from, to } of [
      { from: usd.id, to: api.bank.id },
      { from: api.usd.id, to: bank.id },
      { from: neighbour.usd.id, to: api.bank.id },
    ]) {
      const body = { source: { accountId: from }, destination: { accountId: to }, amount: 100 }
      expect((await agent.call('POST', '/transfer-out', body)).status).toBe(404)
      const quote = {
        ...api.quoteOf(100),
        source: { sourceType: 'ACCOUNT', accountId: from },
        destination: { destinationType: 'ACCOUNT', accountId: to },
      }
      expect(await agent.call('POST', '/quotes', quote)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT' },
      })
    }
    const own = { sourceType: 'ACCOUNT', accountId: api.usd.id, customerId: second.id }
    expect((await agent.call('POST', '/quotes', { ...api.quoteOf(100), source: own })).status).toBe(400)
    const into = { destinationType: 'ACCOUNT', accountId: usd.id }
    expect((await agent.call('POST', '/quotes', { ...api.quoteOf(100), destination: into })).status).toBe(400)
    const quoteId = (
      await theirs.call('POST', '/transfer-in', {
        source: { accountId: bank.id },
        destination: { accountId: usd.id },
        amount: 100,
      })
    ).body
    expect((await agent.call('GET', `/actions/${quoteId.id}`)).status).toBe(404)
    expect((await agent.call('GET', `/transactions/${quoteId.transaction.id}`)).status).toBe(404)
    expect(
      (await agent.call('GET', '/transactions')).body.data.every(
        ({ customerId }: { customerId: string }) => customerId === api.customer.id,
      ),
    ).toBe(true)
    expect(
      (await agent.call('GET', `/internal-accounts?customerId=${second.id}&id=${usd.id}`)).body.data.every(
        ({ customerId }: { customerId: string }) => customerId === api.customer.id,
      ),
    ).toBe(true)
  })
})

describe('at the same moment', () => {
  it('twenty transfers never pass a limit together', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(
      policyOf({ spendingLimits: { dailyLimit: 5_500, monthlyLimit: 50_000, dailyTransactionLimit: 100 } }),
    )
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => agent.call('POST', '/transfer-out', api.transferOut(1_000))),
    )
    const refused = answers.filter(({ status }) => status === 403)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(5)
    expect(refused).toHaveLength(15)
    for (const { body } of refused) expect(body.details.reason).toBe('POLICY_LIMIT')
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 5, dailySpend: 5_000 })
    expect(await api.balance()).toBe(95_000)
  })

  it('a count of transactions is not passed either', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf({ spendingLimits: { dailyTransactionLimit: 3 } }))
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => agent.call('POST', '/transfer-out', api.transferOut(100))),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
    expect(await api.balance()).toBe(99_700)
  })

  it('ten approvals of one action execute it once', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
    const { id } = (await agent.call('POST', '/transfer-out', api.transferOut(1_000))).body
    const answers = await Promise.all(Array.from({ length: 10 }, () => decide(api, agent, id, 'approve')))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)])
    expect(await api.balance()).toBe(99_000)
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 1, dailySpend: 1_000 })
  })

  it('of approvals that pass a limit together the later ones are FAILED', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(
      policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED', spendingLimits: { dailyLimit: 3_500 } }),
    )
    const ids: string[] = []
    for (let count = 0; count < 8; count++) {
      ids.push((await agent.call('POST', '/transfer-out', api.transferOut(1_000))).body.id)
    }
    const answers = await Promise.all(ids.map((id) => decide(api, agent, id, 'approve')))
    expect(answers.map(({ status }) => status)).toEqual(Array(8).fill(200))
    expect(answers.map(({ body }) => body.status).sort()).toEqual([
      ...Array(3).fill('APPROVED'),
      ...Array(5).fill('FAILED'),
    ])
    expect(await api.balance()).toBe(97_000)
    expect(await usageOf(agent)).toMatchObject({ dailyTransactionCount: 3, dailySpend: 3_000 })
  })

  it('of approvals that need one balance the later ones are FAILED', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
    const ids: string[] = []
    for (let count = 0; count < 4; count++) {
      ids.push((await agent.call('POST', '/transfer-out', api.transferOut(40_000))).body.id)
    }
    const answers = await Promise.all(ids.map((id) => decide(api, agent, id, 'approve')))
    expect(answers.map(({ body }) => body.status).sort()).toEqual([
      'APPROVED',
      'APPROVED',
      'FAILED',
      'FAILED',
    ])
    expect(await api.balance()).toBe(20_000)
  })

  it('an approval and a rejection have one winner', async () => {
    const api = await agentApi(server)
    const agent = await api.connect(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
    const { id } = (await agent.call('POST', '/transfer-out', api.transferOut(1_000))).body
    const answers = await Promise.all([decide(api, agent, id, 'approve'), decide(api, agent, id, 'reject')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
  })

  it('one quote is executed once', async () => {
    const api = await agentApi(server)
    const agent = await api.connect()
    const quoteId = await quoted(api, agent, 10_000)
    const answers = await Promise.all(Array.from({ length: 6 }, () => execute(agent, quoteId)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(409)])
    const waiting = await api.connect(policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }))
    const second = await quoted(api, waiting, 10_000)
    const asked = await Promise.all(Array.from({ length: 6 }, () => execute(waiting, second)))
    expect(asked.map(({ status }) => status).sort()).toEqual([200, ...Array(5).fill(409)])
    expect(await api.balance()).toBe(90_000)
    expect(await pendingEvents(api)).toHaveLength(1)
  })

  it('what was admitted before a pause is decided once, and keeps nobody from pausing', async () => {
    const api = await agentApi(server)
    const agent = await api.connect()
    const { applier } = server.engine
    let decisions = 0
    let tellPaused: () => void = () => {}
    const paused = new Promise<void>((resolve) => {
      tellPaused = resolve
    })
    const apply = async (...[scope, decision]: Parameters<typeof applier.apply>) => {
      if (scope.actor.id === agent.id) {
        decisions++
        await paused
      }
      return applier.apply(scope, decision)
    }
    Object.assign(server.engine, { applier: { ...applier, apply } })
    try {
      const asked = Array.from({ length: 10 }, () =>
        agent.call('POST', '/transfer-out', api.transferOut(100)),
      )
      await until(() => decisions === 10)
      expect((await api.call('PATCH', `/agents/${agent.id}`, { isPaused: true })).status).toBe(200)
      tellPaused()
      for (const answer of await Promise.all(asked)) {
        expect(answer).toMatchObject({ status: 409, body: { details: { reason: 'CONCURRENT_UPDATE' } } })
      }
    } finally {
      Object.assign(server.engine, { applier })
    }
    expect(decisions).toBe(10)
    expect(await api.balance()).toBe(100_000)
  })

  it('nothing begins once a pause, a deletion or a lower limit was answered', async () => {
    const api = await agentApi(server)
    for (const end of [
      (id: string) => api.call('PATCH', `/agents/${id}`, { isPaused: true }),
      (id: string) => api.call('DELETE', `/agents/${id}`),
      (id: string) =>
        api.call('PATCH', `/agents/${id}/policy`, { spendingLimits: { perTransactionLimit: 1 } }),
    ]) {
      const agent = await api.connect()
      const before = await api.balance()
      let isOver = false
      const paid: boolean[] = []
      const pay = async () => {
        const startedAfter = isOver
        const { status } = await agent.call('POST', '/transfer-out', api.transferOut(100))
        expect([201, 401, 403, 409]).toContain(status)
        if (status === 201) paid.push(startedAfter)
      }
      const burst = Array.from({ length: 5 }, pay)
      const ended = end(agent.id).then(({ status }) => {
        expect([200, 204]).toContain(status)
        isOver = true
      })
      await Promise.all([...burst, ended])
      await Promise.all(Array.from({ length: 5 }, pay))
      expect(paid.every((startedAfter) => !startedAfter)).toBe(true)
      expect(await api.balance()).toBe(before - 100 * paid.length)
    }
  })
})

it('never reaches what is not under /agents/me with its token', async () => {
  const api = await agentApi(server)
  const agent = await api.connect()
  const answer = await send(server, `Bearer ${agent.token}`, 'POST', '/quotes', api.quoteOf(100))
  expect(answer).toMatchObject({ status: 401, body: { code: 'UNAUTHORIZED' } })
  expect((await send(server, basic(api.platform), 'GET', '/agents/me/actions')).status).toBe(401)
})
