import { randomBytes } from 'node:crypto'
import { ApiKeyStamper, type Runtime } from '@turnkey/api-key-stamper'
import {
  decryptCredentialBundle,
  decryptExportBundle,
  encryptOtpCodeToBundle,
  formatHpkeBuf,
  hpkeDecrypt,
  hpkeEncrypt,
  verifyOtpVerificationToken,
} from '@turnkey/crypto'
import { describe, expect, it } from 'vitest'
import { quorumKeyOf } from '../keys/quorum-keys.ts'
import { isStampOver, parseStamp } from '../signed-requests/index.ts'
import { openOtpAttempt, otpTargetBundle, parseOtpBundle, sealExport, sealSessionKey } from './bundles.ts'
import { newScalar, parsePoint, publicPointOf } from './points.ts'
import { verificationToken } from './verification-token.ts'

/** Clients built on the public packages, both directions, with random keys (T14). */
const world = { randomBytes: (bytes: number) => randomBytes(bytes) }
const quorum = quorumKeyOf(newScalar(world))
const rounds = Array.from({ length: 8 }, (_, index) => index)
const hexOf = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex')

function pair() {
  const scalar = newScalar(world)
  return { scalar, privateHex: hexOf(scalar), ...publicPointOf(scalar) }
}

describe('the public packages', () => {
  it.each(rounds)('seal a code to our bundle, with the key in either form (%s)', async () => {
    const target = pair()
    const bundle = otpTargetBundle(target, quorum)
    const tek = pair()
    for (const key of [tek.compressed, tek.uncompressed]) {
      const sealed = await encryptOtpCodeToBundle('012345', bundle, key, quorum.publicKey)
      const opened = await openOtpAttempt(target.scalar, parseOtpBundle(sealed)!)
      expect(opened).toEqual({ code: '012345', publicKey: parsePoint(tek.compressed) })
    }
    await expect(
      encryptOtpCodeToBundle('012345', bundle, tek.compressed, pair().uncompressed),
    ).rejects.toThrow()
  })

  it('seal a code without checking our signature', async () => {
    const target = pair()
    const tek = pair()
    const { data } = JSON.parse(otpTargetBundle(target, quorum)) as { data: string }
    const { targetPublic } = JSON.parse(Buffer.from(data, 'hex').toString()) as { targetPublic: string }
    const attempt = JSON.stringify({ otp_code: '000000', public_key: tek.uncompressed })
    const sealed = formatHpkeBuf(
      hpkeEncrypt({ plainTextBuf: Buffer.from(attempt), targetKeyBuf: Buffer.from(targetPublic, 'hex') }),
    )
    expect(await openOtpAttempt(target.scalar, parseOtpBundle(sealed)!)).toMatchObject({ code: '000000' })
  })

  it.each(rounds)('open a session key that we seal (%s)', async () => {
    const client = pair()
    const session = pair()
    const sealed = await sealSessionKey(world, client, session.scalar)
    expect(decryptCredentialBundle(sealed, client.privateHex)).toBe(session.privateHex)
    expect(() => decryptCredentialBundle(sealed, pair().privateHex)).toThrow()
  })

  it('open a session key that starts with a zero', async () => {
    const client = pair()
    const short = new Uint8Array(32)
    short.set(randomBytes(30), 2)
    const sealed = await sealSessionKey(world, client, short)
    expect(decryptCredentialBundle(sealed, client.privateHex)).toBe(hexOf(short))
  })

  it.each(rounds)('open an export, checking our signature (%s)', async () => {
    const client = pair()
    const wallet = { organizationId: 'org_1', mnemonic: 'legal winner thank year wave sausage' }
    const exportBundle = await sealExport(world, wallet, client, { signer: quorum })
    const options = {
      exportBundle,
      embeddedKey: client.privateHex,
      dangerouslyOverrideSignerPublicKey: quorum.publicKey,
      returnMnemonic: true,
    }
    expect(await decryptExportBundle({ ...options, organizationId: 'org_1' })).toBe(wallet.mnemonic)
    await expect(decryptExportBundle({ ...options, organizationId: 'org_2' })).rejects.toThrow()
  })

  it('open an unsigned export by hand', async () => {
    const client = pair()
    const wallet = { organizationId: 'org_1', mnemonic: 'legal winner thank year wave sausage' }
    const envelope = JSON.parse(await sealExport(world, wallet, client, { signer: undefined }))
    const data = JSON.parse(Buffer.from(envelope.data, 'hex').toString())
    const opened = hpkeDecrypt({
      ciphertextBuf: Buffer.from(data.ciphertext, 'hex'),
      encappedKeyBuf: Buffer.from(data.encappedPublic, 'hex'),
      receiverPriv: client.privateHex,
    })
    expect(Buffer.from(opened).toString()).toBe(wallet.mnemonic)
  })

  it.each<Runtime>(['node', 'purejs'])('make stamps that we read (%s)', async (runtimeOverride) => {
    for (const _ of rounds) {
      const { compressed, privateHex } = pair()
      const stamper = new ApiKeyStamper({
        apiPublicKey: compressed,
        apiPrivateKey: privateHex,
        runtimeOverride,
      })
      const payload = `{"payload":"${randomBytes(9).toString('base64')} ü"}`
      const stamp = parseStamp((await stamper.stamp(payload)).stampHeaderValue)!
      expect(stamp.publicKey).toBe(compressed)
      expect(isStampOver(stamp, payload)).toBe(true)
      expect(isStampOver(stamp, `${payload} `)).toBe(false)
    }
  })

  it('check what an OTP proved', async () => {
    const token = verificationToken(
      {
        id: 'otp_1',
        type: 'SMS_OTP',
        contact: '+14155550188',
        organizationId: 'org_1',
        publicKey: pair().compressed,
        issuedAt: Date.now(),
        expiresAt: Date.now() + 300_000,
      },
      quorum,
    )
    expect(await verifyOtpVerificationToken(token, quorum.publicKey)).toMatchObject({
      contact: '+14155550188',
    })
    await expect(verifyOtpVerificationToken(token, pair().uncompressed)).rejects.toThrow()
  })
})
