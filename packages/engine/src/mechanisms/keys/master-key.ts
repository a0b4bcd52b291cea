import { hkdfSync } from 'node:crypto'
import { assert } from '@corridor/kernel'
import type { KeyService } from '../../ports/key-service.ts'
import { openFormer, type Randomness, sealFormer } from './sealing.ts'

const masterKeyBytes = 32

/** A master key from its text: 32 bytes in base64 or hexadecimal. */
export function parseMasterKey(text: string): Uint8Array {
  const bytes = Buffer.from(text.trim(), /^[0-9a-f]{64}$/i.test(text.trim()) ? 'hex' : 'base64')
  assert(bytes.length === masterKeyBytes, 'a master key is 32 bytes in base64 or hexadecimal')
  return bytes
}

/** A master key that this process holds. */
export function localKeyService(masterKey: Uint8Array, world: Randomness): KeyService {
  const derive = (purpose: string, bytes = 32) =>
    Buffer.from(hkdfSync('sha256', masterKey, '', `corridor/${purpose}`, bytes))
  const id = `local-${derive('master-key-id', 8).toString('hex')}`
  const wrapping = derive('keyring')
  return {
    id,
    async wrap(secret) {
      return sealFormer(Buffer.from(secret).toString('base64'), wrapping, world, id)
    },
    async unwrap(wrapped) {
      return Buffer.from(openFormer(wrapped, wrapping, id), 'base64')
    },
    formerly: derive,
  }
}
