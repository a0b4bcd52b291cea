import { randomUUID } from 'node:crypto'
import { openTestServer } from '@corridor/testkit/index.ts'
import { decryptExportBundle, hpkeDecrypt } from '@turnkey/crypto'
import { describe, expect, it } from 'vitest'
import { keyPair, literal, noPending, refused, signed, walletClient } from './wallet-client.ts'

const server = await openTestServer()

const mismatch = refused(401, 'WALLET_SIGNATURE_BODY_MISMATCH')
const invalid = refused(401, 'WALLET_SIGNATURE_INVALID')

describe('revoking credentials (wallets 14, E6)', () => {
  it('takes the session of another one, ends what it opened and leaves the last one', async () => {
    const client = await walletClient(server)
    const { call } = client
    const email = await client.otpSession()
    const emailId = await client.credentialOf('EMAIL_OTP')
    const added = await client.addPasskey(email.key)
    const own = keyPair()
    await client.passkeySession(added, own.compressed)

    const path = `/auth/credentials/${emailId}`
    const first = await call('DELETE', path)
    expect(first).toMatchObject({ status: 202, body: { type: 'EMAIL_OTP' } })
    expect(JSON.parse(first.body.payloadToSign)).toMatchObject({ parameters: { userEmail: '' } })
    expect(await call('DELETE', path, undefined, await signed(first, email.key))).toMatchObject(
      refused(401, 'WALLET_SIGNATURE_INVALID', 'Signing session belongs to the credential being revoked'),
    )
    expect(await call('DELETE', path, undefined, await signed(first, own))).toMatchObject({
      status: 204,
      body: undefined,
    })
    expect(await call('DELETE', path)).toMatchObject(refused(404, 'REFERENCE_NOT_FOUND'))
    expect((await client.sessions()).map(({ type }) => type)).toEqual(['PASSKEY'])
    const privacy = await call('PATCH', `/internal-accounts/${client.wallet.id}`, { privateEnabled: true })
    expect(
      await call(
        'PATCH',
        `/internal-accounts/${client.wallet.id}`,
        { privateEnabled: true },
        await signed(privacy, email.key),
      ),
    ).toMatchObject(invalid)
    expect(await call('DELETE', `/auth/credentials/${added.id}`)).toMatchObject(refused(400, 'INVALID_INPUT'))

    const again = await client.twice(own, 'POST', '/auth/credentials', {
      type: 'EMAIL_OTP',
      accountId: client.wallet.id,
    })
    expect(again).toMatchObject({ status: 201, body: { otpEncryptionTargetBundle: expect.any(String) } })
    expect(again.body.id).not.toBe(emailId)
    const tek = keyPair()
    const sealed = await client.sealOtp(again.body.otpEncryptionTargetBundle, '000000', tek)
    const verify = await client.verifyOtp(again.body.id, 'EMAIL_OTP', sealed)
    expect(
      await client.verifyOtp(again.body.id, 'EMAIL_OTP', sealed, await signed(verify, tek)),
    ).toMatchObject({
      status: 200,
    })
    expect(
      await call('POST', '/auth/credentials', { type: 'EMAIL_OTP', accountId: client.wallet.id }),
    ).toMatchObject(refused(400, 'EMAIL_OTP_CREDENTIAL_ALREADY_EXISTS'))
    expect(
      await call('POST', '/auth/credentials', { type: 'SMS_OTP', accountId: client.wallet.id }),
    ).toMatchObject(refused(400, 'INVALID_INPUT'))
  })

  it('of two that revoke each other takes one', async () => {
    const client = await walletClient(server)
    const email = await client.otpSession()
    const emailId = await client.credentialOf('EMAIL_OTP')
    const added = await client.addPasskey(email.key)
    const own = keyPair()
    await client.passkeySession(added, own.compressed)
    const revoke = async (id: string, key: typeof own) => {
      const first = await client.call('DELETE', `/auth/credentials/${id}`)
      return signed(first, key)
    }
    const [a, b] = [await revoke(emailId, own), await revoke(added.id, email.key)]
    const answers = await Promise.all([
      client.call('DELETE', `/auth/credentials/${emailId}`, undefined, a),
      client.call('DELETE', `/auth/credentials/${added.id}`, undefined, b),
    ])
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    expect(await client.credentials()).toHaveLength(1)
  })

  it('lets a wallet without any have its first one unsigned, once', async () => {
    const client = await walletClient(server, {})
    expect(await client.credentials()).toEqual([])
    const { call, wallet } = client
    await call('PATCH', `/customers/${client.customer.id}`, {
      customerType: 'INDIVIDUAL',
      email: 'late@larch.example',
    })
    const body = { type: 'EMAIL_OTP', accountId: wallet.id }
    const answers = await Promise.all([
      call('POST', '/auth/credentials', body),
      call('POST', '/auth/credentials', body),
    ])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 400])
    const made = answers.find(({ status }) => status === 201)!
    expect(made.body).not.toHaveProperty('otpEncryptionTargetBundle')
    await client.otpSession()
    for (const accountId of ['nonsense', client.customer.id, undefined]) {
      expect(await call('POST', '/auth/credentials', { ...body, accountId })).toMatchObject(
        refused(400, 'INVALID_INPUT'),
      )
    }
    const unknown = 'InternalAccount:0198f2c4-7d1e-7a90-b6a1-2f3c4d5e6f70'
    expect(await call('POST', '/auth/credentials', { ...body, accountId: unknown })).toMatchObject(
      refused(404, 'REFERENCE_NOT_FOUND'),
    )
    const { data } = await client.api.GET('/internal-account', {
      params: { query: { customerId: client.customer.id as never, currency: 'USD' } },
    })
    expect(await call('POST', '/auth/credentials', { ...body, accountId: data!.data[0]!.id })).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )
  })
})

