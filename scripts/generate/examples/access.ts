import { keyPair, stamp, walletClient } from '../../../tests/e2e/wallet-client.ts'
import { bySignature } from './people.ts'
import { bodyOf, type Json, payees, platformOn, quoteOf, type Stage } from './stage.ts'

const code = '123456'
const endUserIpAddress = '203.0.113.42'

/** A customer in Germany, who authorizes payments: 500.00 EUR and a payee. */
async function authorizing(stage: Stage, more: object = {}) {
  const on = await platformOn(stage)
  const { id } = await on.customer({
    fullName: 'Lena Vogt',
    region: 'DE',
    currencies: ['EUR', 'USDC', 'USD'],
    ...more,
  })
  const eur = await on.account(id, 'EUR', 50_000)
  const payee = await on.call('POST', '/customers/external-accounts', { customerId: id, ...payees.mexican })
  return { ...on, id, eur, payee, of: `customerId=${id}` }
}

export async function strongAuthentication(stage: Stage) {
  const { call, attempt, eur, payee, of } = await authorizing(stage)
  const held = await call('POST', '/quotes', quoteOf(eur, payee, 20_000))
  await call('POST', `/quotes/${held.id}/execute`, { scaFactor: 'SMS_OTP' })
  await call('POST', `/quotes/${held.id}/authorize/resend`)
  await attempt('POST', `/quotes/${held.id}/authorize`, { code, endUserIpAddress })
  const { challengeId } = await call('POST', `/sca/login/start?${of}`, { factor: 'SMS_OTP' })
  await call('POST', `/sca/login/complete?${of}`, { factor: 'SMS_OTP', challengeId, code, endUserIpAddress })
  await attempt('POST', `/quotes/${held.id}/authorize`, { code: '999999', endUserIpAddress })
  await call('POST', `/quotes/${held.id}/authorize`, { code, endUserIpAddress })
  await call('POST', '/quotes', quoteOf(eur, payee, 5_000, { immediatelyExecute: true }))
  await call('POST', `/sca/record-event?${of}`, bodyOf('recordSecurityEvent'))

  const { secret } = await call('POST', `/sca/factors?${of}`, { type: 'TOTP' })
  await call('POST', `/sca/factors/confirm?${of}`, { type: 'TOTP', secret, code })
  await call('GET', `/sca/factors?${of}`)
  const path = `/customers/external-accounts/${payee.id}`
  for (const way of ['trust', 'untrust']) {
    const { scaChallenge } = await call('POST', `${path}/${way}`, { scaFactor: 'SMS_OTP' })
    await call('POST', `${path}/${way}/confirm`, { challengeId: scaChallenge.id, code })
  }
  const { resetId } = await call('POST', `/sca/factors/reset?${of}`, { factor: 'TOTP' })
  const reset = `/sca/factors/reset/${resetId}`
  await call('GET', `${reset}?${of}`)
  await call('GET', `${reset}?${of}`)
  await call('POST', `${reset}/complete?${of}`, {})
  await passkey(stage)
}

async function passkey(stage: Stage) {
  const { softwarePasskey } = await import('../../../packages/testkit/src/software-passkey.ts')
  const { call, of } = await authorizing(stage, { platformCustomerId: 'user-4718' })
  const origin = 'https://app.example.com'
  const key = softwarePasskey({ seed: 'example' })
  const { options } = await call('POST', `/sca/factors?${of}`, { type: 'PASSKEY' })
  const credential = key.register(options, origin)
  await call('POST', `/sca/factors/confirm?${of}`, { type: 'PASSKEY', origin, credential })
  await call('DELETE', `/sca/factors/${key.credentialId}?${of}`)
}

export async function wallets(stage: Stage) {
  const { platform, call } = await platformOn(stage, { isRegulated: true })
  const wallet = await walletClient(stage.server, { platform, email: 'jane@customer.example' })
  const accountId = wallet.wallet.id
  const own = `accountId=${accountId}`
  const { data } = await call('GET', `/auth/credentials?${own}`)
  const { id } = data[0]
  const key = await signIn(wallet, id, '09')
  const session = (await call('GET', `/auth/sessions?${own}`)).data[0]

  await twice(call, key, 'POST', `/auth/sessions/${session.id}/refresh`, {
    clientPublicKey: keyPair('0a'.repeat(32)).uncompressed,
  })
  await twice(call, key, 'PATCH', `/internal-accounts/${accountId}`, { privateEnabled: true })
  await twice(call, key, 'POST', `/internal-accounts/${accountId}/export`, {
    clientPublicKey: keyPair('0b'.repeat(32)).uncompressed,
  })

  const { id: cardId } = await call('POST', '/cards', {
    cardholderId: wallet.customer.id,
    form: 'VIRTUAL',
    fundingSources: [accountId],
  })
  await stage.server.settle()
  const delegated = { cardId, internalAccountId: accountId, nickname: 'Card payments key' }
  const first = await call('POST', '/auth/delegated-keys', delegated)
  const second = await call('POST', '/auth/delegated-keys', delegated, bySignature(first.requestId))
  const active = await call('POST', '/auth/delegated-keys', delegated, bySignature(second.requestId))
  await call('GET', `/auth/delegated-keys?${own}`)
  await call('GET', `/auth/delegated-keys/${active.id}`)
  await call('DELETE', `/auth/delegated-keys/${active.id}`)

  await twice(
    call,
    key,
    'POST',
    '/auth/credentials',
    wallet.passkeyBody(await examplePasskey(), 'Y2hhbGxlbmdlLWNoYWxsZW5nZS1jaGFsbGVuZ2UhISE'),
  )
  const passkeyId = (await call('GET', `/auth/credentials?${own}`)).data.find(
    ({ type }: Json) => type === 'PASSKEY',
  ).id
  await call('POST', `/auth/credentials/${passkeyId}/challenge`, { clientPublicKey: key.uncompressed })
  await twice(call, key, 'DELETE', `/auth/credentials/${passkeyId}`)
  await twice(call, key, 'DELETE', `/auth/sessions/${session.id}`)
}

