import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Corridor } from '@corridor/sdk'
import {
  createCustomer,
  createPayee,
  fund,
  internalAccountOf,
  openTestServer,
} from '@corridor/testkit/index.ts'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { beforeAll, describe, expect, it } from 'vitest'
import { agentTools } from '../../apps/cli/src/commands/mcp.ts'
import { answering } from '../../apps/cli/src/mcp/protocol.ts'
import { cardApi } from './card-api.ts'

/** The tools of agents, through the client library of the protocol. */

const server = await openTestServer()
const published = readFileSync(join(import.meta.dirname, '../../openapi/openapi.json'), 'utf8')

/** A client that is connected to the tools of a platform. `loses`: requests whose answer is lost on its way back; then `meanwhile`. */
async function connected(
  platform: { clientId: string; clientSecret: string },
  loses?: Pick<RegExp, 'test'>,
  meanwhile?: () => Promise<unknown>,
) {
  const runtime = {
    now: () => server.world.now(),
    sleep: (ms: number, signal?: AbortSignal) =>
      ms >= 60_000
        ? new Promise<void>((resolve) => signal?.addEventListener('abort', () => resolve()))
        : server.settle(),
  }
  const { clientId, clientSecret } = platform
  // The document is served by the process, which these tests have not.
  const fetch: typeof server.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : String(input)
    if (url.endsWith('/openapi.json')) return new Response(published)
    const answer = await server.fetch(input, init)
    if (!answer.ok || !loses?.test(url)) return answer
    await meanwhile?.()
    throw new TypeError('fetch failed')
  }
  const corridor = new Corridor({
    baseUrl: server.baseUrl,
    clientId,
    clientSecret,
    fetch,
    runtime,
  })
  const tools = await agentTools(corridor, {
    now: () => server.world.now(),
    uuid: () => server.world.uuid(),
    sleep: (ms) => server.pass(ms),
  })
  const answer = answering(tools, 'test')
  const transport: Transport = {
    start: async () => {},
    close: async () => {},
    async send(message) {
      const line = await answer(JSON.stringify(message))
      if (line !== undefined) transport.onmessage?.(JSON.parse(line))
    },
  }
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const call = async (name: string, given: Record<string, unknown> = {}) => {
    const { content, isError } = await client.callTool({ name, arguments: given })
    const [{ text }] = content as [{ text: string }]
    return {
      isError: isError === true,
      text,
      data: isError ? undefined : JSON.parse(text.slice(text.indexOf('\n'))),
    }
  }
  return { client, call, raw: answer }
}

const platform = await server.platform()
const api = server.client(platform)
let agent: Awaited<ReturnType<typeof connected>>
let from = ''
let to = ''
let customerId = ''
beforeAll(async () => {
  agent = await connected(platform)
  const customer = await createCustomer(api)
  customerId = customer.id
  from = (await internalAccountOf(api, customer.id, 'USD')).id
  await fund(api, from, 500_000)
  to = (await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })).id
})
const balance = async () =>
  (await agent.call('call_operation', { id: 'getInternalAccount', path: { id: from } })).data.answer.balance
    .amount