describe('a wallet that is opened later', () => {
  it('comes with its words and one credential, once, whichever way it is opened', async () => {
    const platform = await server.platform()
    const api = server.client(platform)
    const config = (await api.GET('/config')).data!
    const others = config.supportedCurrencies.filter(({ currencyCode }) => currencyCode !== 'USDB')
    await api.PATCH('/config', { body: { supportedCurrencies: others } })
    const { data: customer } = await api.POST('/customers', {
      body: { customerType: 'INDIVIDUAL', email: 'late@larch.example', currencies: ['USD'] } as never,
    })
    const path = { customerId: (customer as { id: string }).id }
    await api.PATCH('/config', { body: { supportedCurrencies: config.supportedCurrencies } })
    await Promise.all([
      server.settle(),
      api.PATCH('/customers/{customerId}', {
        params: { path },
        body: { customerType: 'INDIVIDUAL', currencies: ['USD', 'USDB'] } as never,
      }),
    ])
    await server.settle()
    const query = { customerId: path.customerId as never, currency: 'USDB' }
    const { data } = (await api.GET('/internal-account', { params: { query } })).data!
    expect(data).toHaveLength(1)
    const { data: credentials } = await api.GET('/auth/credentials', {
      params: { query: { accountId: data[0]!.id } },
    })
    expect(credentials!.data).toMatchObject([{ type: 'EMAIL_OTP', nickname: 'late@larch.example' }])
    const text = 'select count(*) from auth_methods where owner_id = $1'
    const rows = await server.rows<{ count: bigint }>(text, [path.customerId])
    expect(rows[0]!.count).toBe(1n)
  })
})

