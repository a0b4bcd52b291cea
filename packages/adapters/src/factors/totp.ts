import type { TotpCodes } from '@corridor/engine/ports/factors.ts'
import { Secret, TOTP } from 'otpauth'

const digits = 6
const periodSeconds = 30
/** One step earlier and later: clocks of phones are off by less. */
const window = 1

/** RFC 6238 with what every authenticator app understands: SHA-1, six digits, 30 seconds. */
export const totpCodes: TotpCodes = {
  uri: (secret, { issuer, account }) =>
    new TOTP({ ...parametersOf(secret), issuer, label: account }).toString(),
  match({ secret, code, now, lastStep }) {
    if (!/^\d{6}$/.test(code)) return undefined
    const delta = new TOTP(parametersOf(secret)).validate({ token: code, timestamp: now, window })
    if (delta === null) return undefined
    const step = Math.floor(now / (periodSeconds * 1000)) + delta
    return step > lastStep ? step : undefined
  },
}

function parametersOf(secret: Uint8Array) {
  const { buffer, byteOffset, byteLength } = secret
  const bytes = buffer.slice(byteOffset, byteOffset + byteLength) as ArrayBuffer
  return {
    secret: new Secret({ buffer: bytes }),
    algorithm: 'SHA1',
    digits,
    period: periodSeconds,
    // The issuer stands in a parameter of its own; in the label too it would show twice.
    issuerInLabel: false,
  }
}