async function examplePasskey() {
  const { softwarePasskey } = await import('../../../packages/testkit/src/software-passkey.ts')
  return softwarePasskey({ seed: 'wallet' })
}

/** Opens a session with the code that the sandbox always sends; answers its key. */
async function signIn(wallet: Json, id: string, byte: string) {
  const key = keyPair(byte.repeat(32))
  const asked = await wallet.challenge(id)
  const sealed = await wallet.sealOtp(asked.body.otpEncryptionTargetBundle, '000000', key)
  const first = await wallet.verifyOtp(id, 'EMAIL_OTP', sealed)
  const opened = await wallet.verifyOtp(id, 'EMAIL_OTP', sealed, {
    'Request-Id': first.body.requestId,
    'Service-Wallet-Signature': await stamp(key, first.body.payloadToSign),
  })
  if (opened.status !== 200) throw new Error(`no session: ${JSON.stringify(opened.body)}`)
  return key
}

/** Both legs of a request that the wallet signs. */
async function twice(
  call: Json,
  key: ReturnType<typeof keyPair>,
  method: string,
  path: string,
  body?: object,
) {
  const { requestId, payloadToSign } = await call(method, path, body)
  const signature = await stamp(key, payloadToSign)
  return call(method, path, body, { 'request-id': requestId, 'service-wallet-signature': signature })
}

export async function agents(stage: Stage) {
  const { call, customer, account, server } = await platformOn(stage)
  const { id: customerId } = await customer()
  const usd = await account(customerId, 'USD', 100_000)
  const bank = await call('POST', '/customers/external-accounts', { customerId, ...payees.own })
  const payee = await call('POST', '/customers/external-accounts', { customerId, ...payees.german })
  const policy = {
    permissions: [
      'VIEW_TRANSACTIONS',
      'CREATE_TRANSFERS',
      'CREATE_QUOTES',
      'EXECUTE_QUOTES',
      'MANAGE_EXTERNAL_ACCOUNTS',
    ],
    defaultExecutionMode: 'AUTO',
    spendingLimits: { currency: 'USD', perTransactionLimit: 50_000, dailyLimit: 500_000 },
  }
  const { agent, deviceCode } = await call('POST', '/agents', {
    ...bodyOf('createAgent'),
    customerId,
    policy,
  })
  await call('GET', '/agents?limit=2')
  await call('GET', `/agents/${agent.id}`)
  await call('GET', `/agents/device-codes/${deviceCode.code}/status`)
  const redeem = `${server.baseUrl}/agents/device-codes/${deviceCode.code}/redeem`
  const { accessToken } = await (await server.fetch(redeem, { method: 'POST' })).json()
  const as = (method: string, path: string, body?: object) =>
    call(method, `/agents/me${path}`, body, { authorization: `Bearer ${accessToken}` })
  await as('GET', '')
  await as('GET', '/internal-accounts?limit=2')
  await as('GET', '/external-accounts?limit=2')
  const added = await as('POST', '/external-accounts', payees.mexican)
  await as('GET', `/external-accounts/${added.id}`)
  await as('DELETE', `/external-accounts/${added.id}`)
  const quote = await as('POST', '/quotes', quoteOf(usd, payee, 10_000))
  await as('GET', `/quotes/${quote.id}`)
  await as('POST', `/quotes/${quote.id}/execute`)
  await server.settle()
  const out = { source: { accountId: usd.id }, destination: { accountId: bank.id }, amount: 12_550 }
  await as('POST', '/transfer-out', out)
  await as('POST', '/transfer-in', { source: out.destination, destination: out.source, amount: 12_550 })
  await as('GET', '/transactions?limit=2')
  await as('GET', `/transactions/${quote.transactionId}`)

  await call('PATCH', `/agents/${agent.id}/policy`, { defaultExecutionMode: 'APPROVAL_REQUIRED' })
  const asked = await as('POST', '/transfer-out', out)
  const unwanted = await as('POST', '/transfer-out', out)
  await as('GET', '/actions?limit=2')
  await as('GET', `/actions/${asked.id}`)
  await call('GET', '/agents/approvals?limit=2')
  await call('POST', `/agents/${agent.id}/actions/${asked.id}/approve`)
  await call('POST', `/agents/${agent.id}/actions/${unwanted.id}/reject`, { reason: 'Nobody ordered this.' })
  const { agent: later } = await call('POST', '/agents', { ...bodyOf('createAgent'), customerId, policy })
  await call('POST', `/agents/${later.id}/device-codes`)
  await call('PATCH', `/agents/${later.id}`, { isPaused: true })
  await call('DELETE', `/agents/${later.id}`)
}