describe('export and privacy (wallets 14, E7)', () => {
  it('hand out the same words in another envelope every time', async () => {
    const client = await walletClient(server)
    const { call, wallet } = client
    const { key } = await client.otpSession()
    const path = `/internal-accounts/${wallet.id}/export`
    const ask = (device = keyPair()) => ({ clientPublicKey: device.uncompressed })
    expect(await call('POST', path, { clientPublicKey: keyPair().compressed })).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )
    const device = keyPair()
    const first = await call('POST', path, ask(device))
    expect(Object.keys(first.body).sort()).toEqual(['expiresAt', 'payloadToSign', 'requestId'])
    const headers = await signed(first, key)
    expect(await call('POST', path, ask(), headers)).toMatchObject(mismatch)
    const done = await call('POST', path, ask(device), headers)
    expect(done).toMatchObject({ status: 200, body: { id: wallet.id } })
    expect(await call('POST', path, ask(device), headers)).toMatchObject(noPending)
    const second = await client.twice(key, 'POST', path, ask(device))

    const open = (envelope: string) => {
      const { data, dataSignature, enclaveQuorumPublic, version } = JSON.parse(envelope)
      expect([dataSignature, enclaveQuorumPublic, version]).toEqual(['', '', 'v1.0.0'])
      const sealed = JSON.parse(Buffer.from(data, 'hex').toString())
      const words = hpkeDecrypt({
        ciphertextBuf: Buffer.from(sealed.ciphertext, 'hex'),
        encappedKeyBuf: Buffer.from(sealed.encappedPublic, 'hex'),
        receiverPriv: device.privateHex,
      })
      return { words: Buffer.from(words).toString(), organizationId: sealed.organizationId }
    }
    const opened = open(done.body.encryptedWalletCredentials)
    expect(opened.words.split(' ')).toHaveLength(12)
    expect(opened.organizationId).toBe(JSON.parse(first.body.payloadToSign).organizationId)
    expect(second.body.encryptedWalletCredentials).not.toBe(done.body.encryptedWalletCredentials)
    expect(open(second.body.encryptedWalletCredentials)).toEqual(opened)

    const account = `/internal-accounts/${wallet.id}`
    expect(await call('PATCH', account, {})).toMatchObject(refused(400, 'INVALID_INPUT'))
    const hidden = await client.twice(key, 'PATCH', account, { privateEnabled: true })
    expect(hidden).toMatchObject({ status: 200, body: { id: wallet.id, privateEnabled: true } })
  })

  it('bear the signature of the quorum key in production', async () => {
    const client = await walletClient(server, { environment: 'PRODUCTION', email: 'jane@larch.example' })
    const id = await client.credentialOf('EMAIL_OTP')
    const { otpEncryptionTargetBundle: bundle } = (await client.challenge(id)).body
    await server.settle()
    const { text } = server.posted.findLast(({ to }) => to === 'jane@larch.example')!
    const [code] = /\d{6}/.exec(text)!
    const tek = keyPair()
    const sealed = await client.sealOtp(bundle, code, tek)
    const first = await client.verifyOtp(id, 'EMAIL_OTP', sealed)
    await client.verifyOtp(id, 'EMAIL_OTP', sealed, await signed(first, tek))
    const device = keyPair()
    const done = await client.twice(tek, 'POST', `/internal-accounts/${client.wallet.id}/export`, {
      clientPublicKey: device.uncompressed,
    })
    const { organizationId } = JSON.parse(
      Buffer.from(JSON.parse(done.body.encryptedWalletCredentials).data, 'hex').toString(),
    )
    const words = await decryptExportBundle({
      exportBundle: done.body.encryptedWalletCredentials,
      embeddedKey: device.privateHex,
      organizationId,
      dangerouslyOverrideSignerPublicKey: JSON.parse(bundle).enclaveQuorumPublic,
      returnMnemonic: true,
    })
    expect(words.split(' ')).toHaveLength(12)
  })
})

describe('a change of the contact (wallets 14, E8)', () => {
  it('is void when its credential is gone, and changes credential and customer together', async () => {
    const client = await walletClient(server)
    const { call, customer } = client
    const email = await client.otpSession()
    const added = await client.addPasskey(email.key)
    const own = keyPair()
    await client.passkeySession(added, own.compressed)
    const path = `/customers/${customer.id}`
    const body = { customerType: 'INDIVIDUAL', email: 'new@larch.example' }
    const first = await call('PATCH', path, body)
    expect(first.status).toBe(202)
    expect((await call('GET', path)).body.email).toBe('jane@larch.example')

    const emailId = await client.credentialOf('EMAIL_OTP')
    expect((await client.twice(own, 'DELETE', `/auth/credentials/${emailId}`)).status).toBe(204)
    const headers = await signed(first, own)
    expect(await call('PATCH', path, body, headers)).toMatchObject(
      refused(409, 'EMAIL_OTP_CREDENTIAL_SET_CHANGED'),
    )
    expect((await call('GET', path)).body.email).toBe('jane@larch.example')
    expect(await call('PATCH', path, body, headers)).toMatchObject(noPending)
    expect(await call('PATCH', path, body)).toMatchObject({
      status: 200,
      body: { email: 'new@larch.example' },
    })
    expect(await call('PATCH', path, { ...body, phoneNumber: '+14155550177' })).toMatchObject(
      refused(400, 'INVALID_INPUT'),
    )

    const again = await client.twice(own, 'POST', '/auth/credentials', {
      type: 'EMAIL_OTP',
      accountId: client.wallet.id,
    })
    const live = again.body.otpEncryptionTargetBundle
    const changed = await client.twice(own, 'PATCH', path, { ...body, email: 'third@larch.example' })
    expect(changed).toMatchObject({ status: 200, body: { email: 'third@larch.example' } })
    const [, method] = await client.credentials()
    expect(method).toMatchObject({ type: 'EMAIL_OTP', nickname: 'third@larch.example' })
    // The code went to the contact of before.
    const attempt = await client.sealOtp(live, '000000', keyPair())
    expect(await client.verifyOtp(method!.id, 'EMAIL_OTP', attempt)).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'No pending OTP for this credential'),
    )
    expect((await client.sessions()).map(({ type }) => type)).toEqual(['PASSKEY'])
  })

  it('is refused for a contact of another credential', async () => {
    const client = await walletClient(server)
    const other = await walletClient(server, { platform: client.platform, email: 'Held@larch.example' })
    expect(await other.credentials()).toHaveLength(1)
    const body = { customerType: 'INDIVIDUAL', email: 'held@LARCH.example' }
    const path = `/customers/${client.customer.id}`
    expect(await client.call('PATCH', path, body)).toMatchObject(
      refused(409, 'EMAIL_OTP_EMAIL_ALREADY_EXISTS'),
    )
    // Two customers may have one address when they are created.
    const twin = await walletClient(server, { platform: client.platform, email: 'held@larch.example' })
    expect(await twin.credentials()).toHaveLength(1)
  })
})

