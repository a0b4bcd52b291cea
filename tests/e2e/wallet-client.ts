import { createHash, randomBytes } from 'node:crypto'
import {
  createCustomer,
  internalAccountOf,
  type SoftwarePasskey,
  softwarePasskey,
  type TestServer,
} from '@corridor/testkit/index.ts'
import { p256 } from '@noble/curves/p256'
import { ApiKeyStamper } from '@turnkey/api-key-stamper'
import { encryptOtpCodeToBundle } from '@turnkey/crypto'
import { expect } from 'vitest'

/** A platform's backend and its user's device, built on the public packages that wallets are used with. */

export interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: tests say what they expect of it
  readonly body: any
  readonly headers: Headers
}
type Given = Record<string, string>

export interface KeyPair {
  readonly privateHex: string
  readonly compressed: string
  readonly uncompressed: string
}

export function keyPair(privateHex: string = randomBytes(32).toString('hex')): KeyPair {
  const hex = (isCompressed: boolean) =>
    Buffer.from(p256.getPublicKey(privateHex, isCompressed)).toString('hex')
  return { privateHex, compressed: hex(true), uncompressed: hex(false) }
}

export async function stamp({ compressed, privateHex }: KeyPair, payload: string): Promise<string> {
  const stamper = new ApiKeyStamper({
    apiPublicKey: compressed,
    apiPrivateKey: privateHex,
    runtimeOverride: 'node',
  })
  return (await stamper.stamp(payload)).stampHeaderValue
}

/** The challenge of a first leg, answered. */
export async function signed(challenge: Answer, key: KeyPair): Promise<Given> {
  expect(challenge.status, JSON.stringify(challenge.body)).toBe(202)
  const { requestId, payloadToSign } = challenge.body
  return { 'Request-Id': requestId, 'Service-Wallet-Signature': await stamp(key, payloadToSign) }
}

export const literal = 'sandbox-valid-signature'
export const origin = 'https://app.example.com'
export const rpId = 'example.com'

/** A token as an issuer would make it; the sandbox looks at everything but the signature. */
export function oidcToken(claims: Record<string, unknown>): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256', typ: 'JWT', kid: 'k' })}.${part(claims)}.c2ln`
}

export const nonceOf = (clientPublicKey: string) =>
  createHash('sha256').update(clientPublicKey, 'ascii').digest('hex')

type Platform = Awaited<ReturnType<TestServer['platform']>>
export type WalletClient = Awaited<ReturnType<typeof walletClient>>

export async function walletClient(
  server: TestServer,
  {
    platform: given,
    environment = 'SANDBOX',
    ...contacts
  }: {
    platform?: Platform
    environment?: 'SANDBOX' | 'PRODUCTION'
    email?: string | undefined
    phoneNumber?: string
  } = { email: 'jane@larch.example' },
) {
  const platform = given ?? (await server.platform({ environment }))
  const api = server.client(platform)
  const customer = await createCustomer(api, contacts as never)
  const wallet = await internalAccountOf(api, customer.id, 'USDB')
  const basic = Buffer.from(`${platform.clientId}:${platform.clientSecret}`).toString('base64')

  async function call(method: string, path: string, body?: unknown, headers: Given = {}): Promise<Answer> {
    const response = await server.fetch(`${server.baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Basic ${basic}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    return {
      status: response.status,
      body: text === '' ? undefined : JSON.parse(text),
      headers: response.headers,
    }
  }

  /** Both legs; `key` signs in between. */
  async function twice(key: KeyPair, method: string, path: string, body?: unknown): Promise<Answer> {
    const challenge = await call(method, path, body)
    return call(method, path, body, await signed(challenge, key))
  }

  async function credentials() {
    const { body } = await call('GET', `/auth/credentials?accountId=${wallet.id}`)
    return body.data as { id: string; type: string; nickname: string; credentialId?: string }[]
  }
  async function credentialOf(type: string): Promise<string> {
    const found = (await credentials()).find((each) => each.type === type)
    return found!.id
  }
  async function sessions() {
    const { body } = await call('GET', `/auth/sessions?accountId=${wallet.id}`)
    return body.data as { id: string; type: string }[]
  }

  const challenge = (id: string, body?: object) => call('POST', `/auth/credentials/${id}/challenge`, body)

  /** The text that carries a code and the session key to the server. */
  async function sealOtp(bundle: string, code: string, tek: KeyPair): Promise<string> {
    const { enclaveQuorumPublic } = JSON.parse(bundle)
    return encryptOtpCodeToBundle(code, bundle, tek.uncompressed, enclaveQuorumPublic)
  }

  function verifyOtp(id: string, type: string, encryptedOtpBundle: string, headers: Given = {}) {
    return call('POST', `/auth/credentials/${id}/verify`, { type, encryptedOtpBundle }, headers)
  }

  /** Signs in with a code from beginning to end. */
  async function otpSession(type: 'EMAIL_OTP' | 'SMS_OTP' = 'EMAIL_OTP', code = '000000') {
    const id = await credentialOf(type)
    const asked = await challenge(id)
    const key = keyPair()
    const sealed = await sealOtp(asked.body.otpEncryptionTargetBundle, code, key)
    const first = await verifyOtp(id, type, sealed)
    const opened = await verifyOtp(id, type, sealed, await signed(first, key))
    expect(opened.status, JSON.stringify(opened.body)).toBe(200)
    return { id: opened.body.id as string, key, answer: opened }
  }

  const passkeyBody = (passkey: SoftwarePasskey, challengeText: string, nickname = 'iPhone Face-ID') => ({
    type: 'PASSKEY',
    accountId: wallet.id,
    nickname,
    challenge: challengeText,
    attestation: {
      ...passkey.attest({ challenge: Buffer.from(challengeText, 'base64url'), origin, rpId }),
      transports: ['internal'],
    },
  })

  /** Registers a passkey with the signature of a session. */
  async function addPasskey(key: KeyPair, passkey: SoftwarePasskey = softwarePasskey()) {
    const added = await twice(
      key,
      'POST',
      '/auth/credentials',
      passkeyBody(passkey, randomBytes(32).toString('base64url')),
    )
    expect(added.status, JSON.stringify(added.body)).toBe(201)
    return { id: added.body.id as string, passkey }
  }

  /** Signs in with a passkey; the client key is the session key unless it is sent uncompressed. */
  async function passkeySession(
    { id, passkey }: { id: string; passkey: SoftwarePasskey },
    clientPublicKey: string,
  ): Promise<Answer> {
    const asked = await challenge(id, { clientPublicKey })
    expect(asked.status, JSON.stringify(asked.body)).toBe(200)
    const assertion = passkey.assert({ challenge: asked.body.challenge, origin, rpId })
    return call(
      'POST',
      `/auth/credentials/${id}/verify`,
      { type: 'PASSKEY', assertion },
      { 'Request-Id': asked.body.requestId },
    )
  }

  return {
    platform,
    api,
    customer,
    wallet,
    call,
    twice,
    credentials,
    credentialOf,
    sessions,
    challenge,
    sealOtp,
    verifyOtp,
    otpSession,
    passkeyBody,
    addPasskey,
    passkeySession,
  }
}

/** A refusal of the wallet area: its code and the reason, in both places (wallets 11). */
export function refused(status: number, code: string, reason?: string) {
  return {
    status,
    body: expect.objectContaining({
      status,
      code,
      ...(reason === undefined ? {} : { reason, details: expect.objectContaining({ reason }) }),
    }),
  }
}

export const noPending = refused(
  401,
  'UNAUTHORIZED',
  'Request-Id does not match an unexpired pending request',
)
