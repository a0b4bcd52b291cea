import { internalAccountOf, openTestServer, testCredentials } from '@corridor/testkit/index.ts'
import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import { beforeAll, describe, expect, it } from 'vitest'
import { customerApi, fieldsOf, type Individual, person } from './customer-api.ts'

const credentials = testCredentials()
const server = await openTestServer({ contactCredentials: credentials })
beforeAll(async () => {
  await credentials.install(server)
})

const literal = 'sandbox-valid-signature'
type Headers = Record<string, string>
interface Challenge {
  readonly payloadToSign: string
  readonly requestId: string
  readonly expiresAt: string
}

const signed = (requestId: string, signature = literal): Headers => ({
  'Request-Id': requestId,
  'Service-Wallet-Signature': signature,
})

/** A customer whose wallet is unlocked by its contacts, and the one call that is tested. */
async function start(contacts: { email?: string; phoneNumber?: string } = { email: 'old@larch.example' }) {
  const calls = await customerApi(server)
  const { platform, api } = calls
  const customer = await calls.customer({ ...contacts, fullName: 'Noor Adeyemi' })
  const tie = (
    value: string,
    type: 'EMAIL_OTP' | 'SMS_OTP' = 'EMAIL_OTP',
    customerId: string = customer.id,
  ) => credentials.add(platform, customerId, { type, value })
  const tied = [
    ...(contacts.email ? [await tie(contacts.email)] : []),
    ...(contacts.phoneNumber ? [await tie(contacts.phoneNumber, 'SMS_OTP')] : []),
  ]
  async function change(body: object, headers: Headers = {}) {
    const path = { customerId: customer.id }
    const full = { ...person, ...body }
    const { data, error, response } = await api.PATCH('/customers/{customerId}', {
      params: { path },
      body: full as never,
      headers,
    })
    return { status: response.status, data: data as Individual | undefined, error }
  }
  return {
    ...calls,
    customer,
    tie,
    tied,
    change,
    read: async () => (await calls.get(customer.id)).data as unknown as Individual,
    async challengeOf(body: object, headers: Headers = {}): Promise<Challenge> {
      const { status, data, error } = await change(body, headers)
      expect(error).toBeUndefined()
      expect(status).toBe(202)
      return data as unknown as Challenge
    },
    has: async (value: string) => Promise.all(tied.map((id) => credentials.has(platform, id, value))),
  }
}

const refused = (status: number, code: string) => ({ status, error: { status, code } })

