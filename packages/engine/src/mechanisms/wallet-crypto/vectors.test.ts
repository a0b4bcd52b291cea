import { createHash, createHmac, createPublicKey, verify } from 'node:crypto'
import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import { createBase58check } from '@scure/base'
import { CompactSign, compactVerify } from 'jose'
import { describe, expect, it } from 'vitest'
import { quorumKeyOf } from '../keys/quorum-keys.ts'
import { isStampOver, parseStamp, redeemChallenge, type SignedRequest } from '../signed-requests/index.ts'
import { openOtpAttempt, otpTargetBundle, parseOtpBundle, sealExport, sealSessionKey } from './bundles.ts'
import { openMessage, sealMessage } from './hpke.ts'
import { isNonceOf } from './oidc.ts'
import { type Passkey, verifyPasskeyAssertion, verifyPasskeyRegistration } from './passkeys.ts'
import { isCompressed, parsePoint, publicPointOf } from './points.ts'
import vectors from './vectors.json' with { type: 'json' }
import { verificationToken } from './verification-token.ts'

const { keys } = vectors
type Name = keyof typeof keys
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'))
const scalarOf = (name: Name) => hex(keys[name].d)
const pointOf = (name: Name) => parsePoint(keys[name].u)!
const quorum = quorumKeyOf(scalarOf('quorum'))
/** Everything that is random in these vectors is given. */
const world = {
  randomBytes(): never {
    throw new Error('nothing here is random')
  },
}

function verifies(publicHex: string, der: string, data: string | Uint8Array): boolean {
  const spki = Buffer.concat([
    Buffer.from('3059301306072a8648ce3d020106082a8648ce3d030107034200', 'hex'),
    Buffer.from(publicHex, 'hex'),
  ])
  const key = createPublicKey({ key: spki, format: 'der', type: 'spki' })
  return verify('sha256', Buffer.from(data), { key, dsaEncoding: 'der' }, Buffer.from(der, 'hex'))
}

describe('keys (T1)', () => {
  it.each(Object.keys(keys) as Name[])('%s derives from its scalar, and compresses', (name) => {
    const { d, c, u } = keys[name]
    expect(createHash('sha256').update(`vector/${name}`).digest('hex')).toBe(d)
    expect(publicPointOf(hex(d))).toEqual({ compressed: c, uncompressed: u })
    for (const form of [c, u, c.toUpperCase(), u.toUpperCase()]) {
      expect(parsePoint(form)).toEqual({ compressed: c, uncompressed: u })
    }
    expect([isCompressed(c), isCompressed(u)]).toEqual([true, false])
  })

  it('off the curve, or of another length, are none', () => {
    const { c, u } = keys.tek
    const others = [`02${'f'.repeat(64)}`, `04${'f'.repeat(128)}`, c.slice(2), `${c}00`, u.slice(0, -2), '']
    for (const text of [...others, `05${c.slice(2)}`, `06${u.slice(2)}`]) {
      expect(parsePoint(text)).toBeUndefined()
    }
  })
})

describe('the target bundle of a one-time password (T2)', () => {
  it('is reproduced, and signed over the bytes and not over their hex', () => {
    expect(otpTargetBundle(pointOf('otp-target'), quorum)).toBe(vectors.otpTargetBundle)
    const { data, dataSignature, enclaveQuorumPublic } = JSON.parse(vectors.otpTargetBundle)
    expect(Buffer.from(data, 'hex').toString()).toBe(JSON.stringify({ targetPublic: keys['otp-target'].u }))
    expect(enclaveQuorumPublic).toBe(keys.quorum.u)
    expect(verifies(keys.quorum.u, dataSignature, Buffer.from(data, 'hex'))).toBe(true)
    expect(verifies(keys.quorum.u, dataSignature, data)).toBe(false)
  })
})

