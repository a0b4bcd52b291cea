import { createPayee, fund, openTestServer } from '@corridor/testkit/index.ts'
import { describe, expect, it } from 'vitest'
import { connectAgent, policyOf, send } from './agent-api.ts'
import { basic } from './raw-calls.ts'
import { enrolPasskey, origin, scaApi } from './sca-api.ts'
import { stamp, walletClient } from './wallet-client.ts'

/** Agents that pay from what somebody else has to release: embedded wallets, and payments under SCA (wallets 12.5). */

const server = await openTestServer()

async function walletAgent(policy: object) {
  const client = await walletClient(server, { email: 'jane@larch.example' })
  const { platform, customer, wallet, api } = client
  await fund(api, wallet.id, 100_000_000)
  const bank = await createPayee(api, 'USD', '000123456891', { customerId: customer.id })
  const { key } = await client.otpSession()
  const agent = await connectAgent(server, platform, customer.id, policy)
  const quote = async () => {
    const made = await agent.call('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: wallet.id },
      destination: { destinationType: 'ACCOUNT', accountId: bank.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 10_000_000,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    return made.body
  }
  const signatureOf = async (made: Awaited<ReturnType<typeof quote>>) => {
    const { payloadToSign } = made.paymentInstructions[0].accountOrWalletInfo
    return { 'Service-Wallet-Signature': await stamp(key, payloadToSign) }
  }
  const execute = (made: { id: string }, headers = {}) =>
    agent.call('POST', `/quotes/${made.id}/execute`, undefined, headers)
  const actions = async () => (await agent.call('GET', '/actions')).body.data
  return { client, key, platform, agent, quote, signatureOf, execute, actions }
}

describe('an embedded wallet', () => {
  it('is released by the signature that comes with the call', async () => {
    const { quote, signatureOf, execute, actions } = await walletAgent(policyOf())
    const made = await quote()
    expect(await execute(made)).toMatchObject({ status: 401, body: { code: 'WALLET_SIGNATURE_MISSING' } })
    const foreign = await signatureOf(await quote())
    expect(await execute(made, foreign)).toMatchObject({
      status: 401,
      body: { code: 'WALLET_SIGNATURE_INVALID' },
    })
    expect(await actions()).toEqual([])
    const executed = await execute(made, await signatureOf(made))
    expect(executed).toMatchObject({ status: 200, body: { status: 'APPROVED', transaction: {} } })
  })

  it('is not released by a transfer, which nobody can sign', async () => {
    const { client, platform, agent, actions } = await walletAgent(policyOf())
    const { api, customer, wallet } = client
    const spark = await createPayee(
      api,
      'SPARK',
      'sp1pgssyuuuhnrrdjswal5c3s3rafw9w3y5dd4cjy3duxlf7hjzkp0rqx6dj6mrhu',
      { customerId: customer.id, currency: 'USDB' },
    )
    const transfer = {
      source: { accountId: wallet.id },
      destination: { accountId: spark.id },
      amount: 10_000_000,
    }
    const refused = { status: 409, body: { code: 'CONFLICT', details: { reason: 'USE_QUOTES' } } }
    expect(await send(server, basic(platform), 'POST', '/transfer-out', transfer)).toMatchObject(refused)
    expect(await agent.call('POST', '/transfer-out', transfer)).toMatchObject(refused)
    expect(await actions()).toEqual([])
    await server.settle()
    const [account] = (await agent.call('GET', '/internal-accounts?type=EMBEDDED_WALLET')).body.data
    expect(account).toMatchObject({ balance: { amount: 100_000_000 }, totalBalance: { amount: 100_000_000 } })
  })

  it('keeps the proof for an approval that comes when the session is over', async () => {
    const { client, key, platform, agent, quote, signatureOf, execute, actions } = await walletAgent(
      policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }),
    )
    const made = await quote()
    expect(await execute(made)).toMatchObject({ status: 401, body: { code: 'WALLET_SIGNATURE_MISSING' } })
    expect(await actions()).toEqual([])
    const asked = await execute(made, await signatureOf(made))
    expect(asked).toMatchObject({ status: 200, body: { status: 'PENDING_APPROVAL' } })
    const [session] = await client.sessions()
    expect((await client.twice(key, 'DELETE', `/auth/sessions/${session!.id}`)).status).toBe(204)
    expect(await client.sessions()).toEqual([])
    const path = `/agents/${agent.id}/actions/${asked.body.id}/approve`
    const approved = await send(server, basic(platform), 'POST', path)
    expect(approved, JSON.stringify(approved.body)).toMatchObject({
      status: 200,
      body: { status: 'APPROVED' },
    })
  })
})

