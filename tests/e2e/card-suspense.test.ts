import { createCustomer, internalAccountOf, must, openTestServer } from '@corridor/testkit/index.ts'
import { afterEach, describe, expect, it } from 'vitest'
import { cardApi } from './card-api.ts'
import { operate } from './onboarding.ts'
import { fillUp } from './payment-api.ts'

// Cards 1.6 with accounts 3.1: what a network gives back when nobody can be given it.

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

const weekMs = 7 * 24 * 60 * 60 * 1000

/** A customer who has spent all there was, and what becomes of it. */
async function spent(amount = 1_000) {
  const api = await cardApi(server, { balance: amount })
  const card = await api.activeCard()
  const { id } = await api.authorize(card.id, amount)
  await server.settle()
  const { platformId, environment } = api.platform
  return {
    ...api,
    id: id as string,
    clear: (value: number) => api.simulate(card.id, 'clearing', { cardTransactionId: id, amount: value }),
    giveBack: (value: number) => api.simulate(card.id, 'return', { cardTransactionId: id, amount: value }),
    reverse: () => api.simulate(card.id, 'return_reversal', { cardTransactionId: id }),
    card,
    closeAccount: async () =>
      expect(await operate(server, 'POST', `/internal-accounts/${api.usd.id}/close`)).toMatchObject({
        status: 200,
      }),
    deleteCustomer: async () => {
      await must(
        api.api.DELETE('/customers/{customerId}', { params: { path: { customerId: api.customer.id } } }),
      )
      await server.settle()
    },
    books: async () => {
      const all = await server.ledgerBalances(api.platform)
      return {
        account: all[`avail:${api.usd.id}`] ?? 0n,
        reserve: all['cardres:USD'] ?? 0n,
        network: all['cardnet:USD'] ?? 0n,
        suspense: all['susp:USD'] ?? 0n,
      }
    },
    waiting: async () =>
      (
        await operate(
          server,
          'GET',
          `/suspense?platformId=${platformId}&environment=${environment}&status=WAITING`,
        )
      ).body.data,
    movesSince: async (before: number) =>
      (await server.events(api.platform)).slice(before).map(({ type }) => type),
    eventCount: async () => (await server.events(api.platform)).length,
  }
}

