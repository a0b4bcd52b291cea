import { assert, toTimestamp, type World } from '@corridor/kernel'
import { p256 } from '@noble/curves/p256'
import { sha256 } from '@noble/hashes/sha2'
import { type Environment, environments } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { ofInstallation, sealedInstallationKeys } from './installation-keys.ts'
import type { RingKeys } from './keys.ts'

/**
 * The key that vouches for what clients of wallets are given: the targets of one-time passwords, what those
 * proved, and exports (wallets 1). One per environment. Clients have its public half configured, so it is
 * made once and stays.
 */
export interface QuorumKey {
  /** Uncompressed, lower-case hex: clients compare it as text. */
  readonly publicKey: string
  /** ECDSA over SHA-256 of the bytes, in hex of DER. */
  sign(bytes: Uint8Array): string
  /** The same as r and s, 32 bytes each, as JWS has it. */
  signRaw(bytes: Uint8Array): Buffer
}

/** The key behind a private scalar of 32 bytes. Signatures are those of RFC 6979: no randomness is needed. */
export function quorumKeyOf(scalar: Uint8Array): QuorumKey {
  const sign = (bytes: Uint8Array) => p256.sign(sha256(bytes), scalar)
  return {
    publicKey: Buffer.from(p256.getPublicKey(scalar, false)).toString('hex'),
    sign: (bytes) => sign(bytes).toDERHex(),
    signRaw: (bytes) => Buffer.from(sign(bytes).toCompactRawBytes()),
  }
}

const listKeys = statement(
  'quorumKeys.list',
  `select id, environment, sealed_part as "sealed" from installation_keys where purpose = 'quorum'`,
)
const insertKey = statement(
  'quorumKeys.insert',
  `insert into installation_keys (id, purpose, environment, public_part, sealed_part, created_at)
   values ($1, 'quorum', $2, $3, $4, $5) on conflict do nothing`,
)

interface KeyRow {
  readonly id: string
  readonly environment: Environment
  readonly sealed: string
}

/** Loads the key of each environment, made at the first start; two starters at once agree on one by its id. */
export async function loadQuorumKeys(
  database: Database,
  world: World,
  keys: Pick<RingKeys, 'seal' | 'open'>,
): Promise<(environment: Environment) => QuorumKey> {
  const rows = await database.system(async (connection) => {
    const known = await connection.query<KeyRow>(listKeys)
    for (const environment of environments) {
      if (known.some((row) => row.environment === environment)) continue
      await connection.query(insertKey, newRow(world, keys, environment))
    }
    return connection.query<KeyRow>(listKeys)
  })
  const opened = new Map(
    rows.map(({ id, environment, sealed }) => {
      const scalar = keys.open(ofInstallation(environment), sealedInstallationKeys, id, sealed)
      return [environment, quorumKeyOf(Buffer.from(scalar, 'hex'))]
    }),
  )
  return (environment) => {
    const key = opened.get(environment)
    assert(key, 'every environment has a quorum key')
    return key
  }
}

function newRow(world: World, keys: Pick<RingKeys, 'seal'>, environment: Environment): unknown[] {
  const id = `quorum-${environment.toLowerCase()}-1`
  let scalar = world.randomBytes(32)
  while (!p256.utils.isValidPrivateKey(scalar)) scalar = world.randomBytes(32)
  const { publicKey } = quorumKeyOf(scalar)
  const text = Buffer.from(scalar).toString('hex')
  const sealed = keys.seal(ofInstallation(environment), sealedInstallationKeys, id, text)
  return [id, environment, publicKey, sealed, toTimestamp(world.now())]
}
