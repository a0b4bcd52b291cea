import { assert, toTimestamp, type World } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { silently } from '../../vocabulary/scope.ts'
import { newPrivateKey, publicKeyOf } from './wire.ts'

/** Both pairs of a UMA domain (webhooks-uma 6.2). */
export interface UmaIdentity {
  readonly domain: string
  /** Uncompressed, in hexadecimal. */
  readonly signingPublic: string
  readonly encryptionPublic: string
  readonly signingKey: Uint8Array
  readonly encryptionKey: Uint8Array
}

export const sealedUmaKeys: SealedColumn = { table: 'uma_keys', column: 'sealed_part', row: 'id' }

interface KeyRow {
  readonly signingPublic: string
  readonly encryptionPublic: string
  readonly sealed: string
}

const load = statement(
  'uma.loadKeys',
  `select signing_public as "signingPublic", encryption_public as "encryptionPublic", sealed_part as "sealed"
   from uma_keys where platform_id = $1 and environment = $2 and id = $3`,
)

/** The keys of a platform's domain, made when somebody first asks for them. */
export async function identityOf(
  engine: Engine,
  { platformId, environment }: Book,
  domain: string,
): Promise<UmaIdentity> {
  // The platform's, also where somebody acts for a single customer.
  const book = { platformId, environment }
  const found = await read(engine, book, domain)
  if (found) return found
  const text = newIdentityText(engine.world)
  const { signingPublic, encryptionPublic } = identityFrom(domain, text)
  const scope = silently(await engine.clock.scope(book, { id: 'system', permissions: [] }))
  await engine.applier.apply(scope, {
    inserts: [
      {
        table: 'uma_keys',
        // Two that ask at once: the first pair is the one.
        ifAbsent: true,
        row: {
          id: domain,
          signing_public: signingPublic,
          encryption_public: encryptionPublic,
          sealed_part: engine.keys.seal(book, sealedUmaKeys, domain, text),
          created_at: toTimestamp(scope.now),
        },
      },
    ],
    result: () => null,
  })
  const made = await read(engine, book, domain)
  if (!made) throw new Error('The keys of the UMA domain were written but cannot be read back')
  return made
}

async function read(engine: Engine, book: Book, domain: string): Promise<UmaIdentity | undefined> {
  const [row] = await engine.database.read<KeyRow>(book, load, [book.platformId, book.environment, domain])
  if (!row) return undefined
  return identityFrom(domain, engine.keys.open(book, sealedUmaKeys, domain, row.sealed), row)
}

/** Two new pairs, as they are kept: both private keys in hexadecimal. */
export function newIdentityText(world: Pick<World, 'randomBytes'>): string {
  const keys = [newPrivateKey(world), newPrivateKey(world)]
  return keys.map((key) => Buffer.from(key).toString('hex')).join(' ')
}

export function identityFrom(
  domain: string,
  text: string,
  known?: Pick<UmaIdentity, 'signingPublic' | 'encryptionPublic'>,
): UmaIdentity {
  const [signingKey, encryptionKey] = text.split(' ').map((key) => Buffer.from(key, 'hex'))
  assert(signingKey && encryptionKey, 'two private keys are kept for a domain')
  return {
    domain,
    signingPublic: known?.signingPublic ?? publicKeyOf(signingKey),
    encryptionPublic: known?.encryptionPublic ?? publicKeyOf(encryptionKey),
    signingKey,
    encryptionKey,
  }
}
