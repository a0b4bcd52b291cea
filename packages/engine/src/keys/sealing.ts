import { createCipheriv, createDecipheriv } from 'node:crypto'
import type { World } from '@corridor/kernel'

const nonceBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM with a random nonce: nonce, tag and ciphertext in base64url. `context` is authenticated with
 * it, so that a text does not open in another place than the one it was sealed for.
 */
export function sealText(
  text: string,
  key: Uint8Array,
  world: Pick<World, 'randomBytes'>,
  context = '',
): string {
  const nonce = world.randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context))
  const ciphertext = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]).toString('base64url')
}

export function openText(sealed: string, key: Uint8Array, context = ''): string {
  const bytes = Buffer.from(sealed, 'base64url')
  const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, nonceBytes))
  decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(nonceBytes, nonceBytes + tagBytes))
  return Buffer.concat([decipher.update(bytes.subarray(nonceBytes + tagBytes)), decipher.final()]).toString(
    'utf8',
  )
}