describe('HPKE (T3, T4)', () => {
  const { otp } = vectors
  const target = scalarOf('otp-target')
  const message = () => parseOtpBundle(otp.encryptedOtpBundle)!

  it('opens an attempt, and seals the same one', async () => {
    const plaintext = await openMessage(target, message())
    expect(Buffer.from(plaintext!).toString()).toBe(otp.plaintext)
    expect(await openOtpAttempt(target, message())).toEqual({ code: '000000', publicKey: pointOf('tek') })
    const recipient = hex(keys['otp-target'].u)
    const ephemeral = scalarOf('otp-ephemeral')
    const { enc, ciphertext } = await sealMessage(world, recipient, Buffer.from(otp.plaintext), ephemeral)
    const encappedPublic = Buffer.from(enc).toString('hex')
    const sealed = { encappedPublic, ciphertext: Buffer.from(ciphertext).toString('hex') }
    expect(JSON.stringify(sealed)).toBe(otp.encryptedOtpBundle)
  })

  it('has the key schedule of the protocol', () => {
    const made = keySchedule(target, hex(keys['otp-ephemeral'].u), hex(keys['otp-target'].u))
    expect(made.context).toBe(
      '008fc3aeb832490a4b5ab3e42023287db29a1f4bc7c222c0df228727b70a4021122f3f04e9206cd12413503529b47ac6a630b92ec4cf7d234508d0af9771c99e50',
    )
    expect(made).toMatchObject({
      sharedSecret: otp.sharedSecret,
      aesKey: otp.aesKey,
      nonce: otp.nonce,
    })
    const session = keySchedule(scalarOf('client'), hex(keys['session-ephemeral'].u), hex(keys.client.u))
    const { aesKey, nonce } = vectors.sessionKey
    expect(session).toMatchObject({ aesKey, nonce })
  })

  it('needs aad, uncompressed points in it, and the info of the protocol', async () => {
    const { webcrypto } = await import('node:crypto')
    const { enc, ciphertext } = message()
    const recipient = hex(keys['otp-target'].u)
    const compressed = hex(keys['otp-ephemeral'].c)
    async function opens(aad: Uint8Array, info?: string): Promise<boolean> {
      const { aesKey, nonce } = keySchedule(target, enc, recipient, info)
      const key = await webcrypto.subtle.importKey('raw', hex(aesKey), 'AES-GCM', false, ['decrypt'])
      const algorithm = { name: 'AES-GCM', iv: hex(nonce), additionalData: Uint8Array.from(aad) }
      return webcrypto.subtle.decrypt(algorithm, key, Uint8Array.from(ciphertext)).then(
        () => true,
        () => false,
      )
    }
    expect(await opens(Buffer.concat([enc, recipient]))).toBe(true)
    expect(await opens(new Uint8Array())).toBe(false)
    expect(await opens(Buffer.concat([compressed, recipient]))).toBe(false)
    expect(await opens(Buffer.concat([enc, recipient]), '')).toBe(false)
  })

  it('refuses a message of which any byte is another', async () => {
    const { enc, ciphertext } = message()
    for (let at = 0; at < ciphertext.length; at++) {
      const flipped = Uint8Array.from(ciphertext)
      flipped[at]! ^= 1
      expect(await openMessage(target, { enc, ciphertext: flipped }), `byte ${at}`).toBeUndefined()
    }
    for (let at = 0; at < enc.length; at++) {
      const flipped = Uint8Array.from(enc)
      flipped[at]! ^= 1
      expect(await openMessage(target, { enc: flipped, ciphertext }), `enc ${at}`).toBeUndefined()
    }
    expect(await openMessage(scalarOf('other'), message())).toBeUndefined()
  })

  it('takes either form of the session key, and no plaintext of another shape', async () => {
    const attempt = async (plaintext: string) => {
      const recipient = hex(keys['otp-target'].u)
      const ephemeral = scalarOf('otp-ephemeral')
      const sealed = await sealMessage(world, recipient, Buffer.from(plaintext), ephemeral)
      return openOtpAttempt(target, sealed)
    }
    for (const key of [keys.tek.u, keys.tek.c, keys.tek.u.toUpperCase(), keys.tek.c.toUpperCase()]) {
      const opened = await attempt(JSON.stringify({ otp_code: '000000', public_key: key }))
      expect(opened?.publicKey.compressed).toBe(keys.tek.c)
    }
    for (const plaintext of [
      '',
      '[]',
      'null',
      '{"otp_code":"000000"}',
      `{"otp_code":0,"public_key":"${keys.tek.c}"}`,
      `{"otpCode":"000000","publicKey":"${keys.tek.c}"}`,
      `{"otp_code":"000000","public_key":"02${'f'.repeat(64)}"}`,
    ]) {
      expect(await attempt(plaintext)).toBeUndefined()
    }
  })

  it.each([
    ['not JSON', 'nonsense'],
    ['JSON of a text', JSON.stringify(otp.encryptedOtpBundle)],
    ['a list', '[]'],
    ['without a ciphertext', JSON.stringify({ encappedPublic: keys.tek.u })],
    ['a compressed point', JSON.stringify({ encappedPublic: keys.tek.c, ciphertext: '00'.repeat(17) })],
    [
      'a point off the curve',
      JSON.stringify({ encappedPublic: `04${'1'.repeat(128)}`, ciphertext: '00'.repeat(17) }),
    ],
    ['a tag alone', JSON.stringify({ encappedPublic: keys.tek.u, ciphertext: '00'.repeat(16) })],
    ['half a byte', JSON.stringify({ encappedPublic: keys.tek.u, ciphertext: `${'00'.repeat(17)}0` })],
    ['no hex', JSON.stringify({ encappedPublic: keys.tek.u, ciphertext: 'zz'.repeat(17) })],
    ['far too long', JSON.stringify({ encappedPublic: keys.tek.u, ciphertext: '00'.repeat(10_000) })],
  ])('refuses a bundle that is %s', (_what, text) => {
    expect(parseOtpBundle(text)).toBeUndefined()
  })
})

