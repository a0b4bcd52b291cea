import { verifyAuthenticationResponse, verifyRegistrationResponse } from '@simplewebauthn/server'
import { describe, expect, it } from 'vitest'
import { softwarePasskey } from './software-passkey.ts'

const rpId = 'example.com'
const origin = 'https://app.example.com'

describe('a software passkey', () => {
  // The key and every expected text are published vectors.
  const passkey = softwarePasskey({
    privateKey: Buffer.from('fd6b10e09152abd01addc985bce9a94b152dd4873b60808a15199694a6a013c9', 'hex'),
    credentialId: Buffer.from('eiO8ewIgjknQXdYwrNi0cQB-3H5WQCoN5wZ4n430nzk', 'base64url'),
  })
  const challenge = 'Q6jmN5fudRepTiOuy4p0zcjJBNvVvfLCXWhmE2GvWJ4'
  const attested = passkey.attest({ challenge: Buffer.from(challenge, 'base64url'), origin, rpId })

  it('attests as the published vector does', () => {
    expect(attested).toEqual({
      credentialId: 'eiO8ewIgjknQXdYwrNi0cQB-3H5WQCoN5wZ4n430nzk',
      clientDataJson:
        'eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiUTZqbU41ZnVkUmVwVGlPdXk0cDB6Y2pKQk52VnZmTENYV2htRTJHdldKNCIsIm9yaWdpbiI6Imh0dHBzOi8vYXBwLmV4YW1wbGUuY29tIiwiY3Jvc3NPcmlnaW4iOmZhbHNlfQ',
      attestationObject:
        'o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik' +
        'o3mm9u6vuaVeN4wRgDTidR5oL6ufLTCrE9ISVYbOGUdFAAAAAAAAAAAAAAAAAAAAAAAAAAAAIHojvHsCII5J0F3WMKzYtHEAftx-VkAqDecGeJ-N9J85' +
        'pQECAyYgASFYIJcMO3SHc7ooUd_MIfzi5zUohUS_jS9EbQlUCkIfdVRkIlggNIseAJ47iwwLkSLwu0r3EFjatPW2iZ6HFU0TktoLa4c',
    })
  })

  it('registers and signs for whoever checks by the standard, and for nobody else', async () => {
    const registered = await verifyRegistrationResponse({
      response: passkey.register({ challenge, rp: { id: rpId } }, origin) as never,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
    })
    expect(registered.verified).toBe(true)
    const credential = registered.registrationInfo!.credential
    expect(credential.id).toBe(passkey.credentialId)
    expect(Buffer.from(credential.publicKey)).toEqual(passkey.publicKey)

    const check = (response: object) =>
      verifyAuthenticationResponse({
        response: response as never,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        credential,
      })
    const signed = passkey.authenticate({ challenge, rpId }, origin)
    await expect(check(signed)).resolves.toMatchObject({
      verified: true,
      authenticationInfo: { newCounter: passkey.signatures },
    })
    const forged = softwarePasskey({ seed: 'forger' }).authenticate({ challenge, rpId }, origin)
    await expect(check({ ...forged, id: signed.id, rawId: signed.id })).resolves.toMatchObject({
      verified: false,
    })
    await expect(
      check(passkey.authenticate({ challenge, rpId }, origin, { userPresent: false })),
    ).rejects.toThrow()
  })

  it('is the same one again for the same seed', () => {
    expect(softwarePasskey({ seed: 'a' }).credentialId).toBe(softwarePasskey({ seed: 'a' }).credentialId)
    expect(softwarePasskey({ seed: 'a' }).credentialId).not.toBe(softwarePasskey({ seed: 'b' }).credentialId)
  })
})
