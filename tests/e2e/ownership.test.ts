import { openTestServer, quoteBody } from '@corridor/testkit/index.ts'
import { privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { addCustomer, eventsOf } from './book-fixtures.ts'

const server = await openTestServer()

const owner = privateKeyToAccount(`0x${'09'.repeat(32)}`)
const stranger = privateKeyToAccount(`0x${'0a'.repeat(32)}`)
const hour = 60 * 60 * 1000

const account = '/customers/external-accounts/{externalAccountId}'

async function start({
  counterpartyRules = true,
  region = null as string | null,
  environment = 'SANDBOX' as const,
} = {}) {
  const platform = await server.platform({ environment, settings: { counterpartyRules } })
  const api = server.client(platform)
  const customer = await addCustomer(server, platform, region ? { region } : {})
  const register = (body: object, address: string = owner.address) =>
    api.POST('/customers/external-accounts', {
      body: {
        customerId: customer.id,
        currency: 'USDC',
        accountInfo: { accountType: 'ETHEREUM_WALLET', address },
        ...body,
      } as never,
    })
  const at = (externalAccountId: string) => ({ params: { path: { externalAccountId } } })
  const challenge = (id: string, method: 'WALLET_SIGNATURE' | 'LIVENESS' = 'WALLET_SIGNATURE') =>
    api.POST(`${account}/challenge`, { ...at(id), body: { method } })
  const verify = (id: string, signature: string, headers: Record<string, string> = {}) =>
    api.POST(`${account}/verify`, { ...at(id), headers, body: { signature } })
  const status = async (id: string) => (await api.GET(account, at(id))).data!.status
  const statusesSent = async (id: string) =>
    (await eventsOf(server, platform, id)).map(({ type, data }) => [type, data.status])
  return { platform, api, register, challenge, verify, status, statusesSent }
}

/** A wallet that waits for the proof of its owner. */
async function startUnproved(address?: string) {
  const test = await start()
  const { data } = await test.register({ ownershipType: 'FIRST_PARTY' }, address)
  return { ...test, id: data!.id }
}

async function messageOf(answer: { data?: unknown }): Promise<string> {
  return (answer.data as { messageToSign: string }).messageToSign
}

const updated = (...statuses: string[]) =>
  statuses.map((status) => ['EXTERNAL_ACCOUNT.STATUS_UPDATED', status])

describe('ownership of a wallet', () => {
  it('is proved by a signature, and a failed attempt counts although it is refused (16.14)', async () => {
    const { register, challenge, verify, status, statusesSent } = await start()
    const missing = await register({})
    expect(missing.error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { field: 'ownershipType' },
    })
    const created = await register({ ownershipType: 'FIRST_PARTY' })
    expect(created.response.status).toBe(201)
    expect(created.data!.status).toBe('PENDING_OWNERSHIP_VERIFICATION')
    const { id } = created.data!

    expect((await verify(id, '0x00')).error).toMatchObject({ status: 409, code: 'CONFLICT' })
    const first = await challenge(id)
    expect(first.response.status).toBe(201)
    expect(first.data).toEqual({
      method: 'WALLET_SIGNATURE',
      messageToSign: expect.stringContaining(id),
      expiresAt: new Date(server.world.now() + 10 * 60 * 1000).toISOString(),
    })
    expect(await statusesSent(id)).toEqual([])

    expect((await verify(id, 'sandbox-invalid-signature')).error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
      details: { reason: 'SIGNATURE_INVALID' },
    })
    expect(await status(id)).toBe('UNVERIFIED')
    expect(await statusesSent(id)).toEqual(updated('UNVERIFIED'))

    const second = await challenge(id)
    expect(second.response.status).toBe(201)
    expect(await status(id)).toBe('PENDING_OWNERSHIP_VERIFICATION')
    const signature = await owner.signMessage({ message: await messageOf(second) })
    const proved = await verify(id, signature)
    expect(proved.response.status).toBe(200)
    expect(proved.data).toMatchObject({ id, status: 'ACTIVE', ownershipType: 'FIRST_PARTY' })
    expect(await statusesSent(id)).toEqual(updated('UNVERIFIED', 'PENDING_OWNERSHIP_VERIFICATION', 'ACTIVE'))

    expect((await challenge(id)).error).toMatchObject({ status: 409, code: 'CONFLICT' })
    expect((await verify(id, signature)).error).toMatchObject({ status: 409, code: 'CONFLICT' })
  })

  it('is needed for payments above 1000 EUR before it is proved, and for all once a proof has failed (16.14)', async () => {
    const { platform, id, challenge, verify } = await startUnproved()
    const api = server.client(platform)
    const source = (await api.GET('/platform/internal-accounts', { params: { query: { currency: 'USD' } } }))
      .data!
    const quote = (amount: number) =>
      api.POST('/quotes', { body: quoteBody(source.data[0]!, { id }, amount) })
    const required = {
      status: 400,
      code: 'EXTERNAL_ACCOUNT_VERIFICATION_REQUIRED',
      details: { externalAccountId: id },
    }
    expect((await quote(50_000)).response.status).toBe(201)
    expect((await quote(500_000)).error).toMatchObject(required)
    await challenge(id)
    await verify(id, 'sandbox-invalid-signature')
    expect((await quote(50_000)).error).toMatchObject(required)
    await challenge(id)
    await verify(id, 'sandbox-valid-signature')
    expect((await quote(500_000)).response.status).toBe(201)
  })

  it('is not proved by another key, nor by a good signature over another challenge', async () => {
    const { id, challenge, verify, status } = await startUnproved()
    const first = await messageOf(await challenge(id))
    const second = await messageOf(await challenge(id))
    expect(second).not.toBe(first)
    const old = await verify(id, await owner.signMessage({ message: first }))
    expect(old.error).toMatchObject({ status: 400, details: { reason: 'SIGNATURE_INVALID' } })
    expect(await status(id)).toBe('UNVERIFIED')

    const third = await messageOf(await challenge(id))
    const foreign = await verify(id, await stranger.signMessage({ message: third }))
    expect(foreign.error).toMatchObject({ status: 400, details: { reason: 'SIGNATURE_INVALID' } })
    // The challenge is used up: the right signature comes too late for it.
    const late = await verify(id, await owner.signMessage({ message: third }))
    expect(late.error).toMatchObject({ status: 409, details: { reason: 'NO_OUTSTANDING_CHALLENGE' } })
  })

  it('is not proved once the challenge has expired: a good signature then counts as a failed one', async () => {
    const { id, challenge, verify, status } = await startUnproved()
    const message = await messageOf(await challenge(id))
    server.world.passMs(10 * 60 * 1000)
    const answer = await verify(id, await owner.signMessage({ message }))
    expect(answer.error).toMatchObject({ status: 400, details: { reason: 'CHALLENGE_EXPIRED' } })
    expect(await status(id)).toBe('UNVERIFIED')
  })

  it('is decided once when two answers arrive at the same moment', async () => {
    const { id, challenge, verify, statusesSent } = await startUnproved()
    const signature = await owner.signMessage({ message: await messageOf(await challenge(id)) })
    const both = await Promise.all([verify(id, signature), verify(id, signature)])
    expect(both.map(({ response }) => response.status).sort()).toEqual([200, 409])
    expect(await statusesSent(id)).toEqual(updated('ACTIVE'))
  })

  it('replays the refusal of a failed attempt without attempting it again', async () => {
    const { id, challenge, verify, statusesSent } = await startUnproved()
    await challenge(id)
    const headers = { 'Idempotency-Key': 'attempt-1' }
    const first = await verify(id, 'sandbox-invalid-signature', headers)
    expect(first.response.headers.get('idempotent-replayed')).toBeNull()
    await challenge(id)
    const replay = await verify(id, 'sandbox-invalid-signature', headers)
    expect(replay.response.headers.get('idempotent-replayed')).toBe('true')
    expect(replay.error).toEqual(first.error)
    expect(await statusesSent(id)).toEqual(updated('UNVERIFIED', 'PENDING_OWNERSHIP_VERIFICATION'))
  })

  it('may be proved by liveness, which ends by itself and never through verify', async () => {
    const { id, challenge, verify, status, statusesSent } = await startUnproved()
    const answer = await challenge(id, 'LIVENESS')
    expect(answer.data).toMatchObject({
      method: 'LIVENESS',
      verificationLink: expect.stringMatching(/^https:/),
    })
    expect((await verify(id, 'sandbox-valid-signature')).error).toMatchObject({ status: 409 })
    await server.pass(1_999)
    expect(await status(id)).toBe('PENDING_OWNERSHIP_VERIFICATION')
    await server.pass(1)
    expect(await status(id)).toBe('ACTIVE')
    expect(await statusesSent(id)).toEqual(updated('ACTIVE'))
  })

  it('fails by liveness for an address that ends in 002', async () => {
    const { id, challenge, status } = await startUnproved(`0x${'a'.repeat(37)}002`)
    await challenge(id, 'LIVENESS')
    await server.pass(2_000)
    expect(await status(id)).toBe('UNVERIFIED')
  })

  it('is left to the newest challenge, whatever the method of the one before', async () => {
    const { id, challenge, verify, status, statusesSent } = await startUnproved()
    await challenge(id, 'LIVENESS')
    await challenge(id)
    await server.pass(hour)
    expect(await status(id)).toBe('PENDING_OWNERSHIP_VERIFICATION')
    expect(await statusesSent(id)).toEqual([])
    await challenge(id)
    expect((await verify(id, 'sandbox-valid-signature')).data).toMatchObject({ status: 'ACTIVE' })
  })

  it('is asked of customers in the EEA without any setting, and of no one else', async () => {
    const { register } = await start({ counterpartyRules: false, region: 'DE' })
    expect((await register({})).error).toMatchObject({ details: { field: 'ownershipType' } })
    const elsewhere = await start({ counterpartyRules: false, region: 'CH' })
    const created = await elsewhere.register({})
    expect(created.data!.status).toBe('ACTIVE')
    const refused = await elsewhere.challenge(created.data!.id)
    expect(refused.error).toMatchObject({
      status: 409,
      details: { reason: 'OWNERSHIP_PROOF_NOT_APPLICABLE' },
    })
  })

  it('is not asked of a third party, who is named instead, nor of a hosted wallet', async () => {
    const { register, challenge } = await start()
    const nameless = await register({ ownershipType: 'THIRD_PARTY' })
    expect(nameless.error).toMatchObject({ status: 400, details: { field: 'accountInfo.beneficiary' } })
    const info = { accountType: 'ETHEREUM_WALLET', address: owner.address }
    const beneficiary = { beneficiaryType: 'INDIVIDUAL', fullName: 'Ola Nord', countryOfResidence: 'NO' }
    const named = await register({ ownershipType: 'THIRD_PARTY', accountInfo: { ...info, beneficiary } })
    expect(named.data).toMatchObject({ status: 'ACTIVE' })
    expect(named.data).not.toHaveProperty('beneficiaryVerificationStatus')
    expect((await challenge(named.data!.id)).response.status).toBe(409)

    const hosted = await register({
      ownershipType: 'FIRST_PARTY',
      accountInfo: { ...info, address: stranger.address, vaspName: 'Kraken' },
    })
    expect(hosted.data!.status).toBe('ACTIVE')
    expect((await challenge(hosted.data!.id)).response.status).toBe(409)
  })

  it('is asked of the platform’s own wallets too, under paths of their own', async () => {
    const { api, challenge } = await start()
    const created = await api.POST('/platform/external-accounts', {
      body: {
        currency: 'USDC',
        ownershipType: 'FIRST_PARTY',
        accountInfo: { accountType: 'BASE_WALLET', address: owner.address },
      } as never,
    })
    const { id } = created.data!
    expect(created.data!.status).toBe('PENDING_OWNERSHIP_VERIFICATION')
    expect((await challenge(id)).error).toMatchObject({ status: 404, code: 'REFERENCE_NOT_FOUND' })
    const at = { params: { path: { externalAccountId: id } } }
    const own = '/platform/external-accounts/{externalAccountId}'
    const issued = await api.POST(`${own}/challenge`, { ...at, body: { method: 'WALLET_SIGNATURE' } })
    const signature = await owner.signMessage({ message: await messageOf(issued) })
    const proved = await api.POST(`${own}/verify`, { ...at, body: { signature } })
    expect(proved.data).toMatchObject({ status: 'ACTIVE', customerId: null })
  })

  it('refuses an unknown method, and knows no account that was deleted', async () => {
    const { api, id, challenge, verify } = await startUnproved()
    expect((await challenge(id, 'TELEPATHY' as never)).error).toMatchObject({
      status: 400,
      code: 'INVALID_INPUT',
    })
    await challenge(id)
    await api.DELETE(account, { params: { path: { externalAccountId: id } } })
    expect((await challenge(id)).error).toMatchObject({ code: 'REFERENCE_NOT_FOUND' })
    expect((await verify(id, 'sandbox-valid-signature')).error).toMatchObject({ code: 'REFERENCE_NOT_FOUND' })
  })

  it('takes only real signatures with real money, and has no liveness provider there', async () => {
    const { register, challenge, verify } = await start({ environment: 'PRODUCTION' as never })
    const { id } = (await register({ ownershipType: 'FIRST_PARTY' })).data!
    expect((await challenge(id, 'LIVENESS')).error).toMatchObject({ status: 501, code: 'NOT_IMPLEMENTED' })
    await challenge(id)
    expect((await verify(id, 'sandbox-valid-signature')).error).toMatchObject({ status: 400 })
    const signature = await owner.signMessage({ message: await messageOf(await challenge(id)) })
    expect((await verify(id, signature)).data).toMatchObject({ status: 'ACTIVE' })
  })
})
