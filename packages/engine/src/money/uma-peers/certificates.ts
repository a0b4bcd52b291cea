import { secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha2'

/**
 * The certificate of a key, signed with the key itself: the form in which some institutions want to read it (webhooks-uma
 * 6.2). It says nothing that the key does not; whoever lists us trusts the domain that shows it. The same bytes each time.
 */
export function certificateOf(domain: string, privateKey: Uint8Array): string {
  const point = secp256k1.getPublicKey(privateKey, false)
  const name = sequence(set(sequence(commonName, tagged(0x0c, Buffer.from(domain.slice(0, 64))))))
  const signed = sequence(
    tagged(0xa0, tagged(0x02, Buffer.from([2]))),
    // Positive, and another for each key.
    tagged(0x02, Buffer.from([1, ...sha256(point).subarray(0, 15)])),
    ecdsaWithSha256,
    name,
    sequence(tagged(0x17, Buffer.from('250101000000Z')), tagged(0x18, Buffer.from(withoutEnd))),
    name,
    sequence(sequence(ecPublicKey, secp256k1Curve), bits(point)),
  )
  const signature = secp256k1.sign(sha256(signed), privateKey).toDERRawBytes()
  return sequence(signed, ecdsaWithSha256, bits(signature)).toString('hex')
}

/** What RFC 5280 has for a certificate that is good for as long as its key is shown. */
const withoutEnd = '99991231235959Z'

const commonName = Buffer.from('0603550403', 'hex')
const ecPublicKey = Buffer.from('06072a8648ce3d0201', 'hex')
const secp256k1Curve = Buffer.from('06052b8104000a', 'hex')
const ecdsaWithSha256 = sequence(Buffer.from('06082a8648ce3d040302', 'hex'))

function sequence(...parts: readonly Uint8Array[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

function set(part: Uint8Array): Buffer {
  return tagged(0x31, part)
}

function bits(bytes: Uint8Array): Buffer {
  return tagged(0x03, Buffer.concat([Buffer.from([0]), bytes]))
}

/** DER: tag, length, content. */
function tagged(tag: number, content: Uint8Array): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}