describe('money that a network gives back', () => {
  it('waits in suspense when the account is closed, each return by itself', async () => {
    const it = await spent()
    await it.clear(1_000)
    await it.closeAccount()
    const before = await it.eventCount()
    for (const amount of [400, 600]) expect(await it.giveBack(amount)).toMatchObject({ status: 202 })
    expect(await it.after(it.id)).toMatchObject({ status: 'REFUNDED', refundedAmount: { amount: 1_000 } })
    expect(await it.books()).toEqual({ account: 0n, reserve: 0n, network: 0n, suspense: 1_000n })
    expect(await it.account()).toMatchObject({ status: 'CLOSED', totalBalance: { amount: 0 } })
    expect(await it.movesSince(before)).toEqual(['CARD_TRANSACTION.SETTLED', 'CARD_TRANSACTION.REFUNDED'])
    expect(await it.waiting()).toMatchObject([
      { kind: 'DEPOSIT', rail: 'CARD', internalAccountId: it.usd.id, amount: 600 },
      { kind: 'DEPOSIT', rail: 'CARD', internalAccountId: it.usd.id, amount: 400 },
    ])
  })

  it('is credited elsewhere or given back to the network by the operator', async () => {
    const it = await spent()
    await it.clear(1_000)
    await it.closeAccount()
    for (const amount of [400, 600]) await it.giveBack(amount)
    const [second, first] = await it.waiting()
    const heir = await createCustomer(it.api)
    const account = await internalAccountOf(it.api, heir.id, 'USD')
    const decide = (item: { id: string }, what: string, body: object) =>
      operate(server, 'POST', `/suspense/${item.id}/${what}`, body)
    const assigned = await decide(second, 'assign', { accountId: account.id, reason: 'Moved house' })
    expect(assigned).toMatchObject({ status: 200, body: { status: 'CREDITED' } })
    expect((await internalAccountOf(it.api, heir.id, 'USD')).balance.amount).toBe(600)
    expect(await it.books()).toMatchObject({ network: 0n, suspense: 400n })
    expect(await decide(first, 'return', { reason: 'Nobody to give it to' })).toMatchObject({ status: 200 })
    expect(await it.books()).toMatchObject({ network: 400n, suspense: 0n })
    expect(await it.waiting()).toEqual([])
  })

  it('waits in suspense when the customer is deleted, whose account stays open', async () => {
    const it = await spent()
    await it.clear(1_000)
    await it.deleteCustomer()
    expect(await it.giveBack(1_000)).toMatchObject({ status: 202 })
    expect(await it.books()).toEqual({ account: 0n, reserve: 0n, network: 0n, suspense: 1_000n })
    expect(await it.waiting()).toMatchObject([{ amount: 1_000 }])
  })

  it('goes back out of suspense when the return was a mistake, and can no longer be assigned', async () => {
    const it = await spent()
    await it.clear(1_000)
    await it.closeAccount()
    await it.giveBack(1_000)
    const [item] = await it.waiting()
    await it.reverse()
    expect(await it.after(it.id)).toMatchObject({ status: 'SETTLED' })
    expect(await it.books()).toEqual({ account: 0n, reserve: 0n, network: 1_000n, suspense: 0n })
    const heir = await internalAccountOf(it.api, (await createCustomer(it.api)).id, 'USD')
    const body = { accountId: heir.id, reason: 'Too late' }
    expect(await operate(server, 'POST', `/suspense/${item.id}/assign`, body)).toMatchObject({
      status: 409,
      body: { details: { reason: 'RESOLVED', status: 'SENT_BACK' } },
    })
  })

  it('is not charged to an account that was full when the money came back and is not full any more', async () => {
    const it = await spent()
    await it.clear(1_000)
    const most = Number.MAX_SAFE_INTEGER
    await fillUp(it.api, await internalAccountOf(it.api, it.customer.id, 'USD'), 100)
    await it.giveBack(1_000)
    const before = await it.eventCount()
    await it.reverse()
    expect(await it.books()).toMatchObject({ account: BigInt(most - 100), network: 1_000n, suspense: 0n })
    expect(await it.movesSince(before)).toEqual(['CARD_TRANSACTION.SETTLED'])
    expect(await it.waiting()).toEqual([])
  })

  it('leaves the rest of an item in suspense that was more than the return', async () => {
    const it = await spent()
    await it.clear(600)
    await it.closeAccount()
    await it.giveBack(600)
    expect(await it.waiting()).toMatchObject([{ amount: 1_000 }])
    await it.reverse()
    expect(await it.waiting()).toMatchObject([{ amount: 400 }])
    expect(await it.books()).toEqual({ account: 0n, reserve: 0n, network: 600n, suspense: 400n })
  })

  it('is not taken a second time when the operator has given it back to the network', async () => {
    const it = await spent()
    await it.clear(1_000)
    await it.closeAccount()
    await it.giveBack(1_000)
    const [item] = await it.waiting()
    await operate(server, 'POST', `/suspense/${item.id}/return`, { reason: 'Nobody to give it to' })
    await it.reverse()
    expect(await it.after(it.id)).toMatchObject({ status: 'SETTLED' })
    expect(await it.books()).toEqual({ account: 0n, reserve: 0n, network: 1_000n, suspense: 0n })
  })

  it('waits in suspense when an authorization ends after its account was closed', async () => {
    const it = await spent()
    await it.clear(300)
    await it.closeAccount()
    await server.pass(weekMs)
    expect(await it.after(it.id)).toMatchObject({ status: 'SETTLED', pullSummary: { totalAmount: 300 } })
    expect(await it.books()).toEqual({ account: 0n, reserve: 0n, network: 300n, suspense: 700n })
  })

  it('waits in suspense when a credit is claimed after its account was closed', async () => {
    const it = await spent()
    const { id } = await it.authorize(it.card.id, 500, { kind: 'credit_authorization' })
    await it.closeAccount()
    await it.simulate(it.card.id, 'clearing', { cardTransactionId: id, amount: 500 })
    expect(await it.after(id)).toMatchObject({ status: 'SETTLED' })
    expect(await it.books()).toMatchObject({ account: 0n, suspense: 500n })
  })

  it('is not charged to a customer who was deleted, before the card is closed too', async () => {
    const api = await cardApi(server)
    const card = await api.activeCard()
    const path = { customerId: api.customer.id }
    await must(api.api.DELETE('/customers/{customerId}', { params: { path } }))
    expect(await api.authorize(card.id, 100)).toBeUndefined()
    expect((await operate(server, 'GET', `/cards/${card.id}/attempts`)).body.data).toMatchObject([
      { declineReason: 'CARD_CLOSED' },
    ])
  })

  it('waits in suspense when the account is full', async () => {
    const it = await spent()
    await it.clear(1_000)
    const most = Number.MAX_SAFE_INTEGER
    await fillUp(it.api, await internalAccountOf(it.api, it.customer.id, 'USD'), 100)
    expect(await it.giveBack(101)).toMatchObject({ status: 202 })
    expect(await it.books()).toMatchObject({ account: BigInt(most - 100), suspense: 101n })
    expect(await it.giveBack(100)).toMatchObject({ status: 202 })
    expect(await it.books()).toMatchObject({ account: BigInt(most), suspense: 101n })
  })

  it('waits in suspense while the account is frozen, and is credited by its release', async () => {
    const it = await spent()
    await it.clear(1_000)
    await operate(server, 'POST', `/internal-accounts/${it.usd.id}/freeze`)
    await it.giveBack(250)
    expect(await it.books()).toMatchObject({ account: 0n, suspense: 250n })
    await operate(server, 'POST', `/internal-accounts/${it.usd.id}/release`)
    await server.settle()
    expect(await it.books()).toMatchObject({ account: 250n, suspense: 0n })
  })
})
