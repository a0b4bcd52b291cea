import type { SignatureProof } from '@corridor/engine/ports/ownership.ts'
import { ed25519 } from '@noble/curves/ed25519'
import { secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha2'
import { base58, base64, bech32m, createBase58check } from '@scure/base'
import { bytesToHex, concatBytes, type Hex, hexToBytes, keccak256 } from 'viem'
import { recoverAddress, recoverMessageAddress } from 'viem/utils'

/**
 * Whether the key behind the address signed the message (accounts 4.9). A text that is no signature at
 * all is a wrong one, never an error: callers send what their users typed.
 */
export async function isSignedByWallet(proof: SignatureProof): Promise<boolean> {
  try {
    return await checks[proof.network](proof)
  } catch {
    return false
  }
}

const checks: Readonly<Record<SignatureProof['network'], (proof: SignatureProof) => Promise<boolean>>> = {
  ETHEREUM: isSignedByEvmWallet,
  BASE: isSignedByEvmWallet,
  POLYGON: isSignedByEvmWallet,
  PLASMA: isSignedByEvmWallet,
  TRON: isSignedByTronWallet,
  SOLANA: async (proof) => isSignedBySolanaWallet(proof),
  SPARK: async (proof) => isSignedBySparkWallet(proof),
  // No external account is a plain Bitcoin address.
  BITCOIN: async () => false,
}

/** EIP-191 `personal_sign`. Case of an address is only a checksum. */
async function isSignedByEvmWallet({ address, message, signature }: SignatureProof): Promise<boolean> {
  const signer = await recoverMessageAddress({ message, signature: signature as Hex })
  return signer.toLowerCase() === address.toLowerCase()
}

const base58check = createBase58check(sha256)

/** TIP-191: Ethereum's scheme under Tron's own prefix; the address is 0x41 and the last 20 bytes. */
async function isSignedByTronWallet({ address, message, signature }: SignatureProof): Promise<boolean> {
  const text = utf8(message)
  const prefix = utf8(`\x19TRON Signed Message:\n${text.length}`)
  const hash = keccak256(concatBytes([prefix, text]))
  const hex = signature.startsWith('0x') ? signature : `0x${signature}`
  const signer = await recoverAddress({ hash, signature: hex as Hex })
  return base58check.encode(concatBytes([Uint8Array.of(0x41), hexToBytes(signer)])) === address
}

/** The address is the Ed25519 public key; the signature covers the plain bytes. */
function isSignedBySolanaWallet({ address, message, signature }: SignatureProof): boolean {
  // Strict rules, as the chain's own verifier applies them.
  return ed25519.verify(base58.decode(signature), utf8(message), base58.decode(address), { zip215: false })
}

/** A Bitcoin message signature by the identity key that the Spark address contains. */
function isSignedBySparkWallet({ address, message, signature, scheme }: SignatureProof): boolean {
  const identityKey = sparkIdentityKey(address)
  const signer = recoverBitcoinSigner({ message, signature, scheme })
  return identityKey !== undefined && signer !== undefined && bytesToHex(signer) === bytesToHex(identityKey)
}

/** Field 1 of the address's payload: 33 bytes of a compressed public key. */
export function sparkIdentityKey(address: string): Uint8Array | undefined {
  const { words } = bech32m.decode(address as `${string}1${string}`, false)
  const payload = bech32m.fromWords(words)
  const isKeyFirst = payload[0] === 0x0a && payload[1] === 33 && payload.length >= 35
  return isKeyFirst ? payload.subarray(2, 35) : undefined
}

/**
 * The compressed public key behind a 65-byte signature in base64. The first byte says which of the
 * candidates it is: BIP-137 has four of them for each kind of address (31 to 42 with compressed keys),
 * Electrum uses 31 to 34 whatever the address.
 */
function recoverBitcoinSigner({
  message,
  signature,
  scheme,
}: Pick<SignatureProof, 'message' | 'signature' | 'scheme'>): Uint8Array | undefined {
  const bytes = base64.decode(signature)
  const [header = 0] = bytes
  const last = scheme === 'electrum' ? 34 : 42
  if (bytes.length !== 65 || header < 31 || header > last) return undefined
  return secp256k1.Signature.fromCompact(bytes.subarray(1))
    .addRecoveryBit((header - 27) % 4)
    .recoverPublicKey(bitcoinMessageHash(message))
    .toRawBytes(true)
}

/** Twice SHA-256 over the prefix and the message, each with its length before it. */
export function bitcoinMessageHash(message: string): Uint8Array {
  const parts = ['Bitcoin Signed Message:\n', message].map(utf8)
  return sha256(sha256(concatBytes(parts.flatMap((part) => [compactSize(part.length), part]))))
}

/** Bitcoin's variable-length integer; messages of ours stay far below 65 536 bytes. */
function compactSize(length: number): Uint8Array {
  return length < 0xfd ? Uint8Array.of(length) : Uint8Array.of(0xfd, length & 0xff, length >> 8)
}

function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text)
}