describe('stamps (T5 to T8)', () => {
  const { stamp } = vectors
  const withSignature = (signature: string, publicKey = keys.session.c, scheme?: string) =>
    Buffer.from(
      JSON.stringify({ publicKey, scheme: scheme ?? 'SIGNATURE_SCHEME_TK_API_P256', signature }),
    ).toString('base64url')

  it('verify over their payload, with a low or a high S, and over nothing else', () => {
    expect(createHash('sha256').update(stamp.payload).digest('hex')).toBe(stamp.sha256)
    expect(stamp.header).not.toMatch(/[=+/]/)
    for (const header of [stamp.header, withSignature(stamp.derHexHighS)]) {
      const parsed = parseStamp(header)!
      expect(parsed.publicKey).toBe(keys.session.c)
      expect(isStampOver(parsed, stamp.payload)).toBe(true)
      expect(isStampOver(parsed, `${stamp.payload} `)).toBe(false)
    }
    const compressedLater = parseStamp(withSignature(stamp.derHex, keys.session.u))
    expect(compressedLater?.publicKey).toBe(keys.session.c)
  })

  it('are made alike by a deterministic signer', () => {
    const made = p256.sign(sha256(Buffer.from(stamp.payload)), scalarOf('session'), { lowS: false })
    expect(made.toDERHex()).toBe(stamp.derHex)
    expect(withSignature(stamp.derHex)).toBe(stamp.header)
  })

  const request: SignedRequest = {
    id: 'Request:1',
    version: 1n,
    operation: 'o',
    resourceId: 'r',
    body: {},
    payloadToSign: stamp.payload,
    details: {},
    status: 'PENDING',
    failures: 0,
    expiresAt: 1,
  }
  function refusalOf(signature: string): string | undefined {
    const scope = { platformId: 'p', environment: 'PRODUCTION', now: 0 } as never
    const action = { operation: 'o', resourceId: 'r', body: {} }
    const redeemed = redeemChallenge(scope, action, {
      retry: { requestId: request.id, signature },
      request,
      signers: { publicKeys: [keys.session.c], literal: undefined },
    })
    return redeemed.ok ? undefined : redeemed.failure.refusal?.code
  }

  const raw = p256.Signature.fromDER(stamp.derHex).toCompactHex()
  it.each([
    ['no base64', 'not a stamp!'],
    ['an empty object', Buffer.from('{}').toString('base64url')],
    ['another scheme', withSignature(stamp.derHex, keys.session.c, 'SIGNATURE_SCHEME_TK_API_SECP256K1')],
    ['r and s without DER', withSignature(raw)],
    ['a byte after the DER', withSignature(`${stamp.derHex}00`)],
    ['a key off the curve', withSignature(stamp.derHex, `02${'f'.repeat(64)}`)],
  ])('are malformed when they are %s', (_what, header) => {
    expect(refusalOf(header)).toBe('WALLET_SIGNATURE_MALFORMED')
  })

  it('by another key are invalid', () => {
    expect(refusalOf(stamp.header)).toBeUndefined()
    const made = p256.sign(sha256(Buffer.from(stamp.payload)), scalarOf('other')).toDERHex()
    expect(refusalOf(withSignature(made, keys.other.c))).toBe('WALLET_SIGNATURE_INVALID')
    expect(refusalOf(withSignature(made))).toBe('WALLET_SIGNATURE_INVALID')
  })

  it('of which any byte of the signature is another are refused', () => {
    for (const der of [stamp.derHex, stamp.derHexHighS]) {
      for (let at = 0; at < der.length / 2; at++) {
        for (const bit of [0x01, 0x80]) {
          const bytes = Buffer.from(der, 'hex')
          bytes[at]! ^= bit
          expect(refusalOf(withSignature(bytes.toString('hex'))), `byte ${at}`).toMatch(
            /^WALLET_SIGNATURE_(INVALID|MALFORMED)$/,
          )
        }
      }
    }
  })

  it('over a payload of which any byte is another are invalid', () => {
    const parsed = parseStamp(stamp.header)!
    for (let at = 0; at < stamp.payload.length; at++) {
      const bytes = Buffer.from(stamp.payload)
      bytes[at]! ^= 1
      expect(isStampOver(parsed, bytes.toString()), `byte ${at}`).toBe(false)
    }
  })
})