describe('the tools of agents', () => {
  it('are few, say what they change, and leave room in a context', async () => {
    const { tools } = await agent.client.listTools()
    expect(tools.map(({ name }) => name)).toEqual([
      'search_operations',
      'call_operation',
      'pay',
      'list_payments',
      'explain',
      'trigger',
      'clock',
      'fund',
      'inbox',
      'inbound_payment',
      'faults',
      'world',
      'events',
      'audit',
    ])
    for (const { name, annotations } of tools) expect(annotations?.readOnlyHint, name).toBeTypeOf('boolean')
    // A token is at least three characters of such text, and mostly more than four.
    expect(JSON.stringify(tools).length / 3).toBeLessThan(2_500)
  })

  it('find an operation with its body, and call it: first dry, then in earnest, once', async () => {
    const found = await agent.call('search_operations', { query: 'create customer' })
    const operation = found.data.operations.find(({ id }: { id: string }) => id === 'createCustomer')
    expect(JSON.stringify(operation.body)).toContain('fullName')
    const given = {
      id: 'createCustomer',
      body: { customerType: 'INDIVIDUAL', fullName: 'Mia', region: 'US' },
    }
    const dry = await agent.call('call_operation', given)
    expect(dry.data.dryRun).toContain('curl -X POST')
    const names = async () =>
      JSON.stringify((await agent.call('call_operation', { id: 'listCustomers' })).data)
    expect(await names()).not.toContain('Mia')
    const { confirm } = dry.data
    const made = await agent.call('call_operation', { ...given, confirm })
    expect(made.data.answer.fullName).toBe('Mia')
    expect(await agent.call('call_operation', { ...given, confirm })).toMatchObject({ isError: true })
    expect((await names()).match(/Mia/g)).toHaveLength(1)
  })

  it('do not do anything else than what the dry run showed, nor later than ten minutes', async () => {
    const given = {
      id: 'createCustomer',
      body: { customerType: 'INDIVIDUAL', fullName: 'Eve', region: 'US' },
    }
    const { confirm } = (await agent.call('call_operation', given)).data
    const other = { ...given, body: { ...given.body, fullName: 'Mallory' }, confirm }
    expect((await agent.call('call_operation', other)).text).toContain('differ from the dry run')
    const late = (await agent.call('call_operation', given)).data.confirm
    await server.pass(11 * 60_000)
    expect((await agent.call('call_operation', { ...given, confirm: late })).isError).toBe(true)
    const paid = (await agent.call('call_operation', given)).data.confirm
    expect((await agent.call('pay', { confirm: paid })).isError).toBe(true)
    expect(JSON.stringify((await agent.call('call_operation', { id: 'listCustomers' })).data)).not.toMatch(
      /Eve|Mallory/,
    )
  })

  it.each([
    ['of the execution', /\/execute$/, 'The payment may have been made'],
    [
      'of what became of it',
      /\/transactions\/Transaction/,
      'The quote was executed, but the result is unknown',
    ],
  ])('say which payment may have been made where the answer %s is lost', async (_what, loses, doubt) => {
    const losing = await connected(platform, loses)
    const quoted = await losing.call('pay', { from, to, send: '10.00USD' })
    const before = await balance()
    const lost = await losing.call('pay', { confirm: quoted.data.confirm })
    await server.settle()
    expect(await balance()).toBe(before - 1_000)
    expect(lost.isError).toBe(true)
    const { payments } = (await agent.call('list_payments', { limit: 1 })).data
    expect(lost.text).toContain(`${doubt}. To check, use call_operation getTransactionById ${payments[0].id}`)
  })

  it('say which payment may have been made where the credential is revoked after the answer was lost', async () => {
    const api = server.client(platform)
    const named = { name: 'Agent', permissions: ['VIEW', 'TRANSACT'] as const }
    const { data: token } = await api.POST('/tokens', { body: named as never })
    const { clientId, clientSecret } = token!
    const params = { path: { tokenId: token!.id } }
    const revoked = () => api.DELETE('/tokens/{tokenId}', { params })
    const losing = await connected({ clientId, clientSecret: clientSecret! }, /\/execute$/, revoked)
    const quoted = await losing.call('pay', { from, to, send: '10.00USD' })
    const before = await balance()
    const lost = await losing.call('pay', { confirm: quoted.data.confirm })
    await server.settle()
    expect(await balance()).toBe(before - 1_000)
    expect(lost).toMatchObject({ isError: true, text: expect.stringContaining('UNAUTHORIZED') })
    const { payments } = (await agent.call('list_payments', { limit: 1 })).data
    expect(lost.text).toContain(
      `The payment may have been made. To check, use call_operation getTransactionById ${payments[0].id}`,
    )
  })

  it('do nothing twice where the answer is lost and the same word is given again', async () => {
    const { id: accountId } = await createPayee(api, 'USD', '12345678', { customerId })
    const given = {
      id: 'createTransferOut',
      body: { source: { accountId: from }, destination: { accountId }, amount: 1_000 },
    }
    let left = 3
    const losing = await connected(platform, { test: (url) => url.endsWith('/transfer-out') && left-- > 0 })
    const { confirm } = (await losing.call('call_operation', given)).data
    const before = await balance()
    const lost = await losing.call('call_operation', { ...given, confirm })
    expect(lost.isError).toBe(true)
    expect(lost.text).toContain(
      'The request may have been executed. Within ten minutes of the dry run, you can safely call again',
    )
    expect(lost.text).not.toContain('Check that the server is running')
    const other = { ...given, body: { ...given.body, amount: 2_000 }, confirm }
    expect((await losing.call('call_operation', other)).text).toContain('differ from the dry run')
    const again = await losing.call('call_operation', { ...given, confirm })
    expect(again.data.answer.id).toMatch(/^Transaction:/)
    await server.settle()
    expect(await balance()).toBe(before - 1_000)
    expect((await losing.call('call_operation', { ...given, confirm })).text).toContain(
      'is wrong or has expired',
    )
  })

  it('keep a word whose answer was lost no longer than any other', async () => {
    const given = { id: 'createCustomer', body: { customerType: 'INDIVIDUAL', fullName: 'Lo', region: 'US' } }
    const losing = await connected(platform, /\/customers$/)
    const { confirm } = (await losing.call('call_operation', given)).data
    expect((await losing.call('call_operation', { ...given, confirm })).text).toContain(
      'may have been executed',
    )
    await server.pass(11 * 60_000)
    expect((await losing.call('call_operation', { ...given, confirm })).text).toContain(
      'is wrong or has expired',
    )
  })

  it('pay once a person has seen the amounts, and read it back', async () => {
    const before = await balance()
    const quoted = await agent.call('pay', { from, to, send: '1000.00USD', description: 'rent' })
    expect(quoted.data.dryRun).toMatch(/^send 1,000.00 USD, receive \S+ EUR/)
    expect(await balance()).toBe(before)
    const paid = await agent.call('pay', { confirm: quoted.data.confirm })
    expect(paid.data).toMatchObject({ payment: { status: 'COMPLETED' }, isDelivered: true })
    expect(await balance()).toBe(before - 100_000)
    expect((await agent.call('pay', { confirm: quoted.data.confirm })).isError).toBe(true)
    const { payments } = (await agent.call('list_payments', { limit: 1 })).data
    const explained = (await agent.call('explain', { id: payments[0].id })).data
    expect(explained.checks).toContainEqual({ name: 'recomputed amounts match the stored ones', holds: true })
    expect(payments[0].id).toBe(paid.data.payment.id)
    const read = await agent.call('call_operation', {
      id: 'getTransactionById',
      path: { transactionId: paid.data.payment.id },
    })
    expect(read.data.answer.status).toBe('COMPLETED')
    expect(read.text).not.toContain('DE89370400440532013000')
    expect(await balance()).toBe(before - 100_000)
  })

  it('move the clock, put money in and make events happen in a sandbox', async () => {
    const before = await balance()
    expect((await agent.call('fund', { accountId: from, amount: 100 })).isError).toBe(false)
    expect(await balance()).toBe(before + 100)
    expect((await agent.call('clock', { seconds: 3600 })).data.offsetSeconds).toBe(3600)
    expect((await agent.call('trigger', { event: 'INCOMING_PAYMENT.COMPLETED' })).isError).toBe(false)
    expect((await agent.call('inbox')).data.messages).toEqual([])
    expect((await agent.call('trigger', { event: 'constructor' })).isError).toBe(true)
  })

  it('only read in production', async () => {
    const real = await connected(await server.platform({ environment: 'PRODUCTION' }))
    const create = {
      id: 'createCustomer',
      body: { customerType: 'INDIVIDUAL', fullName: 'Real', region: 'US' },
    }
    for (const [name, given] of [
      ['call_operation', create],
      ['call_operation', { ...create, confirm: 'x' }],
      ['pay', { from, to, send: '1USD' }],
      ['pay', { confirm: 'x' }],
      ['fund', { accountId: from, amount: 1 }],
      ['trigger', { event: 'TEST' }],
      ['clock', { seconds: 1 }],
    ] as const) {
      expect((await real.call(name, given)).text, name).toContain('In production, agents can only read')
    }
    expect((await real.call('list_payments')).data.payments).toEqual([])
  })

  it('do not show where the number of a card can be read', async () => {
    const cards = await cardApi(server)
    const card = await cards.activeCard()
    const { call } = await connected(cards.platform)
    const given = { id: 'revealCard', path: { id: card.id } }
    const { confirm } = (await call('call_operation', given)).data
    const { answer } = (await call('call_operation', { ...given, confirm })).data
    expect(answer.panEmbedUrl).toMatch(/^https?:\/\/[^/]+\/…$/)
  })

  it('answer what is no request, no tool and no JSON in the words of the protocol', async () => {
    const code = async (line: string) => JSON.parse((await agent.raw(line))!).error.code
    expect(await code('{')).toBe(-32700)
    expect(await code('[]')).toBe(-32600)
    expect(await code('null')).toBe(-32600)
    expect(await code('{"jsonrpc":"2.0","id":1,"method":"sell"}')).toBe(-32601)
    expect(await code('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"sell"}}')).toBe(-32602)
    expect(await agent.raw('{"jsonrpc":"2.0","method":"notifications/initialized"}')).toBeUndefined()
    expect((await agent.call('call_operation', { id: 'getInternalAccount' })).text).toContain(
      '`path.id` is required',
    )
  })
})