describe('an e-mail address that unlocks a wallet (customers 16.5)', () => {
  it('changes with the rest of its request, once the wallet has signed', async () => {
    const { api, customer, tie, tied, change, challengeOf, read, has } = await start()
    tied.push(await tie('old@larch.example'))
    const both = await change({ email: 'new@larch.example', phoneNumber: '+14155550188' })
    expect(both).toMatchObject(refused(400, 'INVALID_INPUT'))

    const body = { email: 'new@larch.example', fullName: 'Noor Ade' }
    const challenge = await challengeOf(body)
    const { requestId, payloadToSign, expiresAt } = challenge
    expect(Object.keys(challenge).sort()).toEqual(['expiresAt', 'payloadToSign', 'requestId'])
    expect(Date.parse(expiresAt)).toBe(server.world.now() + 300_000)
    const payload = JSON.parse(payloadToSign)
    expect(payload).toEqual({
      organizationId: expect.stringMatching(/^org_/),
      parameters: { userEmail: 'new@larch.example', userId: expect.stringMatching(/^user_/) },
      timestampMs: String(server.world.now()),
      type: 'ACTIVITY_TYPE_UPDATE_USER_EMAIL',
    })
    expect(payloadToSign).toBe(JSON.stringify(payload))
    expect(await read()).toEqual(customer)

    const withoutId = await change(body, { 'Service-Wallet-Signature': literal })
    expect(withoutId).toMatchObject(refused(401, 'REQUEST_ID_MISSING'))
    expect(await change(body, { 'Request-Id': requestId })).toMatchObject(
      refused(401, 'WALLET_SIGNATURE_MISSING'),
    )
    const other = await change({ email: 'other@x.example' }, signed(requestId))
    expect(other).toMatchObject(refused(401, 'WALLET_SIGNATURE_BODY_MISMATCH'))
    expect(await read()).toEqual(customer)
    expect(await has('old@larch.example')).toEqual([true, true])

    const reordered = `{ "fullName":"Noor Ade",\n "email":"new@larch.example", "customerType":"INDIVIDUAL" }`
    const retry = async () => {
      const { data, error, response } = await api.PATCH('/customers/{customerId}', {
        params: { path: { customerId: customer.id } },
        body: {} as never,
        bodySerializer: () => reordered,
        headers: signed(requestId),
      })
      return { status: response.status, data: data as unknown, error }
    }
    const done = await retry()
    expect(done).toMatchObject({ status: 200, data: { ...body, id: customer.id } })
    expect(await read()).toEqual(done.data)
    expect(await has('new@larch.example')).toEqual([true, true])
    expect(await retry()).toMatchObject(refused(401, 'UNAUTHORIZED'))
    // Nor when nothing is left to be signed, and for as long as the customer exists.
    await server.pass(300_001)
    await challengeOf({ email: 'third@larch.example' })
    expect(await retry()).toMatchObject(refused(401, 'UNAUTHORIZED'))
  })

  it('takes a signature under either header, by a key of a session, in one form', async () => {
    const { change, challengeOf } = await start()
    const body = { email: 'new@larch.example' }
    const { requestId, payloadToSign } = await challengeOf(body)
    const secret = new Uint8Array(32).fill(5)
    const stamp = {
      publicKey: Buffer.from(p256.getPublicKey(secret, true)).toString('hex'),
      scheme: 'SIGNATURE_SCHEME_TK_API_P256',
      signature: p256.sign(sha256(new TextEncoder().encode(payloadToSign)), secret).toDERHex(),
    }
    const foreign = Buffer.from(JSON.stringify(stamp)).toString('base64url')
    expect(await change(body, signed(requestId, foreign))).toMatchObject(
      refused(401, 'WALLET_SIGNATURE_INVALID'),
    )
    expect(await change(body, signed(requestId, 'not a stamp!'))).toMatchObject(
      refused(401, 'WALLET_SIGNATURE_MALFORMED'),
    )
    expect(await change(body, { ...signed(requestId), 'Grid-Wallet-Signature': 'other' })).toMatchObject(
      refused(401, 'WALLET_SIGNATURE_MALFORMED'),
    )
    const alias = { 'request-id': requestId, 'grid-wallet-signature': literal }
    expect(await change(body, alias)).toMatchObject({ status: 200, data: body })
  })

  it('answers a challenge of its own customer alone, for five minutes', async () => {
    const one = await start()
    const body = { email: 'new@larch.example' }
    const { requestId } = await one.challengeOf(body)
    const other = await start({ email: 'else@larch.example' })
    const gone = refused(401, 'UNAUTHORIZED')
    expect(await other.change({ email: 'b@larch.example' }, signed(requestId))).toMatchObject(gone)
    const wallet = await internalAccountOf(one.api, one.customer.id, 'USDB')
    const privacy = await one.api.PATCH('/internal-accounts/{id}', {
      params: { path: { id: wallet.id } },
      body: { privateEnabled: true },
      headers: signed(requestId),
    })
    expect(privacy.error).toMatchObject(gone.error)
    await server.pass(300_000)
    expect(await one.change(body, signed(requestId))).toMatchObject(gone)
    expect(await one.read()).toEqual(one.customer)
  })

  it('is not asked for when it stays the same, or nothing hangs on it', async () => {
    const { change, tied, platform, read, has } = await start()
    const same = await change({ email: 'OLD@Larch.example', fullName: 'Noor A' })
    expect(same).toMatchObject({ status: 200, data: { email: 'OLD@Larch.example', fullName: 'Noor A' } })
    expect((await change({ fullName: 'Noor B' })).status).toBe(200)
    // Only the e-mail address is tied, not the number.
    expect((await change({ phoneNumber: '+14155550188' })).status).toBe(200)
    expect(await has('old@larch.example')).toEqual([true])
    await credentials.remove(platform, tied[0]!)
    expect(await change({ email: 'free@larch.example' })).toMatchObject({ status: 200 })
    expect(await read()).toMatchObject({ email: 'free@larch.example' })
  })

  it('cannot be taken away while it unlocks a wallet', async () => {
    const { change } = await start()
    const answer = await change({ email: null })
    expect(answer).toMatchObject(refused(409, 'CONFLICT'))
    expect(answer.error).toMatchObject({ details: { field: 'email' } })
  })

  it('ignores the headers of a change that needs no signature', async () => {
    const { change } = await start()
    const unknown = 'Request:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    for (const headers of [{ 'Request-Id': unknown }, signed(unknown, 'not a stamp!'), signed(unknown)]) {
      expect((await change({ fullName: 'Noor C' }, headers)).status).toBe(200)
    }
    const { 'Request-Id': _, ...signatureAlone } = signed(unknown)
    expect((await change({ fullName: 'Noor D' }, signatureAlone)).status).toBe(200)
  })

  it('is checked in full before anybody is asked to sign', async () => {
    const { customer, create, change, tie, read } = await start()
    const { data } = await create({ ...person, platformCustomerId: 'taken-1', email: 'b@larch.example' })
    const other = data as unknown as Individual
    const email = 'new@larch.example'
    const wrong = await change({ email, birthDate: '1990-02-30' })
    expect(wrong).toMatchObject(refused(400, 'INVALID_INPUT'))
    expect(fieldsOf(wrong.error)).toEqual(['birthDate'])
    expect(await change({ email, platformCustomerId: 'taken-1' })).toMatchObject(refused(409, 'CONFLICT'))
    expect(await change({ email, umaAddress: other.umaAddress.toUpperCase() })).toMatchObject(
      refused(409, 'UMA_ADDRESS_EXISTS'),
    )
    // The address alone may be anybody's; what counts is that it unlocks a wallet.
    expect((await change({ email: 'b@larch.example' })).status).toBe(202)
    await tie('B@larch.example', 'EMAIL_OTP', other.id)
    expect(await change({ email: 'b@LARCH.example' })).toMatchObject(
      refused(409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS'),
    )
    expect(await read()).toEqual(customer)
  })

  it('is checked again when the signature comes, and a refusal ends the challenge', async () => {
    const { customer, change, challengeOf, tie, tied, platform, read, has } = await start()
    const body = { email: 'new@larch.example', fullName: 'Noor Ade' }
    const gone = refused(401, 'UNAUTHORIZED')
    const expectVoid = async (requestId: string, code: string) => {
      expect(await change(body, signed(requestId))).toMatchObject(refused(409, code))
      expect(await change(body, signed(requestId))).toMatchObject(gone)
      expect(await read()).toEqual(customer)
    }
    const taken = await challengeOf(body)
    const stranger = await tie('new@larch.example', 'EMAIL_OTP', 'Customer:somebody')
    await expectVoid(taken.requestId, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS')
    await credentials.remove(platform, stranger)

    const joined = await challengeOf(body)
    const second = await tie('old@larch.example')
    await expectVoid(joined.requestId, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED')
    const left = await challengeOf(body)
    await credentials.remove(platform, second)
    await expectVoid(left.requestId, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED')
    expect(await has('old@larch.example')).toEqual([true])

    // Even when nothing is tied any more; then the change is free.
    const last = await challengeOf(body)
    await credentials.remove(platform, tied[0]!)
    const withoutSignature = await change(body, { 'Request-Id': last.requestId })
    expect(withoutSignature).toMatchObject(refused(401, 'WALLET_SIGNATURE_MISSING'))
    await expectVoid(last.requestId, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED')
    expect(await change(body)).toMatchObject({ status: 200, data: body })
  })

  it('checks what else is in the request again, too', async () => {
    const { customer, create, change, challengeOf, read } = await start()
    const body = { email: 'new@larch.example', platformCustomerId: 'wanted-1' }
    const { requestId } = await challengeOf(body)
    expect((await create({ ...person, platformCustomerId: 'wanted-1' })).response.status).toBe(201)
    expect(await change(body, signed(requestId))).toMatchObject(refused(409, 'CONFLICT'))
    expect(await read()).toEqual(customer)
  })

  it('is changed by one of several challenges', async () => {
    const { change, challengeOf, read } = await start()
    const [x, y] = [{ email: 'x@larch.example' }, { email: 'y@larch.example' }]
    const challenges = [await challengeOf(x), await challengeOf(y), await challengeOf(x)]
    const [first, second, third] = challenges.map(({ requestId }) => requestId)
    expect(new Set([first, second, third]).size).toBe(3)
    expect((await change(x, signed(first!))).status).toBe(200)
    for (const [body, requestId] of [
      [y, second!],
      [x, third!],
    ] as const) {
      expect(await change(body, signed(requestId))).toMatchObject(
        refused(409, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED'),
      )
    }
    expect(await read()).toMatchObject(x)
  })

  it('changes once for two simultaneous signatures', async () => {
    const { change, challengeOf } = await start()
    const body = { email: 'new@larch.example' }
    const { requestId } = await challengeOf(body)
    const answers = await Promise.all([1, 2, 3].map(() => change(body, signed(requestId))))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401, 401])
  })

  it('changes in every credential or in none, and may be tried again', async () => {
    const { customer, tie, tied, change, challengeOf, read, has } = await start()
    tied.push(await tie('old@larch.example'))
    const body = { email: 'new@larch.example', fullName: 'Noor Ade' }
    const { requestId } = await challengeOf(body)
    credentials.stuck.add(tied[1]!)
    const headers = { ...signed(requestId), 'Idempotency-Key': 'contact-1' }
    for (const _ of [1, 2]) {
      expect(await change(body, headers)).toMatchObject(refused(424, 'EMAIL_OTP_CREDENTIAL_SYNC_FAILED'))
      expect(await read()).toEqual(customer)
      expect(await has('old@larch.example')).toEqual([true, true])
    }
    credentials.stuck.clear()
    expect(await change(body, headers)).toMatchObject({ status: 200, data: body })
    expect(await has('new@larch.example')).toEqual([true, true])
  })

  it('of a deleted customer is nothing to sign for', async () => {
    const { change, challengeOf, remove, customer } = await start()
    const body = { email: 'new@larch.example' }
    const { requestId } = await challengeOf(body)
    await remove(customer.id)
    expect(await change(body, signed(requestId))).toMatchObject(refused(410, 'CUSTOMER_DELETED'))
  })

  it('has to be verified anew in the EEA', async () => {
    const { change, challengeOf, read } = await start()
    expect((await change({ region: 'DE' })).status).toBe(200)
    const verify = `update customers set contact_verification = '{"email":"VERIFIED","phone":"VERIFIED"}' where id = $1`
    const { id } = await read()
    await server.rows(verify, [id])
    const body = { email: 'new@larch.example' }
    const { requestId } = await challengeOf(body)
    expect(await read()).toMatchObject({ contactVerification: { email: 'VERIFIED' } })
    const { data } = await change(body, signed(requestId))
    expect(data).toMatchObject({ ...body, contactVerification: { email: 'PENDING', phone: 'VERIFIED' } })
  })
})

describe('a phone number that unlocks a wallet', () => {
  const old = '+14155550100'
  const body = { phoneNumber: '+14155550188' }

  it('changes once the wallet has signed', async () => {
    const { customer, change, challengeOf, read, has } = await start({ phoneNumber: old })
    const { requestId, payloadToSign } = await challengeOf(body)
    expect(JSON.parse(payloadToSign)).toMatchObject({
      type: 'ACTIVITY_TYPE_UPDATE_USER_PHONE_NUMBER',
      parameters: { userPhoneNumber: body.phoneNumber, userId: expect.stringMatching(/^user_/) },
    })
    expect(await read()).toEqual(customer)
    expect((await change({ email: 'free@larch.example' })).status).toBe(200)
    expect(await change(body, signed(requestId))).toMatchObject({ status: 200, data: body })
    expect(await has(body.phoneNumber)).toEqual([true])
    expect((await change({ phoneNumber: body.phoneNumber })).status).toBe(200)
  })

  it('is refused with CONFLICT when it is taken or its credentials have changed', async () => {
    const { platform, change, challengeOf, tie } = await start({ phoneNumber: old })
    const first = await challengeOf(body)
    const stranger = await tie(body.phoneNumber, 'SMS_OTP', 'Customer:somebody')
    for (const headers of [{}, signed(first.requestId)]) {
      const answer = await change(body, headers)
      expect(answer).toMatchObject(refused(409, 'CONFLICT'))
      expect(answer.error).toMatchObject({ details: { field: 'phoneNumber', reason: 'CREDENTIAL_EXISTS' } })
    }
    await credentials.remove(platform, stranger)
    const second = await challengeOf(body)
    await tie(old, 'SMS_OTP')
    const answer = await change(body, signed(second.requestId))
    expect(answer).toMatchObject(refused(409, 'CONFLICT'))
    expect(answer.error).toMatchObject({ details: { reason: 'CREDENTIAL_SET_CHANGED' } })
  })
})
