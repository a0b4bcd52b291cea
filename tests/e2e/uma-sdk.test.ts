import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { type CorridorClient, createClient } from '@corridor/sdk/path-client.ts'
import { buildServer } from '@corridor/testkit/built-server.ts'
import { createCustomer, fund, internalAccountOf, must } from '@corridor/testkit/index.ts'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type StartedServer, startServer } from '../security/started-server.ts'

/**
 * A server of Corridor and an institution that the public package `@uma-sdk/core` makes, each a process (webhooks-uma 6,
 * ADR 34): lookup, pay request and settlement both ways. Every signature is checked by the other's code.
 */

let server: StartedServer
let counterparty: ChildProcess
let domain: string
let endpoint: Server
let api: CorridorClient
let customer: { id: string; umaAddress: string }
const asked: { type: string; data: Record<string, unknown> }[] = []

beforeAll(async () => {
  buildServer()
  server = await startServer({ HOST: 'localhost' })
  counterparty = spawn(process.execPath, [join(import.meta.dirname, 'uma-sdk-counterparty.mjs')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(counterparty.stdout!, 'data')) as [Buffer]
  domain = String(line).trim()
  endpoint = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      asked.push(JSON.parse(String(Buffer.concat(chunks))))
      response.end()
    })
  })
  await new Promise<void>((done) => endpoint.listen(0, '127.0.0.1', done))

  const basic = Buffer.from(server.authorization('breeze').slice('Basic '.length), 'base64').toString()
  const [clientId = '', clientSecret = ''] = basic.split(':')
  api = createClient({ baseUrl: server.base, clientId, clientSecret })
  const { data } = await operator<{ data: { id: string; name: string }[] }>('GET', 'platforms')
  const platform = data.find(({ name }) => name === 'breeze')!
  await operator('PATCH', `platforms/${platform.id}?environment=SANDBOX`, {
    settings: { umaPeers: [{ domain, creditLineMsats: 10 ** 12 }] },
  })
  // Another than that of the server, which is 127.0.0.1: so it vouches for what the platform says.
  const umaDomain = new URL(server.origin).host.replace('127.0.0.1', 'localhost')
  const webhookEndpoint = `http://127.0.0.1:${(endpoint.address() as AddressInfo).port}/`
  const { supportedCurrencies } = await must(api.GET('/config'))
  await must(
    api.PATCH('/config', {
      body: {
        umaDomain,
        webhookEndpoint,
        supportedCurrencies: supportedCurrencies.map((entry) => ({
          ...entry,
          requiredCounterpartyFields: [{ name: 'FULL_NAME', mandatory: true }],
        })),
      } as never,
    }),
  )
  customer = (await createCustomer(api, {
    umaAddress: `$ana@${umaDomain}`,
    currencies: ['USD'],
  } as never)) as typeof customer
  await fund(api, (await internalAccountOf(api, customer.id, 'USD')).id, 100_000)
}, 240_000)

afterAll(async () => {
  counterparty?.kill()
  endpoint?.closeAllConnections()
  endpoint?.close()
  await server?.stop()
})

async function operator<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${server.origin}/operator/${path}`, {
    method,
    headers: { authorization: server.operator, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  expect(response.status).toBe(200)
  return (await response.json()) as T
}

interface Report {
  readonly verified: number
  /** Messages for which our installation vouched, truly. */
  readonly backed: number
  readonly refused: number
  readonly credits: { payer: string; amount: number; amountMsats: number }[]
  readonly travelRule: unknown[]
  /** Ours that it verified, and its own that we took. */
  readonly callbacks: number
  readonly callbacksTaken: number
}

async function told(path: string, body?: object) {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {}
  const response = await fetch(`http://${domain}/control/${path}`, init)
  const answer = await response.json()
  expect({ path, status: response.status, answer }).toMatchObject({ status: 200 })
  return answer
}

const report = () => told('report') as Promise<Report>
const usd = async () => (await internalAccountOf(api, customer.id, 'USD')).balance.amount

async function position(): Promise<bigint> {
  const { data } = await operator<{ data: { peerDomain: string; owedMsats: string }[] }>(
    'GET',
    'uma-positions',
  )
  return BigInt(data.find(({ peerDomain }) => peerDomain === domain)?.owedMsats ?? 0)
}

