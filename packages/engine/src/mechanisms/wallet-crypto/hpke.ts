import type { World } from '@corridor/kernel'
import { Aes256Gcm, CipherSuite, DhkemP256HkdfSha256, HkdfSha256 } from '@hpke/core'
import { newScalar, publicPointOf, type Scalar } from './points.ts'

/**
 * HPKE, base mode, one message (RFC 9180; wallets 3.1): DHKEM(P-256, HKDF-SHA256), HKDF-SHA256, AES-256-GCM.
 * `info` is a constant of the protocol that public clients have built in. `aad` is the encapsulated key and
 * the recipient's, both uncompressed whatever the wire carries, so a message holds for one recipient.
 */
export interface SealedMessage {
  /** 65 bytes, uncompressed. */
  readonly enc: Uint8Array
  /** With the tag of 16 bytes at its end. */
  readonly ciphertext: Uint8Array
}

const suite = new CipherSuite({
  kem: new DhkemP256HkdfSha256(),
  kdf: new HkdfSha256(),
  aead: new Aes256Gcm(),
})
const info = bufferOf(Buffer.from('turnkey_hpke'))

/** Seals to a recipient, whose key is 65 bytes. `ephemeral` is fresh for every message; only tests repeat one. */
export async function sealMessage(
  world: Pick<World, 'randomBytes'>,
  recipient: Uint8Array,
  plaintext: Uint8Array,
  ephemeral: Scalar = newScalar(world),
): Promise<SealedMessage> {
  const recipientPublicKey = await suite.kem.importKey('raw', bufferOf(recipient), true)
  const sender = await suite.createSenderContext({
    recipientPublicKey,
    info,
    ekm: await keyPairOf(ephemeral),
  })
  // The library's one-step `seal` takes `aad` before there is an encapsulated key to put into it.
  const enc = new Uint8Array(sender.enc)
  const ciphertext = await sender.seal(bufferOf(plaintext), bufferOf(Buffer.concat([enc, recipient])))
  return { enc, ciphertext: new Uint8Array(ciphertext) }
}

/** Opens a message; undefined for whatever was not sealed to this key. */
export async function openMessage(
  scalar: Scalar,
  { enc, ciphertext }: SealedMessage,
): Promise<Uint8Array | undefined> {
  try {
    const { privateKey, publicKey } = await keyPairOf(scalar)
    const own = await suite.kem.serializePublicKey(publicKey)
    const recipient = await suite.createRecipientContext({
      recipientKey: privateKey,
      enc: bufferOf(enc),
      info,
    })
    const aad = bufferOf(Buffer.concat([enc, Buffer.from(own)]))
    return new Uint8Array(await recipient.open(bufferOf(ciphertext), aad))
  } catch {
    return undefined
  }
}

async function keyPairOf(scalar: Scalar) {
  const privateKey = await suite.kem.importKey('raw', bufferOf(scalar), false)
  const point = Buffer.from(publicPointOf(scalar).uncompressed, 'hex')
  return { privateKey, publicKey: await suite.kem.importKey('raw', bufferOf(point), true) }
}

/** A buffer of its own: Node's small ones share a larger one. */
function bufferOf(bytes: Uint8Array): ArrayBuffer {
  return Uint8Array.from(bytes).buffer
}