describe('the verification token (T9)', () => {
  const { claims, token, tekStampHeader } = vectors.verificationToken

  it('is an ES256 JWS of the quorum key, stamped as it stands', async () => {
    const made = verificationToken(
      {
        id: 'otp_vector',
        type: 'EMAIL_OTP',
        contact: 'jane@example.com',
        organizationId: 'org_vector',
        publicKey: keys.tek.c,
        issuedAt: 1775681700000,
        expiresAt: 4102444800000,
      },
      quorum,
    )
    expect(made).toBe(token)
    const [x, y] = [keys.quorum.u.slice(2, 66), keys.quorum.u.slice(66)].map((part) =>
      Buffer.from(part, 'hex').toString('base64url'),
    )
    const jwk = { kty: 'EC', crv: 'P-256', x: x!, y: y! }
    const { payload, protectedHeader } = await compactVerify(token, jwk)
    expect(protectedHeader).toEqual({ alg: 'ES256', kid: 'otp-1', typ: 'JWT' })
    expect(Buffer.from(payload).toString()).toBe(claims)
    const d = Buffer.from(keys.quorum.d, 'hex').toString('base64url')
    const theirs = await new CompactSign(Buffer.from(claims))
      .setProtectedHeader({ alg: 'ES256', kid: 'otp-1', typ: 'JWT' })
      .sign({ ...jwk, d })
    expect(theirs.split('.').slice(0, 2)).toEqual(made.split('.').slice(0, 2))
    const stamp = parseStamp(tekStampHeader)!
    expect(stamp.publicKey).toBe(keys.tek.c)
    expect(isStampOver(stamp, token)).toBe(true)
  })
})