describe('the literals of the sandbox (wallets 14, E10)', () => {
  it('stand for signatures, with everything else still checked, and are garbage in production', async () => {
    const client = await walletClient(server)
    const { key, id: sessionId } = await client.otpSession()
    const { id } = await client.addPasskey(key)
    const session = `/auth/sessions/${sessionId}`
    const stands = { 'Service-Wallet-Signature': literal }
    expect(await client.call('DELETE', session, undefined, stands)).toMatchObject(
      refused(401, 'REQUEST_ID_MISSING'),
    )
    const assertion = {
      credentialId: 'AAAA',
      clientDataJson: 'AAAA',
      authenticatorData: 'AAAA',
      signature: 'sandbox-valid-passkey-signature',
    }
    const verify = (requestId: string) =>
      client.call(
        'POST',
        `/auth/credentials/${id}/verify`,
        { type: 'PASSKEY', assertion },
        { 'Request-Id': requestId },
      )
    expect(await verify(`Request:${randomUUID()}`)).toMatchObject(noPending)
    const asked = await client.challenge(id, { clientPublicKey: keyPair().compressed })
    expect(await verify(asked.body.requestId)).toMatchObject({ status: 200 })
    expect(await verify(asked.body.requestId)).toMatchObject(noPending)
    const end = await client.call('DELETE', session)
    expect(
      await client.call('DELETE', session, undefined, { ...stands, 'Request-Id': end.body.requestId }),
    ).toMatchObject({ status: 204 })

    // The key of the bundle is the session key, although it signed nothing.
    const email = await client.credentialOf('EMAIL_OTP')
    const tek = keyPair()
    const bundle = (await client.challenge(email)).body.otpEncryptionTargetBundle
    const sealed = await client.sealOtp(bundle, '000000', tek)
    const first = await client.verifyOtp(email, 'EMAIL_OTP', sealed)
    const opened = await client.verifyOtp(email, 'EMAIL_OTP', sealed, {
      ...stands,
      'Request-Id': first.body.requestId,
    })
    expect(opened.status).toBe(200)
    const refreshed = await client.twice(tek, 'POST', `/auth/sessions/${opened.body.id}/refresh`, {
      clientPublicKey: keyPair().compressed,
    })
    expect(refreshed.status).toBe(201)

    const real = await walletClient(server, { environment: 'PRODUCTION', email: 'pat@larch.example' })
    const credential = await real.credentialOf('EMAIL_OTP')
    const target = (await real.challenge(credential)).body.otpEncryptionTargetBundle
    const guess = await real.sealOtp(target, '000000', tek)
    expect(await real.verifyOtp(credential, 'EMAIL_OTP', guess)).toMatchObject(
      refused(401, 'UNAUTHORIZED', 'Invalid OTP code'),
    )
    const privacy = `/internal-accounts/${real.wallet.id}`
    const challenged = await real.call('PATCH', privacy, { privateEnabled: true })
    expect(
      await real.call(
        'PATCH',
        privacy,
        { privateEnabled: true },
        {
          ...stands,
          'Request-Id': challenged.body.requestId,
        },
      ),
    ).toMatchObject(refused(401, 'WALLET_SIGNATURE_MALFORMED'))
  })
})
