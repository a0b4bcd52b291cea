import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { World } from '@corridor/kernel'

const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM with a random nonce: nonce, tag and ciphertext. `context` is authenticated with them, so that
 * what was sealed for one place does not open in another.
 */
export function sealBytes(
  bytes: Uint8Array,
  key: Uint8Array,
  world: Pick<World, 'randomBytes'>,
  context = '',
): Buffer {
  const nonce = world.randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(bytes), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext])
}

export function openBytes(sealed: Uint8Array, key: Uint8Array, context = ''): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(context)).setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(sealed.subarray(nonceBytes + tagBytes)), decipher.final()])
}

/** The same for text, in base64url. */
export function sealText(
  text: string,
  key: Uint8Array,
  world: Pick<World, 'randomBytes'>,
  context = '',
): string {
  return sealBytes(Buffer.from(text, 'utf8'), key, world, context).toString('base64url')
}

export function openText(sealed: string, key: Uint8Array, context = ''): string {
  return openBytes(Buffer.from(sealed, 'base64url'), key, context).toString('utf8')
}