describe('a sealed session key (T10)', () => {
  const { base58check: text, ciphertextAndTag, checksum } = vectors.sessionKey
  const base58check = createBase58check(sha256)

  it('is base58check of the compressed key and the ciphertext', async () => {
    const bytes = base58check.decode(text)
    expect(bytes).toHaveLength(81)
    expect(Buffer.from(bytes.subarray(0, 33)).toString('hex')).toBe(keys['session-ephemeral'].c)
    const message = { enc: hex(keys['session-ephemeral'].u), ciphertext: bytes.subarray(33) }
    expect(Buffer.from((await openMessage(scalarOf('client'), message))!).toString('hex')).toBe(
      keys.session.d,
    )
    expect(base58check.encode(hex(keys['session-ephemeral'].c + ciphertextAndTag))).toBe(text)
    const digest = createHash('sha256').update(createHash('sha256').update(bytes).digest()).digest()
    expect(digest.subarray(0, 4).toString('hex')).toBe(checksum)
    const made = await sealSessionKey(
      world,
      pointOf('client'),
      scalarOf('session'),
      scalarOf('session-ephemeral'),
    )
    expect(made).toBe(text)
  })
})

describe('an export (T11)', () => {
  const { mnemonic, organizationId, ciphertextAndTag, dataBytesSha256, dataSignature } = vectors.export

  it('is reproduced, with and without its signature', async () => {
    const ephemeral = scalarOf('export-ephemeral')
    const wallet = { organizationId, mnemonic }
    const signed = JSON.parse(
      await sealExport(world, wallet, pointOf('export'), { signer: quorum, ephemeral }),
    )
    const bytes = Buffer.from(signed.data, 'hex')
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(dataBytesSha256)
    expect(bytes.toString()).toBe(
      JSON.stringify({
        encappedPublic: keys['export-ephemeral'].u,
        ciphertext: ciphertextAndTag,
        organizationId,
      }),
    )
    expect(signed).toMatchObject({ dataSignature, enclaveQuorumPublic: keys.quorum.u })
    expect(verifies(keys.quorum.u, dataSignature, bytes)).toBe(true)
    const opened = await openMessage(scalarOf('export'), {
      enc: hex(keys['export-ephemeral'].u),
      ciphertext: hex(ciphertextAndTag),
    })
    expect(Buffer.from(opened!).toString()).toBe(mnemonic)
    const unsigned = JSON.parse(
      await sealExport(world, wallet, pointOf('export'), { signer: undefined, ephemeral }),
    )
    expect(unsigned).toEqual({ ...signed, dataSignature: '', enclaveQuorumPublic: '' })
  })
})