describe('a payment that its customer has to authorize', () => {
  it('begins with the question, which only the platform can answer', async () => {
    const { platform, customer, calls, eur, payee, logIn } = await scaApi(server)
    await logIn()
    const agent = await connectAgent(server, platform, customer.id)
    const made = await agent.call('POST', '/quotes', {
      source: { sourceType: 'ACCOUNT', accountId: eur.id },
      destination: { destinationType: 'ACCOUNT', accountId: payee.id },
      lockedCurrencySide: 'SENDING',
      lockedCurrencyAmount: 1_000,
    })
    expect(made.status, JSON.stringify(made.body)).toBe(201)
    const executed = await agent.call('POST', `/quotes/${made.body.id}/execute`)
    expect(executed).toMatchObject({
      status: 200,
      body: {
        status: 'APPROVED',
        quote: { status: 'PENDING_AUTHORIZATION', scaChallenge: { factor: 'SMS_OTP' } },
        transaction: { status: 'PENDING_AUTHORIZATION', agentId: agent.id },
      },
    })
    const answered = await calls.authorize(made.body.id, { code: '123456' })
    expect(answered).toMatchObject({ status: 200, body: { status: 'PROCESSING' } })
    await server.settle()
    expect((await agent.call('GET', `/actions/${executed.body.id}`)).body).toMatchObject({
      status: 'APPROVED',
      transaction: { status: 'COMPLETED', agentId: agent.id },
    })
  })

  it('asks for the factor that the agent has named with its quote', async () => {
    const known = await scaApi(server)
    const { platform, customer, calls, eur, payee } = known
    const agent = await connectAgent(server, platform, customer.id)
    const asking = await connectAgent(
      server,
      platform,
      customer.id,
      policyOf({ defaultExecutionMode: 'APPROVAL_REQUIRED' }),
    )
    const quote = (by: typeof agent, scaFactor: string) =>
      by.call('POST', '/quotes', {
        source: { sourceType: 'ACCOUNT', accountId: eur.id },
        destination: { destinationType: 'ACCOUNT', accountId: payee.id },
        lockedCurrencySide: 'SENDING',
        lockedCurrencyAmount: 1_000,
        scaFactor,
      })
    for (const factor of ['PASSKEY', 'TOTP']) {
      expect(await quote(agent, factor)).toMatchObject({
        status: 400,
        body: { code: 'INVALID_INPUT', details: { field: 'scaFactor' } },
      })
    }
    await known.logIn()
    const passkey = await enrolPasskey(known, 'ana')
    const made = await quote(agent, 'PASSKEY')
    expect(made, JSON.stringify(made.body)).toMatchObject({ status: 201, body: { status: 'PENDING' } })
    const executed = await agent.call('POST', `/quotes/${made.body.id}/execute`)
    const { scaChallenge } = executed.body.quote
    expect(scaChallenge).toMatchObject({ factor: 'PASSKEY' })
    const passkeyAssertion = passkey.authenticate(scaChallenge.passkeyAssertionOptions, origin)
    expect(await calls.authorize(made.body.id, { passkeyAssertion, origin })).toMatchObject({
      status: 200,
      body: { status: 'PROCESSING' },
    })

    const [first, second] = [await quote(asking, 'PASSKEY'), await quote(asking, 'PASSKEY')]
    const approve = async (quoteId: string) => {
      const { body } = await asking.call('POST', `/quotes/${quoteId}/execute`)
      expect(body.status).toBe('PENDING_APPROVAL')
      return () => send(server, basic(platform), 'POST', `/agents/${asking.id}/actions/${body.id}/approve`)
    }
    const [approveFirst, approveSecond] = [await approve(first.body.id), await approve(second.body.id)]
    expect(await approveFirst()).toMatchObject({
      status: 200,
      body: { status: 'APPROVED', quote: { scaChallenge: { factor: 'PASSKEY' } } },
    })
    expect(await calls.deleteFactor(customer.id, passkey.credentialId)).toMatchObject({ status: 204 })
    expect(await approveSecond()).toMatchObject({ status: 200, body: { status: 'FAILED' } })
  })

  it('cannot be a transfer', async () => {
    const { platform, api, customer, eur } = await scaApi(server)
    const bank = await createPayee(api, 'EUR', 'DE89370400440532013000', { customerId: customer.id })
    const agent = await connectAgent(server, platform, customer.id)
    const body = { source: { accountId: eur.id }, destination: { accountId: bank.id }, amount: 100 }
    expect(await agent.call('POST', '/transfer-out', body)).toMatchObject({
      status: 409,
      body: { code: 'CONFLICT', details: { reason: 'USE_QUOTES' } },
    })
    expect((await agent.call('GET', '')).body.usage.dailyTransactionCount).toBe(0)
  })
})
