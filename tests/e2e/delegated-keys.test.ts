import { randomUUID } from 'node:crypto'
import { fund, internalAccountOf, openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { noPending, refused, signed, walletClient } from './wallet-client.ts'

const server = await openTestServer()

const mismatch = refused(401, 'WALLET_SIGNATURE_BODY_MISMATCH')

/** Somebody with a wallet, an account in dollars and cards. */
async function cardholder() {
  const platform = await server.platform({ isRegulated: true })
  const client = await walletClient(server, { platform, email: 'jane@larch.example' })
  const usd = await internalAccountOf(client.api, client.customer.id, 'USD')
  async function card(fundingSources: readonly string[]): Promise<string> {
    const body = { cardholderId: client.customer.id, form: 'VIRTUAL', fundingSources }
    const issued = await client.call('POST', '/cards', body)
    expect(issued.status, JSON.stringify(issued.body)).toBe(201)
    await server.settle()
    return issued.body.id
  }
  return { ...client, usd, card }
}

describe('delegated keys (wallets 14, E9)', () => {
  it('take two signatures, and are revoked without one', async () => {
    const client = await cardholder()
    const { call, wallet, usd } = client
    const { key } = await client.otpSession()
    const second = await client.otpSession()
    const cardId = await client.card([wallet.id])
    const body = { cardId, internalAccountId: wallet.id, nickname: 'Card payments key' }
    const post = (headers?: Record<string, string>, given: object = body) =>
      call('POST', '/auth/delegated-keys', given, headers)
    const list = async (query = `accountId=${wallet.id}`) =>
      (await call('GET', `/auth/delegated-keys?${query}`)).body.data

    const unknown = { ...body, cardId: `Card:${randomUUID()}` }
    expect(await post(undefined, unknown)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
    const other = { ...body, cardId: await client.card([usd.id]) }
    expect(await post(undefined, other)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
    for (const nickname of ['', 'a'.repeat(257), undefined]) {
      expect(await post(undefined, { ...body, nickname })).toMatchObject(refused(400, 'INVALID_INPUT'))
    }
    const first = await post()
    expect(await list()).toEqual([])
    const userHeaders = await signed(first, key)
    expect(await post(userHeaders, { ...body, nickname: 'Another' })).toMatchObject(mismatch)
    const next = await post(userHeaders)
    expect(next.status).toBe(202)
    expect(next.body.requestId).not.toBe(first.body.requestId)
    expect(Object.keys(next.body).sort()).toEqual(['expiresAt', 'payloadToSign', 'requestId'])
    const [pending, ...more] = await list()
    expect(more).toEqual([])
    expect(pending).toMatchObject({ status: 'PENDING', cardId, accountId: wallet.id })
    const { fundingSourceId } = pending
    expect(await call('DELETE', `/auth/delegated-keys/${pending.id}`)).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )
    expect(await post(userHeaders)).toMatchObject(noPending)
    const third = await post(await signed(next, second.key))
    expect(third).toMatchObject({ status: 201, body: { id: pending.id, status: 'ACTIVE' } })
    expect(third.body.publicKey).toMatch(/^0[23][0-9a-f]{64}$/)
    expect(Object.keys(third.body)).not.toContain('secret')
    expect(await post()).toMatchObject(refused(409, 'CONFLICT'))
    expect((await call('GET', `/auth/delegated-keys/${pending.id}`)).body).toEqual(third.body)
    expect(await list(`accountId=${wallet.id}&fundingSourceId=${fundingSourceId}`)).toHaveLength(1)
    const elsewhere = `CardFundingSource:${randomUUID()}`
    expect(await list(`accountId=${wallet.id}&fundingSourceId=${elsewhere}`)).toEqual([])
    expect(await call('GET', '/auth/delegated-keys')).toMatchObject(refused(400, 'INVALID_INPUT'))
    const stranger = await walletClient(server)
    expect(await stranger.call('GET', `/auth/delegated-keys/${pending.id}`)).toMatchObject(
      refused(404, 'REFERENCE_NOT_FOUND'),
    )

    expect(await call('DELETE', `/auth/delegated-keys/${pending.id}`)).toMatchObject({ status: 204 })
    expect(await call('DELETE', `/auth/delegated-keys/${pending.id}`)).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )
    expect(await list()).toMatchObject([{ status: 'REVOKED' }])
    // An abandoned flow blocks nothing.
    await post(await signed(await post(), key))
    const ready = await post(await signed(await post(), key))
    const one = await post(await signed(ready, key))
    expect(one.status).toBe(201)
    expect((await list()).map(({ status }: { status: string }) => status)).toEqual([
      'REVOKED',
      'PENDING',
      'ACTIVE',
    ])
  })

  it('are one for a funding source, also when two are activated at once', async () => {
    const client = await cardholder()
    const { key } = await client.otpSession()
    const cardId = await client.card([client.wallet.id])
    const body = { cardId, internalAccountId: client.wallet.id, nickname: 'One' }
    const post = (headers?: Record<string, string>) =>
      client.call('POST', '/auth/delegated-keys', body, headers)
    const ready = async () => signed(await post(await signed(await post(), key)), key)
    const [a, b] = [await ready(), await ready()]
    const answers = await Promise.all([post(a), post(b)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409])
  })

  it('let the wallet pay by card while they are active, and end with the card', async () => {
    const client = await cardholder()
    const { call, wallet } = client
    const { key } = await client.otpSession()
    await fund(client.api, wallet.id, 1_000_000_000)
    const activeKey = async (cardId: string) => {
      const body = { cardId, internalAccountId: wallet.id, nickname: 'Payments' }
      const post = (headers?: Record<string, string>) => call('POST', '/auth/delegated-keys', body, headers)
      const made = await post(await signed(await post(await signed(await post(), key)), key))
      expect(made.status).toBe(201)
      return made.body.id as string
    }
    const pay = async (cardId: string) => {
      const answer = await call('POST', `/sandbox/cards/${cardId}/simulate/authorization`, {
        amount: 500,
        currency: { code: 'USD' },
        merchant: { descriptor: 'CORNER CAFE', mcc: '5814', country: 'US' },
      })
      expect(answer.status).toBe(202)
      await server.settle()
      const { body } = await call('GET', `/internal-accounts/${wallet.id}`)
      return body.balance.amount as number
    }
    const statusOf = async (id: string) => (await call('GET', `/auth/delegated-keys/${id}`)).body.status

    const first = await client.card([wallet.id])
    expect(await pay(first)).toBe(1_000_000_000)
    const keyOfFirst = await activeKey(first)
    expect(await pay(first)).toBe(995_000_000)
    expect((await call('PATCH', `/cards/${first}`, { state: 'CLOSED' })).status).toBe(200)
    expect(await statusOf(keyOfFirst)).toBe('REVOKED')
  })
})