describe('passkeys (T12)', () => {
  const { passkey } = vectors
  const attestation = {
    credentialId: passkey.credentialId,
    clientDataJson: passkey.registrationClientDataJson,
    attestationObject: passkey.attestationObject,
  }
  const register = (given: object = {}, challenge = passkey.registrationChallenge) =>
    verifyPasskeyRegistration({ ...attestation, ...given }, { challenge, allowsLocalOrigins: false })
  const assertion = {
    credentialId: passkey.credentialId,
    clientDataJson: passkey.assertionClientDataJson,
    authenticatorData: passkey.authenticatorData,
    signature: passkey.signature,
  }
  const stored: Passkey = {
    credentialId: passkey.credentialId,
    publicKey: Buffer.from(passkey.coseKey, 'hex').toString('base64url'),
    counter: 0,
    rpId: passkey.rpId,
    rpIdHash: passkey.rpIdHash,
    origin: passkey.origin,
    transports: [],
  }
  const check = (given: object = {}, of: Partial<Passkey> = {}, challenge = passkey.challenge) =>
    verifyPasskeyAssertion({ ...stored, ...of }, { ...assertion, ...given }, challenge)

  it('have two challenges of different form', () => {
    expect(createHash('sha256').update(passkey.sessionBody).digest('hex')).toBe(passkey.challenge)
    expect(Buffer.from(passkey.challenge).toString('base64url')).toBe(passkey.clientDataChallenge)
    expect(createHash('sha256').update(passkey.rpId).digest('hex')).toBe(passkey.rpIdHash)
  })

  const padded = (text: string) => `${text.replaceAll('-', '+').replaceAll('_', '/')}=`

  it('sign in, whatever alphabet the client used', async () => {
    const parts = Object.entries(assertion).map(([name, text]) => [name, padded(text)])
    expect(parts.map(([, text]) => text).join('')).toMatch(/\+.*=/)
    expect(await check(Object.fromEntries(parts))).toEqual({ ok: true, value: 1 })
  })

  it('are registered for the RP id that they hashed, whatever alphabet the client used', async () => {
    expect(await register()).toEqual(stored)
    expect(
      await register(
        {
          credentialId: padded(passkey.credentialId),
          attestationObject: padded(passkey.attestationObject),
          clientDataJson: padded(passkey.registrationClientDataJson),
        },
        `${passkey.registrationChallenge}=`,
      ),
    ).toEqual(stored)
  })

  it('are not registered for another challenge, id or object', async () => {
    expect(await register({}, 'AAAA')).toBeUndefined()
    expect(await register({ credentialId: 'AAAA' })).toBeUndefined()
    for (const text of ['', 'AAAA', '!!', passkey.attestationObject.slice(0, -8), 'gYGBgYGB'.repeat(1500)]) {
      expect(await register({ attestationObject: text })).toBeUndefined()
      expect(await register({ clientDataJson: text })).toBeUndefined()
    }
    const from = (origin: string) =>
      Buffer.from(
        JSON.stringify({ type: 'webauthn.create', challenge: passkey.registrationChallenge, origin }),
      ).toString('base64url')
    for (const origin of ['http://app.example.com', 'https://example.org', 'https://com', 'null', '']) {
      expect(await register({ clientDataJson: from(origin) }), origin).toBeUndefined()
    }
    expect(await register({ clientDataJson: from('https://other.app.example.com') })).toMatchObject({
      rpId: 'example.com',
    })
    expect(await register({ clientDataJson: from('android:apk-key-hash:abc_-9') })).toMatchObject({
      rpId: null,
      rpIdHash: passkey.rpIdHash,
    })
  })

  it('sign in once: the counter has to rise', async () => {
    expect(await check()).toEqual({ ok: true, value: 1 })
    expect(await check({}, { counter: 1 })).toEqual({
      ok: false,
      failure: 'Passkey signature counter did not increase',
    })
  })

  const otherOrigin = Buffer.from(
    JSON.stringify({
      type: 'webauthn.get',
      challenge: passkey.clientDataChallenge,
      origin: 'https://evil.com',
    }),
  ).toString('base64url')
  const withByte = (text: string, at: number, value: number) => {
    const bytes = Buffer.from(text, 'base64url')
    bytes[at] = value
    return bytes.toString('base64url')
  }
  const framed = Buffer.from(
    JSON.stringify({
      type: 'webauthn.get',
      challenge: passkey.clientDataChallenge,
      origin: passkey.origin,
      topOrigin: 'https://evil.com',
    }),
  ).toString('base64url')
  it.each<[string, object, Partial<Passkey>, string?]>([
    ['Passkey origin mismatch', { clientDataJson: framed }, {}],
    ['Passkey credential mismatch', { credentialId: 'AAAA' }, {}],
    ['Passkey challenge mismatch', {}, {}, '0'.repeat(64)],
    ['Passkey challenge mismatch', { clientDataJson: passkey.registrationClientDataJson }, {}],
    ['Passkey challenge mismatch', { clientDataJson: 'nonsense' }, {}],
    ['Passkey origin mismatch', { clientDataJson: otherOrigin }, {}],
    ['Passkey RP ID mismatch', { authenticatorData: withByte(passkey.authenticatorData, 0, 0) }, {}],
    ['Passkey RP ID mismatch', { authenticatorData: 'AAAA' }, {}],
    ['User presence required', { authenticatorData: withByte(passkey.authenticatorData, 32, 4) }, {}],
    ['Invalid passkey signature', { signature: withByte(passkey.signature, 12, 0) }, {}],
    ['Invalid passkey signature', { signature: 'sandbox-valid-passkey-signature' }, {}],
    ['Invalid passkey signature', { signature: '' }, {}],
    ['Invalid passkey signature', { authenticatorData: withByte(passkey.authenticatorData, 36, 9) }, {}],
  ])('are refused with the reason %s', async (reason, given, of, challenge) => {
    expect(await check(given, of, challenge)).toEqual({ ok: false, failure: reason })
  })
})

