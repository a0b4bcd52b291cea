import type { SignatureProof } from '@corridor/engine/ports/ownership.ts'
import { ed25519 } from '@noble/curves/ed25519'
import { secp256k1 } from '@noble/curves/secp256k1'
import { sha256 } from '@noble/hashes/sha2'
import { base58, base64, bech32m, createBase58check } from '@scure/base'
import { concatBytes, hexToBytes, keccak256, toBytes } from 'viem'
import { privateKeyToAccount, sign } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { bitcoinMessageHash, isSignedByWallet } from './wallet-signatures.ts'

const message = 'Prove that you own this wallet. Nonce: 4f2a. Größe: ✓'
const privateKey = new Uint8Array(32).fill(9)
const otherKey = new Uint8Array(32).fill(10)
const hexOf = (key: Uint8Array) => `0x${Buffer.from(key).toString('hex')}` as const

async function evmProof(network: SignatureProof['network'], key = privateKey): Promise<SignatureProof> {
  const signature = await privateKeyToAccount(hexOf(key)).signMessage({ message })
  return {
    network,
    address: privateKeyToAccount(hexOf(privateKey)).address,
    message,
    signature,
    scheme: 'bip137',
  }
}

async function tronProof(prefix: string, key = privateKey): Promise<SignatureProof> {
  const text = toBytes(message)
  const hash = keccak256(concatBytes([toBytes(`${prefix}${text.length}`), text]))
  const signature = await sign({ hash, privateKey: hexOf(key), to: 'hex' })
  const account = hexToBytes(privateKeyToAccount(hexOf(privateKey)).address)
  const address = createBase58check(sha256).encode(concatBytes([Uint8Array.of(0x41), account]))
  return { network: 'TRON', address, message, signature, scheme: 'bip137' }
}

function solanaProof(key = privateKey): SignatureProof {
  const signature = base58.encode(ed25519.sign(toBytes(message), key))
  const address = base58.encode(ed25519.getPublicKey(privateKey))
  return { network: 'SOLANA', address, message, signature, scheme: 'bip137' }
}

function sparkProof({
  firstHeader,
  scheme,
  key = privateKey,
}: {
  firstHeader: number
  scheme: SignatureProof['scheme']
  key?: Uint8Array
}): SignatureProof {
  const signed = secp256k1.sign(bitcoinMessageHash(message), key)
  const bytes = concatBytes([Uint8Array.of(firstHeader + signed.recovery), signed.toCompactRawBytes()])
  const payload = concatBytes([Uint8Array.of(0x0a, 33), secp256k1.getPublicKey(privateKey, true)])
  const address = bech32m.encode('spark', bech32m.toWords(payload), false)
  return { network: 'SPARK', address, message, signature: base64.encode(bytes), scheme }
}

const tronPrefix = '\x19TRON Signed Message:\n'
const genuine: [string, () => SignatureProof | Promise<SignatureProof>][] = [
  ['Ethereum', () => evmProof('ETHEREUM')],
  ['Base', () => evmProof('BASE')],
  ['Polygon', () => evmProof('POLYGON')],
  ['Plasma', () => evmProof('PLASMA')],
  ['Tron', () => tronProof(tronPrefix)],
  ['Solana', () => solanaProof()],
  ['Spark, BIP-137 for a legacy address', () => sparkProof({ firstHeader: 31, scheme: 'bip137' })],
  ['Spark, BIP-137 for a segwit address', () => sparkProof({ firstHeader: 39, scheme: 'bip137' })],
  ['Spark, Electrum', () => sparkProof({ firstHeader: 31, scheme: 'electrum' })],
]
const byAnotherKey: [string, () => SignatureProof | Promise<SignatureProof>][] = [
  ['Ethereum', () => evmProof('ETHEREUM', otherKey)],
  ['Tron', () => tronProof(tronPrefix, otherKey)],
  ['Tron under the prefix of Ethereum', () => tronProof('\x19Ethereum Signed Message:\n')],
  ['Solana', () => solanaProof(otherKey)],
  ['Spark', () => sparkProof({ firstHeader: 31, scheme: 'bip137', key: otherKey })],
  ['Spark, a segwit header under Electrum', () => sparkProof({ firstHeader: 39, scheme: 'electrum' })],
  ['Spark, an uncompressed key', () => sparkProof({ firstHeader: 27, scheme: 'bip137' })],
]

describe('a wallet signature', () => {
  it.each(genuine)('of the address itself is accepted on %s', async (_name, make) => {
    expect(await isSignedByWallet(await make())).toBe(true)
  })

  it.each(genuine)('over another message is refused on %s', async (_name, make) => {
    expect(await isSignedByWallet({ ...(await make()), message: `${message}.` })).toBe(false)
  })

  it.each(byAnotherKey)('of another kind is refused: %s', async (_name, make) => {
    expect(await isSignedByWallet(await make())).toBe(false)
  })

  it.each(genuine)('that is no signature is refused and throws nothing on %s', async (_name, make) => {
    const proof = await make()
    for (const signature of ['', '0x', '0x00', 'hello', '!'.repeat(88), '0'.repeat(8192)]) {
      expect(await isSignedByWallet({ ...proof, signature })).toBe(false)
    }
  })

  it('of an EVM wallet is compared without regard to the case of the address', async () => {
    const proof = await evmProof('BASE')
    expect(
      await isSignedByWallet({ ...proof, address: proof.address.toUpperCase().replace('0X', '0x') }),
    ).toBe(true)
  })

  it('hashes Bitcoin messages as the reference client does', () => {
    // BIP-137 of the empty message, as Bitcoin Core computes it.
    expect(Buffer.from(bitcoinMessageHash('')).toString('hex')).toBe(
      '80e795d4a4caadd7047af389d9f7f220562feb6196032e2131e10563352c4bcc',
    )
  })
})