describe('the tools of a sandbox', () => {
  it('make something fail, say what it hit, and let it work again', async () => {
    const fault = { kind: 'ERROR', target: 'RATES', times: 1 }
    const made = await agent.call('faults', { do: 'ADD', fault })
    expect(made.data).toMatchObject(fault)
    expect((await agent.call('faults', { do: 'ADD', fault: { ...fault, tmes: 1 } })).isError).toBe(true)
    expect((await agent.call('pay', { from, to, send: '10.00USD' })).isError).toBe(true)
    const { id } = made.data
    expect((await agent.call('faults', { do: 'HITS', id })).data.hits).toMatchObject([{ kind: 'ERROR' }])
    expect((await agent.call('faults', { do: 'LIST' })).data.faults).toHaveLength(1)
    await agent.call('faults', { do: 'REMOVE', id })
    expect((await agent.call('faults', { do: 'LIST' })).data.faults).toEqual([])
    expect((await agent.call('faults', { do: 'HITS' })).text).toContain('`id` is required')
  })

  it('find events and their attempts, send them again, and prove the ledger', async () => {
    await fund(api, from, 100)
    await server.settle()
    const { events } = (await agent.call('events', { do: 'LIST' })).data
    expect(events.length).toBeGreaterThan(0)
    expect((await agent.call('events', { do: 'ATTEMPTS', id: events[0].id })).data.id).toBe(events[0].id)
    expect((await agent.call('events', { do: 'RESEND', id: 'Webhook:none' })).isError).toBe(true)
    expect((await agent.call('audit')).data).toMatchObject({ status: 'SOUND' })
  })

  it('do not set the sandbox back before it was said twice', async () => {
    const dry = await agent.call('world', { do: 'RESET' })
    expect(dry.data.dryRun).toContain('for all platforms')
    const other = await agent.call('world', { do: 'RESTORE', name: 'start', confirm: dry.data.confirm })
    expect(other.text).toContain('differ from the dry run')
    const again = (await agent.call('world', { do: 'RESET' })).data.confirm
    // This one is not set up to be copied, and says so.
    expect((await agent.call('world', { do: 'RESET', confirm: again })).text).toContain('409')
    expect((await agent.call('world', { do: 'FORK' })).text).toContain('`name` is required')
  })

  it('wait for a message, and change nothing in production', async () => {
    expect((await agent.call('inbox', { waitSeconds: 0 })).data).toEqual({})
    const real = await connected(await server.platform({ environment: 'PRODUCTION' }))
    for (const [name, given] of [
      ['faults', { do: 'LIST' }],
      ['world', { do: 'LIST' }],
      ['inbound_payment', { body: {} }],
      ['events', { do: 'RESEND', id: 'Webhook:none' }],
    ] as const) {
      expect((await real.call(name, given)).text, name).toContain('production')
    }
  })
})