describe('an institution made with the public SDK', () => {
  it.each(['SENDING', 'RECEIVING'] as const)('is paid, %s amount locked', async (lockedCurrencySide) => {
    const [before, balance, owed] = [await report(), await usd(), await position()]
    const account = await internalAccountOf(api, customer.id, 'USD')
    const quote = await must(
      api.POST('/quotes', {
        body: {
          source: { sourceType: 'ACCOUNT', accountId: account.id },
          destination: { destinationType: 'UMA_ADDRESS', umaAddress: `$sam@${domain}`, currency: 'EUR' },
          lockedCurrencySide,
          lockedCurrencyAmount: 5_000,
        },
      }),
    )
    await must(api.POST('/quotes/{quoteId}/execute', { params: { path: { quoteId: quote.id } } }))
    const path = { transactionId: quote.transactionId }
    await vi.waitFor(
      async () => {
        const { status } = await must(api.GET('/transactions/{transactionId}', { params: { path } }))
        expect(status).toBe('COMPLETED')
      },
      { timeout: 20_000, interval: 50 },
    )
    const after = await report()
    // A lookup, a pay request, a settlement.
    expect(after.verified - before.verified).toBe(3)
    expect(after.backed - before.backed).toBe(2)
    expect(after.refused).toBe(0)
    const credit = after.credits.at(-1)!
    expect(credit).toMatchObject({ payer: customer.umaAddress, amount: quote.totalReceivingAmount })
    expect(after.travelRule.at(-1)).toMatchObject({
      originator: { account: customer.umaAddress, id: customer.id },
    })
    expect(await usd()).toBe(balance - quote.totalSendingAmount)
    expect(await position()).toBe(owed + BigInt(credit.amountMsats))
  })

  it.each([
    ['SENDING', 40_000_000],
    ['RECEIVING', 2_500],
  ] as const)('pays, %s amount locked', async (lock, amount) => {
    const [before, balance, owed] = [await report(), await usd(), await position()]
    const { agreed, amountMsats } = (await told('pay', {
      to: customer.umaAddress,
      currency: 'USD',
      lock,
      amount,
    })) as {
      agreed: { converted: { amount: number }; payeeData: Record<string, unknown>; disposable: boolean }
      amountMsats: number
    }
    // The answers to the lookup and to the pay request; the preimage proves the third.
    const after = await report()
    expect([after.verified - before.verified, after.backed - before.backed]).toEqual([2, 2])
    expect(agreed).toMatchObject({ disposable: false, payeeData: { identifier: customer.umaAddress } })
    expect(agreed.payeeData.name).toBe('Ana Lopez')
    expect(agreed.converted.amount).toBe(lock === 'RECEIVING' ? amount : (await usd()) - balance)
    expect(await usd()).toBe(balance + agreed.converted.amount)
    expect(await position()).toBe(owed - BigInt(amountMsats))

    const pending = asked.findLast(({ type }) => type === 'INCOMING_PAYMENT.PENDING')!
    expect(pending.data).toMatchObject({ counterpartyInformation: { FULL_NAME: 'Sam Sandoval' } })
    const { payerUma, info } = await operator<{ payerUma: string; info: string }>(
      'GET',
      `transactions/${pending.data.id}/travel-rule`,
    )
    expect(payerUma).toBe(`$sam@${domain}`)
    expect(JSON.parse(info)).toEqual({ originator: { name: 'Sam Sandoval', account: `$sam@${domain}` } })
  })

  it('is told of every payment afterwards, and tells us (6.3, step 6)', async () => {
    await vi.waitFor(
      async () => expect(await report()).toMatchObject({ callbacks: 4, callbacksTaken: 4, refused: 0 }),
      { timeout: 20_000, interval: 50 },
    )
  })

  it('pays in version 0, whose amounts are units of the receiver, over Lightning', async () => {
    const [before, balance] = [await report(), await usd()]
    const paid = (await told('pay', {
      to: customer.umaAddress,
      currency: 'USD',
      amount: 2_500,
      version: '0.3',
    })) as { umaVersion: string; msats: number; multiplier: number; converted: object }
    expect(paid).toMatchObject({
      umaVersion: '0.3',
      msats: Math.round(2_500 * paid.multiplier),
      converted: { currencyCode: 'USD', multiplier: paid.multiplier, fee: 0 },
    })
    expect(await usd()).toBe(balance + 2_500)
    // The answer to the lookup; that to the pay request is not signed in version 0.
    expect((await report()).verified - before.verified).toBe(1)
  })

  it.each([
    ['is paid in version 0, where it reads units of its own', 'UNITS', 'COMPLETED'],
    ['is not paid where it takes them for millisatoshi, as the package does', 'AS_THE_PACKAGE', undefined],
  ] as const)('%s', async (_what, reads, status) => {
    await told('version-0', { reads })
    const [before, balance] = [await report(), await usd()]
    const account = await internalAccountOf(api, customer.id, 'USD')
    const { data: quote, error } = await api.POST('/quotes', {
      body: {
        source: { sourceType: 'ACCOUNT', accountId: account.id },
        destination: { destinationType: 'UMA_ADDRESS', umaAddress: `$sam@${domain}`, currency: 'EUR' },
        lockedCurrencySide: 'RECEIVING',
        lockedCurrencyAmount: 4_000,
        immediatelyExecute: true,
      },
    })
    await told('version-0', {})
    if (!status) {
      expect(error).toMatchObject({ status: 400, code: 'INVALID_PAYREQ_RESPONSE' })
      expect([await usd(), (await report()).credits.length]).toEqual([balance, before.credits.length])
      return
    }
    expect(error).toBeUndefined()
    const path = { transactionId: quote!.transactionId }
    await vi.waitFor(
      async () =>
        expect((await must(api.GET('/transactions/{transactionId}', { params: { path } }))).status).toBe(
          status,
        ),
      { timeout: 20_000, interval: 50 },
    )
    expect((await report()).credits.at(-1)).toMatchObject({ payer: customer.umaAddress, amount: 4_000 })
    expect(await usd()).toBe(balance - quote!.totalSendingAmount)
  })

  it('leaves a sound ledger', async () => {
    expect(await operator('GET', 'audit')).toMatchObject({ sound: true })
  })
})
