import { hkdfSync } from 'node:crypto'
import { assert, type Instant, toTimestamp, type World } from '@corridor/kernel'
import type { KeyService } from '../../ports/key-service.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { openFormer } from './sealing.ts'

/**
 * The keys of an installation. They are random, and kept as one text that the master key wraps: so the
 * master key is used for nothing else, and can be replaced or live in a service of its own.
 */
export interface Keyring {
  /** Hash and tag: what they have made must keep its value, so they stay when the master key is replaced. */
  readonly hashing: Uint8Array
  readonly tagging: Uint8Array
  readonly searching: Uint8Array
  /** In the order in which they were made. The last one whose time has come seals; all of them open. */
  readonly sealing: readonly InstallationKey[]
  /** Opens texts of the older form, until all have been sealed anew. */
  readonly former?: { readonly sealing: Uint8Array; readonly dataKeys: Uint8Array }
}

export interface InstallationKey {
  readonly id: string
  readonly secret: Uint8Array
  /** By then every process knows of it. */
  readonly sealsFrom: Instant
}

/** The master key is not one that opens this database. */
export class WrongMasterKey extends Error {}

const load = statement('keyrings.load', 'select id, wrapped from keyrings order by id')
const first = statement(
  'keyrings.first',
  `insert into keyrings (id, wrapped, updated_at) select $1, $2, $3 where not exists (select from keyrings)`,
)
const anyKey = statement(
  'keyrings.olderKey',
  `select purpose, sealed_part as "sealed" from installation_keys order by purpose desc limit 1`,
)

interface Wrapped {
  readonly id: string
  readonly wrapped: string
}

export async function readWrapped(database: Database): Promise<Wrapped[]> {
  return database.system((connection) => connection.query<Wrapped>(load))
}

/** The keyring of a database; makes it on the first start. Throws WrongMasterKey. */
export async function loadKeyring(
  database: Database,
  world: Pick<World, 'now' | 'randomBytes'>,
  service: KeyService,
): Promise<Keyring> {
  const known = await readWrapped(database)
  if (known.length > 0) return openWrapped(known, service)
  const made = serialize(await makeKeyring(database, world, service))
  const wrapped = await service.wrap(made)
  const rows = await database.system(async (connection) => {
    // Of two first starts at the same moment one makes the keyring and the other reads it.
    await connection.script('begin; lock table keyrings in exclusive mode')
    try {
      await connection.query(first, [service.id, wrapped, toTimestamp(world.now())])
      const found = await connection.query<Wrapped>(load)
      await connection.script('commit')
      return found
    } catch (error) {
      await connection.script('rollback')
      throw error
    }
  })
  return openWrapped(rows, service)
}

/** Throws WrongMasterKey. */
export async function openWrapped(rows: readonly Wrapped[], service: KeyService): Promise<Keyring> {
  const row = rows.find(({ id }) => id === service.id)
  if (!row) throw new WrongMasterKey('no keyring is wrapped by this master key')
  let bytes: Uint8Array
  try {
    bytes = await service.unwrap(row.wrapped)
  } catch (error) {
    if (error instanceof Error && /unable to authenticate/.test(error.message)) {
      throw new WrongMasterKey('the keyring does not open with this master key')
    }
    throw error
  }
  return parse(bytes)
}

/** An installation that was made before keyrings goes on with the keys that its master key gave it. */
async function makeKeyring(
  database: Database,
  world: Pick<World, 'now' | 'randomBytes'>,
  service: KeyService,
): Promise<Keyring> {
  const random = () => Buffer.from(world.randomBytes(32))
  const sealing = [newInstallationKey(world, [], world.now())]
  type Row = { purpose: string; sealed: string }
  const [older] = await database.system((connection) => connection.query<Row>(anyKey))
  if (!older) return { hashing: random(), tagging: random(), searching: random(), sealing }
  const derive = service.formerly
  assert(derive, 'an installation of before keyrings starts once with its master key')
  const former = { sealing: derive('seal'), dataKeys: derive('data-keys') }
  if (older.purpose === 'webhook') {
    try {
      openFormer(older.sealed, former.sealing)
    } catch {
      throw new WrongMasterKey('the signing keys do not open with this master key')
    }
  }
  return {
    hashing: derive('secret-hash'),
    tagging: derive('tag'),
    searching: derive('search-hash'),
    sealing,
    former,
  }
}

export function newInstallationKey(
  world: Pick<World, 'randomBytes'>,
  known: readonly InstallationKey[],
  sealsFrom: Instant,
): InstallationKey {
  const last = Number(known.at(-1)?.id.slice(1) ?? 0)
  return { id: `k${last + 1}`, secret: Buffer.from(world.randomBytes(32)), sealsFrom }
}

/** The one that seals now. */
export function currentKey({ sealing }: Keyring, now: Instant): InstallationKey {
  const key = sealing.findLast(({ sealsFrom }) => sealsFrom <= now) ?? sealing[0]
  assert(key, 'a keyring has a key that seals')
  return key
}

/** A key for one use, so that what was made for one serves no other. */
export function deriveKey(secret: Uint8Array, ...use: readonly string[]): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', JSON.stringify(['corridor', ...use]), 32))
}

const encode = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')
const decode = (text: string) => Buffer.from(text, 'base64')

export function serialize({ hashing, tagging, searching, sealing, former }: Keyring): Uint8Array {
  return Buffer.from(
    JSON.stringify({
      hashing: encode(hashing),
      tagging: encode(tagging),
      searching: encode(searching),
      sealing: sealing.map((key) => ({ ...key, secret: encode(key.secret) })),
      ...(former ? { former: { sealing: encode(former.sealing), dataKeys: encode(former.dataKeys) } } : {}),
    }),
  )
}

function parse(bytes: Uint8Array): Keyring {
  interface Written {
    hashing: string
    tagging: string
    searching: string
    sealing: { id: string; secret: string; sealsFrom: number }[]
    former?: { sealing: string; dataKeys: string }
  }
  const { hashing, tagging, searching, sealing, former } = JSON.parse(
    Buffer.from(bytes).toString('utf8'),
  ) as Written
  return {
    hashing: decode(hashing),
    tagging: decode(tagging),
    searching: decode(searching),
    sealing: sealing.map((key) => ({ ...key, secret: decode(key.secret) })),
    ...(former ? { former: { sealing: decode(former.sealing), dataKeys: decode(former.dataKeys) } } : {}),
  }
}
