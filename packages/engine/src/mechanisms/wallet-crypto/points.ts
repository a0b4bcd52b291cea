import type { World } from '@corridor/kernel'
import { p256 } from '@noble/curves/p256'

/** A public key of P-256 in both its forms, lower-case hex (wallets 1). */
export interface PublicPoint {
  /** SEC1 compressed, 66 characters: the form in which keys are kept and compared. */
  readonly compressed: string
  /** SEC1 uncompressed, 130 characters. */
  readonly uncompressed: string
}

/** A private scalar, 32 bytes, big-endian, padded on the left. */
export type Scalar = Uint8Array

export const compressedForm = /^0[23][0-9a-fA-F]{64}$/
export const uncompressedForm = /^04[0-9a-fA-F]{128}$/

/** Reads a public key in either form; undefined for other texts and for points off the curve. */
export function parsePoint(hex: string): PublicPoint | undefined {
  if (!compressedForm.test(hex) && !uncompressedForm.test(hex)) return undefined
  try {
    const point = p256.ProjectivePoint.fromHex(hex)
    point.assertValidity()
    return { compressed: point.toHex(true), uncompressed: point.toHex(false) }
  } catch {
    return undefined
  }
}

/** Which form a client sends selects the flow: compressed keeps the session key with the client (wallets 1). */
export function isCompressed(clientPublicKey: string): boolean {
  return compressedForm.test(clientPublicKey)
}

/** A new private key. A handful of the 2^256 texts of 32 bytes are none, so those are drawn again. */
export function newScalar(world: Pick<World, 'randomBytes'>): Scalar {
  for (;;) {
    const scalar = Uint8Array.from(world.randomBytes(32))
    if (p256.utils.isValidPrivateKey(scalar)) return scalar
  }
}

export function publicPointOf(scalar: Scalar): PublicPoint {
  const point = p256.ProjectivePoint.fromPrivateKey(scalar)
  return { compressed: point.toHex(true), uncompressed: point.toHex(false) }
}
