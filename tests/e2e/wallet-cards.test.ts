import { openTestServer } from '@corridor/testkit/index.ts'
import { afterEach, expect, it } from 'vitest'
import { signed, walletClient } from './wallet-client.ts'

// Cards, worked example W6: a card that a wallet pays for. 20.00 of USDB are 20,000,000 units.

const server = await openTestServer()
afterEach(() => server.expectSoundLedger())

async function start() {
  const platform = await server.platform({ isRegulated: true })
  const client = await walletClient(server, { platform, email: 'jane@larch.example' })
  const { call, wallet } = client
  const { body: owned } = await call('GET', `/internal-account?currency=USDB`)
  const cardholderId = owned.data.find(({ id }: { id: string }) => id === wallet.id).customerId
  const funded = await call('POST', `/sandbox/internal-accounts/${wallet.id}/fund`, { amount: 20_000_000 })
  expect(funded.status).toBe(200)
  const { body: card } = await call('POST', '/cards', {
    cardholderId,
    form: 'VIRTUAL',
    fundingSources: [wallet.id],
  })
  await server.settle()
  const buy = async (amount: number) => {
    const answer = await call('POST', `/sandbox/cards/${card.id}/simulate/authorization`, {
      amount,
      currency: { code: 'USD' },
      merchant: { descriptor: 'CORNER CAFE' },
    })
    expect(answer.status).toBe(202)
    const { data } = (await call('GET', '/transactions?type=CARD')).body
    const { issuerTransactionToken: token } = answer.body
    return data.find(
      ({ issuerTransactionToken }: Record<string, unknown>) => issuerTransactionToken === token,
    )
  }
  const activateKey = async () => {
    const { key } = await client.otpSession()
    const body = { cardId: card.id, internalAccountId: wallet.id, nickname: 'Card payments key' }
    const post = (headers?: Record<string, string>) => call('POST', '/auth/delegated-keys', body, headers)
    const third = await post(await signed(await post(await signed(await post(), key)), key))
    expect(third).toMatchObject({ status: 201, body: { status: 'ACTIVE' } })
    return third.body.id as string
  }
  const balance = async () => (await call('GET', `/internal-accounts/${wallet.id}`)).body.balance.amount
  return { ...client, card, buy, activateKey, balance }
}

it('is declined until a key signs for the wallet, then charged in units of the wallet', async () => {
  const { card, buy, activateKey, balance, call } = await start()
  expect(card.currency).toBe('USD')
  expect(await buy(1_250)).toBeUndefined()
  await activateKey()
  const bought = await buy(1_250)
  expect(bought).toMatchObject({
    status: 'AUTHORIZED',
    authorizedAmount: { amount: 1_250, currency: { code: 'USD' } },
    pullSummary: { totalAmount: 12_500_000 },
  })
  expect(await balance()).toBe(7_500_000)
  await server.settle()
  await call('POST', `/sandbox/cards/${card.id}/simulate/clearing`, {
    cardTransactionId: bought.id,
    amount: 1_300,
  })
  expect((await call('GET', `/transactions/${bought.id}`)).body).toMatchObject({
    status: 'SETTLED',
    settledAmount: { amount: 1_300, currency: { code: 'USD' } },
    settlementSummary: { count: 1, totalAmount: 13_000_000 },
  })
  expect(await balance()).toBe(7_000_000)
  expect(await buy(701)).toBeUndefined()
})

it('needs a new key once the card was closed: closing ends the old one', async () => {
  const { card, activateKey, call } = await start()
  const keyId = await activateKey()
  expect((await call('PATCH', `/cards/${card.id}`, { state: 'CLOSED' })).status).toBe(200)
  expect((await call('GET', `/auth/delegated-keys/${keyId}`)).body).toMatchObject({ status: 'REVOKED' })
})

it('is charged and credited with no more than the wallet can tell in its units', async () => {
  const { card, buy, activateKey, call } = await start()
  await activateKey()
  const { id: cardTransactionId } = await buy(1_250)
  const amount = 9_000_000_000_000_000
  const asked = { amount, currency: { code: 'USD' }, merchant: { descriptor: 'CORNER CAFE' } }
  for (const [what, body] of [
    ['clearing', { cardTransactionId, amount }],
    ['credit_authorization', asked],
    ['financial_credit_authorization', asked],
  ] as const) {
    expect(await call('POST', `/sandbox/cards/${card.id}/simulate/${what}`, body)).toMatchObject({
      status: 400,
      body: { code: 'INVALID_AMOUNT' },
    })
  }
})