describe('the nonce of an OpenID token (T13)', () => {
  const { forUncompressed, forCompressed, wrong_upperCaseKeyText, wrong_overDecodedBytes } =
    vectors.oauthNonce
  const claims = { iss: 'i', aud: 'a', sub: 's', iat: 0, exp: 1 }

  it('hashes the key as it was sent, case included', () => {
    expect(isNonceOf({ ...claims, nonce: forCompressed }, keys.client.c)).toBe(true)
    expect(isNonceOf({ ...claims, nonce: forCompressed.toUpperCase() }, keys.client.c)).toBe(true)
    expect(isNonceOf({ ...claims, nonce: forUncompressed }, keys.client.u)).toBe(true)
    expect(isNonceOf({ ...claims, nonce: wrong_upperCaseKeyText }, keys.client.c.toUpperCase())).toBe(true)
    for (const nonce of [wrong_upperCaseKeyText, wrong_overDecodedBytes, forUncompressed, '']) {
      expect(isNonceOf({ ...claims, nonce }, keys.client.c)).toBe(false)
    }
    expect(isNonceOf(claims, keys.client.c)).toBe(false)
  })
})

/** RFC 9180 by hand, from node:crypto alone: a third opinion beside the library's and the vectors'. */
function keySchedule(recipient: Uint8Array, enc: Uint8Array, own: Uint8Array, info = 'turnkey_hpke') {
  const kem = Buffer.from('4b454d0010', 'hex')
  const hpke = Buffer.from('48504b45001000010002', 'hex')
  const extract = (salt: Uint8Array, suite: Uint8Array, label: string, ikm: Uint8Array) =>
    createHmac('sha256', salt)
      .update(Buffer.concat([Buffer.from('HPKE-v1'), suite, Buffer.from(label), ikm]))
      .digest()
  const expand = (prk: Uint8Array, suite: Uint8Array, label: string, what: Uint8Array, bytes: number) => {
    const head = Buffer.from([0, bytes])
    const labeled = Buffer.concat([head, Buffer.from('HPKE-v1'), suite, Buffer.from(label), what])
    let block = Buffer.alloc(0)
    let all = Buffer.alloc(0)
    for (let index = 1; all.length < bytes; index++) {
      block = createHmac('sha256', prk)
        .update(Buffer.concat([block, labeled, Buffer.from([index])]))
        .digest()
      all = Buffer.concat([all, block])
    }
    return all.subarray(0, bytes)
  }
  const none = new Uint8Array()
  const dh = p256.getSharedSecret(recipient, enc, false).subarray(1, 33)
  const eae = extract(none, kem, 'eae_prk', dh)
  const sharedSecret = expand(eae, kem, 'shared_secret', Buffer.concat([enc, own]), 32)
  const context = Buffer.concat([
    Buffer.from([0]),
    extract(none, hpke, 'psk_id_hash', none),
    extract(none, hpke, 'info_hash', Buffer.from(info)),
  ])
  const secret = extract(sharedSecret, hpke, 'secret', none)
  return {
    context: context.toString('hex'),
    sharedSecret: sharedSecret.toString('hex'),
    aesKey: expand(secret, hpke, 'key', context, 32).toString('hex'),
    nonce: expand(secret, hpke, 'base_nonce', context, 12).toString('hex'),
  }
}
