import {
  createCustomer,
  fund,
  internalAccountOf,
  must,
  recordWebhooks,
  startTestServer,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { balanceOf, quoteTo } from './uma-peers.ts'
import { webhookEndpoints } from './webhook-endpoints.ts'

// Webhooks-uma 6.6: institutions of one installation pay each other by the same protocol, within the process.

let server: TestServer
const receiver = recordWebhooks()
/** Where the server called over the network, webhooks aside. */
const outside: string[] = []
/** Whether domains that the operator lists lead to this very installation. */
let leadsBack = false
beforeAll(async () => {
  const network = (async (input: Parameters<typeof fetch>[0], init?: RequestInit) => {
    const request = new Request(input, { ...init, signal: null })
    if (!request.url.includes('.well-known') && !request.url.includes('/uma/'))
      return receiver.network(request)
    outside.push(request.url)
    if (!leadsBack) throw new TypeError('nobody is there')
    const { host } = new URL(request.url)
    return server.fetch(request.url, { headers: { ...Object.fromEntries(request.headers), host } })
  }) as typeof fetch
  server = await startTestServer({ network })
})
afterAll(() => server.close())

async function institution(currencies: string[], settings = {}) {
  const platform = await server.platform({ settings })
  const api = server.client(platform)
  const inbox = receiver.inbox()
  await webhookEndpoints(() => server, receiver).setEndpoint(platform, inbox.url)
  const member = async () => {
    const customer = await createCustomer(api, { currencies } as never)
    const account = await internalAccountOf(api, customer.id, currencies[0]!)
    await fund(api, account.id, 1_000_000)
    return { server, platform, api, inbox, customer, account, domain: customer.umaAddress.split('@')[1]! }
  }
  return { platform, api, inbox, member }
}

type Member = Awaited<ReturnType<Awaited<ReturnType<typeof institution>>['member']>>

async function pay(from: Member, to: Member, currency: string, side: 'SENDING' | 'RECEIVING') {
  const before = {
    from: await balanceOf(from, from.account.balance.currency.code),
    to: await balanceOf(to, currency),
  }
  const quote = await must(quoteTo(from, to.customer.umaAddress, { amount: 5_000, side, currency }))
  await must(from.api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
  await server.settle()
  const { status } = await must(
    from.api.GET('/transactions/{transactionId}', {
      params: { path: { transactionId: quote.transactionId } },
    }),
  )
  expect(status).toBe('COMPLETED')
  expect(await balanceOf(from, from.account.balance.currency.code)).toBe(
    before.from - quote.totalSendingAmount,
  )
  expect(await balanceOf(to, currency)).toBe(before.to + quote.totalReceivingAmount!)
}

const asksOf = ({ inbox }: Pick<Member, 'inbox'>) =>
  inbox.received.filter(({ event }) => event.type === 'INCOMING_PAYMENT.PENDING')

describe('customers of two platforms of one installation', () => {
  it('pay each other both ways, and the books of both platforms cancel out', async () => {
    const [one, two] = [await institution(['USD']), await institution(['EUR'])]
    const [ana, bruno] = [await one.member(), await two.member()]
    for (const side of ['SENDING', 'RECEIVING'] as const) {
      await pay(ana, bruno, 'EUR', side)
      await pay(bruno, ana, 'USD', side)
    }
    expect(asksOf(bruno)).toHaveLength(2)
    expect(asksOf(ana)).toHaveLength(2)
    expect(asksOf(bruno)[0]!.event.data.source).toMatchObject({ umaAddress: ana.customer.umaAddress })
    const [books, others] = [
      await server.ledgerBalances(one.platform),
      await server.ledgerBalances(two.platform),
    ]
    for (const currency of ['USD', 'EUR']) {
      const mirror = `rail:UMA:${currency}`
      expect(books[mirror]).not.toBe(0n)
      expect(books[mirror]).toBe(-others[mirror]!)
    }
    expect(Object.keys({ ...books, ...others }).filter((account) => account.startsWith('cpty:'))).toEqual([])
    expect(outside).toEqual([])
    await server.expectSoundLedger()
  })

  it('are refused where the platform of the receiver refuses', async () => {
    const [one, two] = [await institution(['USD']), await institution(['EUR'])]
    const [ana, bruno] = [await one.member(), await two.member()]
    two.inbox.answer(({ event }) => (event.type === 'INCOMING_PAYMENT.PENDING' ? 403 : 200))
    const { error } = await quoteTo(ana, bruno.customer.umaAddress, { amount: 5_000 })
    expect(error).toMatchObject({ status: 400, code: 'QUOTE_REQUEST_FAILED' })
  })

  it('do not meet where the operator blocks one of them', async () => {
    const two = await institution(['EUR'])
    const bruno = await two.member()
    const one = await institution(['USD'], { umaPeers: [{ domain: bruno.domain, isBlocked: true }] })
    const { error } = await quoteTo(await one.member(), bruno.customer.umaAddress, { amount: 5_000 })
    expect(error).toMatchObject({ status: 403, code: 'COUNTERPARTY_NOT_ALLOWED' })
  })

  it('do not stand in for an institution outside, whose domain their platform claims', async () => {
    const two = await institution(['EUR'])
    await must(two.api.PATCH('/config', { body: { umaDomain: 'bank.internal' } }))
    const bruno = await two.member()
    expect(bruno.domain).toBe('bank.internal')
    const peers = [{ domain: 'bank.internal', creditLineMsats: 1e12 }]
    const one = await institution(['USD'], { umaPeers: peers })
    outside.length = 0
    const { error } = await quoteTo(await one.member(), bruno.customer.umaAddress, { amount: 5_000 })
    expect(error).toMatchObject({ status: 424, code: 'LNURLP_REQUEST_FAILED' })
    expect(outside).toEqual([expect.stringContaining('http://bank.internal/.well-known/lnurlp/')])
    expect(asksOf(bruno)).toEqual([])
  })

  it('do not deal with each other where only one of them lists the domain of the other', async () => {
    const two = await institution(['EUR'])
    await must(two.api.PATCH('/config', { body: { umaDomain: 'both.internal' } }))
    const bruno = await two.member()
    const peers = [{ domain: 'both.internal', creditLineMsats: 1e12 }]
    const one = await institution(['USD'], { umaPeers: peers })
    const ana = await one.member()
    leadsBack = true
    const there = await quoteTo(ana, bruno.customer.umaAddress, { amount: 5_000 })
    const back = await quoteTo(bruno, ana.customer.umaAddress, { amount: 5_000 })
    leadsBack = false
    for (const { error } of [there, back]) {
      expect(error).toMatchObject({
        status: 400,
        code: 'LOOKUP_REQUEST_FAILED',
        details: { counterpartyCode: 'COUNTERPARTY_NOT_ALLOWED' },
      })
    }
    expect([...asksOf(ana), ...asksOf(bruno)]).toEqual([])
  })

  it('are asked once, also when the quote is decided again', async () => {
    const [one, two] = [await institution(['USD']), await institution(['EUR'])]
    const [ana, bruno] = [await one.member(), await two.member()]
    let changed = 0
    two.inbox.answer(async ({ event }) => {
      if (event.type !== 'INCOMING_PAYMENT.PENDING') return 200
      changed++
      const path = { customerId: ana.customer.id }
      const body = { customerType: 'INDIVIDUAL', platformCustomerId: `changed-${changed}` } as never
      await must(one.api.PATCH('/customers/{customerId}', { params: { path }, body }))
      return 200
    })
    const quote = await must(quoteTo(ana, bruno.customer.umaAddress, { amount: 5_000, isImmediate: true }))
    expect(quote.status).toBe('COMPLETED')
    expect(changed).toBe(1)
    expect(asksOf(bruno)).toHaveLength(1)
  })
})

describe('two customers of one platform', () => {
  it('pay each other by address', async () => {
    const one = await institution(['USD'])
    const [ana, bruno] = [await one.member(), await one.member()]
    await pay(ana, bruno, 'USD', 'RECEIVING')
    expect((await server.ledgerBalances(one.platform))['rail:UMA:USD'] ?? 0n).toBe(0n)
    await server.expectSoundLedger()
  })
})
