import type { Decision } from '@corridor/engine/vocabulary/decision.ts'
import {
  createPayee,
  createQuote,
  fund,
  internalAccountOf,
  openTestServer,
  quoteBody,
} from '@corridor/testkit/index.ts'
import { beforeEach, expect, it } from 'vitest'
import { signed, stamp, walletClient } from '../e2e/wallet-client.ts'

/**
 * A session of a wallet, or a key that signs for it, that ends between the check of a signature and the commit of what it
 * authorized: the end counts, and nothing is authorized.
 */

const server = await openTestServer()
let before:
  | { readonly isIt: (decision: Decision) => boolean; readonly happens: () => Promise<unknown> }
  | undefined
const { applier } = server.engine
const apply = applier.apply.bind(applier) as (scope: unknown, decision: Decision) => Promise<never>
Object.assign(applier, {
  async apply(scope: unknown, decision: Decision) {
    const now = before
    if (now?.isIt(decision)) {
      before = undefined
      await now.happens()
    }
    return apply(scope, decision)
  },
})
beforeEach(() => {
  before = undefined
})

/** What another process does to the row in a transaction of its own. */
const end = (table: 'wallet_sessions' | 'delegated_keys', accountId: string) => () =>
  server.rows(`update ${table} set status = 'REVOKED', version = version + 1 where account_id = $1`, [
    accountId,
  ])

async function start() {
  const platform = await server.platform({ isRegulated: true })
  const client = await walletClient(server, { platform, email: 'jane@larch.example' })
  await fund(client.api, client.wallet.id, 100_000_000)
  const { customerId } = client.wallet as { customerId: string }
  const units = async () => (await internalAccountOf(client.api, customerId, 'USDB')).balance.amount
  return { ...client, customerId, units }
}

it('a quote is not executed by a session that ends meanwhile', async () => {
  const { api, call, wallet, customerId, otpSession, units } = await start()
  const { key } = await otpSession()
  const payee = await createPayee(api, 'MXN', '002910000000000891', { customerId })
  const quote = await createQuote(api, quoteBody(wallet, payee, 10_000_000))
  const [instruction] = quote.paymentInstructions as unknown as {
    accountOrWalletInfo: { payloadToSign: string }
  }[]
  const headers = {
    'Service-Wallet-Signature': await stamp(key, instruction!.accountOrWalletInfo.payloadToSign),
  }
  before = {
    isIt: ({ transfers = [] }) => transfers.some(({ id }) => id.includes('/execute/')),
    happens: end('wallet_sessions', wallet.id),
  }
  const execute = () => call('POST', `/quotes/${quote.id}/execute`, undefined, headers)
  expect(await execute()).toMatchObject({ status: 401, body: { code: 'WALLET_SIGNATURE_INVALID' } })
  expect(before).toBeUndefined()
  expect(await units()).toBe(100_000_000)
  expect((await call('GET', `/quotes/${quote.id}`)).body.status).toBe('PENDING')
})

it('a wallet is not changed by a session that ends meanwhile', async () => {
  const { call, wallet, otpSession } = await start()
  const { key } = await otpSession()
  const path = `/internal-accounts/${wallet.id}`
  const body = { privateEnabled: true }
  const headers = await signed(await call('PATCH', path, body), key)
  before = {
    isIt: ({ updates = [] }) => updates.some(({ table }) => table === 'internal_accounts'),
    happens: end('wallet_sessions', wallet.id),
  }
  const answer = await call('PATCH', path, body, headers)
  expect(answer).toMatchObject({ status: 401, body: { code: 'WALLET_SIGNATURE_INVALID' } })
  expect(before).toBeUndefined()
  expect((await call('GET', path)).body.privateEnabled).toBe(false)
})

it('a session may sign for its own end', async () => {
  const { call, twice, otpSession, sessions } = await start()
  const { id, key } = await otpSession()
  expect((await twice(key, 'DELETE', `/auth/sessions/${id}`)).status).toBe(204)
  expect(await sessions()).toEqual([])
  expect((await call('GET', '/config')).status).toBe(200)
})

it('a card is not charged with a key that ends meanwhile', async () => {
  const { call, wallet, customerId, otpSession, units } = await start()
  const { body: card } = await call('POST', '/cards', {
    cardholderId: customerId,
    form: 'VIRTUAL',
    fundingSources: [wallet.id],
  })
  await server.settle()
  const { key } = await otpSession()
  const ask = { cardId: card.id, internalAccountId: wallet.id, nickname: 'Card payments key' }
  const post = (headers?: Record<string, string>) => call('POST', '/auth/delegated-keys', ask, headers)
  expect((await post(await signed(await post(await signed(await post(), key)), key))).status).toBe(201)
  const buy = async () => {
    const answer = await call('POST', `/sandbox/cards/${card.id}/simulate/authorization`, {
      amount: 1_000,
      currency: { code: 'USD' },
      merchant: { descriptor: 'CORNER CAFE' },
    })
    expect(answer.status).toBe(202)
    return (await call('GET', '/transactions?type=CARD')).body.data.length
  }
  expect(await buy()).toBe(1)
  expect(await units()).toBe(90_000_000)
  before = {
    isIt: ({ inserts = [] }) => inserts.some(({ table }) => table === 'card_transactions'),
    happens: end('delegated_keys', wallet.id),
  }
  expect(await buy()).toBe(1)
  expect(before).toBeUndefined()
  expect(await units()).toBe(90_000_000)
})

it('a credential is taken away however much moves in its wallet meanwhile', async () => {
  const { api, call, wallet, otpSession, addPasskey, credentials, credentialOf } = await start()
  const { key } = await otpSession()
  const { id } = await addPasskey(key)
  const path = `/auth/credentials/${id}`
  const headers = await signed(await call('DELETE', path), key)
  let moved = 0
  const isIt = ({ updates = [] }: Decision) => updates.some((each) => each.id === id)
  const happens = async () => {
    if (++moved < 60) before = { isIt, happens }
    await fund(api, wallet.id, 1)
  }
  before = { isIt, happens }
  expect((await call('DELETE', path, undefined, headers)).status).toBe(204)
  expect(moved).toBe(1)
  expect((await credentials()).map((each) => each.id)).toEqual([await credentialOf('EMAIL_OTP')])
})
