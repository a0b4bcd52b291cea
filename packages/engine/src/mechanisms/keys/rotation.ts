import { assert, toTimestamp, type World } from '@corridor/kernel'
import type { KeyService } from '../../ports/key-service.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { sealedDataKeys } from './data-keys.ts'
import {
  currentKey,
  type Keyring,
  newInstallationKey,
  openWrapped,
  readWrapped,
  serialize,
} from './keyring.ts'
import { createKeys, type RingKeys } from './keys.ts'
import { beforeAll, type Position, type SealedRow, textsAfter } from './sealed-texts.ts'
import { frontOf, keyIdOf, type SealedColumn } from './sealing.ts'

export interface Rotation {
  readonly database: Database
  readonly world: Pick<World, 'now' | 'randomBytes' | 'sleep'>
  readonly columns: readonly SealedColumn[]
  /** The master key that is to be replaced, and the one that replaces it. */
  readonly from: KeyService
  readonly to: KeyService
  /** By then every running process knows the new key; 0 when none runs. */
  readonly takeOverMs: number
  /** Told after each batch. */
  readonly onProgress?: (column: SealedColumn, resealed: number) => void
}

/** Twice the time in which a running process reads the keyring again, and some. */
export const keyringTakeOverMs = 150_000

/** A rotation that cannot go on; the message says what to do. */
export class RotationRefused extends Error {}

const batchSize = 500

/**
 * Makes a new sealing key, has it known to every process, and seals everything with it anew, while the keyring
 * is wrapped by both master keys. May be stopped at any moment and begun again: what is done stays done.
 * Returns how many texts it sealed.
 */
export async function rotateMasterKey(rotation: Rotation): Promise<number> {
  const { database, world, columns, onProgress } = rotation
  const ring = await bothKnow(rotation)
  const waitMs = ring.sealing.at(-1)!.sealsFrom - world.now()
  if (waitMs > 0) await world.sleep(waitMs)
  const { keys } = createKeys(world, ring)
  let count = 0
  for (const column of columns) {
    const reader = columnReader(column, currentKey(ring, world.now()).id)
    let after: Position = beforeAll
    for (;;) {
      const rows = await database.system((connection) =>
        connection.query<SealedRow>(reader.next, [after.row, after.platform, after.environment, batchSize]),
      )
      if (rows.length === 0) break
      const anew = rows.map((row) => resealedRow(keys, column, row))
      const changed = await database.system((connection) =>
        connection.query(reader.replace, [
          anew.map(({ row }) => row),
          anew.map(({ platform }) => platform),
          anew.map(({ environment }) => environment),
          anew.map(({ sealed }) => sealed),
          anew.map(({ resealed }) => resealed),
        ]),
      )
      count += changed.length
      after = rows.at(-1)!
      onProgress?.(column, changed.length)
    }
  }
  return count
}

/**
 * Ends a rotation: the master key of before opens the keyring no more, and the sealing keys of before are gone
 * from it. Refused while anything is sealed with them.
 */
export async function finishRotation({
  database,
  world,
  columns,
  to,
}: Pick<Rotation, 'database' | 'world' | 'columns' | 'to'>): Promise<void> {
  const ring = await openWrapped(await readWrapped(database), to)
  const current = currentKey(ring, world.now())
  if (current !== ring.sealing.at(-1))
    throw new RotationRefused('Not all processes use the new key yet. Wait, then run the command again.')
  for (const column of columns) {
    const reader = columnReader(column, current.id)
    const left = await database.system((connection) =>
      connection.query<SealedRow>(reader.next, ['', '', '', 1]),
    )
    if (left.length === 0) continue
    throw new RotationRefused(
      `Texts in ${column.table}.${column.column} are still sealed with an old key. Run the rotation again, then finish it.`,
    )
  }
  const { former: _, ...rest } = ring
  const wrapped = await to.wrap(serialize({ ...rest, sealing: [current] }))
  await inTransaction(database, async (query) => {
    await query(dropOthers, [to.id])
    await query(putWrapped, [to.id, wrapped, toTimestamp(world.now())])
  })
}

const putWrapped = statement(
  'rotation.putWrapped',
  `insert into keyrings (id, wrapped, updated_at) values ($1, $2, $3)
   on conflict (id) do update set wrapped = excluded.wrapped, updated_at = excluded.updated_at`,
)
const dropOthers = statement('rotation.dropOthers', 'delete from keyrings where id <> $1')

type Query = Parameters<Parameters<Database['system']>[0]>[0]['query']

/** One at a time: of two rotations at the same moment the second finds what the first has done. */
async function inTransaction<T>(database: Database, work: (query: Query) => Promise<T>): Promise<T> {
  return database.system(async (connection) => {
    await connection.script('begin; lock table keyrings in exclusive mode')
    try {
      const result = await work((...asked) => connection.query(...asked))
      await connection.script('commit')
      return result
    } catch (error) {
      await connection.script('rollback')
      throw error
    }
  })
}

/** The keyring with the new sealing key in it, once both master keys open it. */
async function bothKnow({ database, world, from, to, takeOverMs }: Rotation): Promise<Keyring> {
  assert(from.id !== to.id, 'a master key is replaced by another one')
  const rows = await readWrapped(database)
  if (rows.some(({ id }) => id === to.id)) return openWrapped(rows, to)
  if (rows.length > 1) {
    throw new RotationRefused('An earlier rotation of the master key is not finished. Finish it first.')
  }
  const before = await openWrapped(rows, from)
  const key = newInstallationKey(world, before.sealing, world.now() + takeOverMs)
  const ring = { ...before, sealing: [...before.sealing, key] }
  const text = serialize(ring)
  // A service of keys may be far away, and nothing is locked while it is asked.
  const wrapped = await Promise.all(
    [from, to].map(async (service) => ({ id: service.id, wrapped: await service.wrap(text) })),
  )
  const isFirst = await inTransaction(database, async (query) => {
    const known = await query<{ id: string }>(listIds)
    if (known.length !== 1 || known[0]!.id !== from.id) return false
    for (const row of wrapped) await query(putWrapped, [row.id, row.wrapped, toTimestamp(world.now())])
    return true
  })
  return isFirst ? ring : openWrapped(await readWrapped(database), to)
}

const listIds = statement('rotation.listIds', 'select id from keyrings')

/**
 * The statements of one column. Texts of data keys keep their key, which is itself sealed anew, so only those of
 * the older form are done.
 */
function columnReader(column: SealedColumn, keyId: string) {
  const { table, column: name, row, owner, isOfInstallation } = column
  const platform = isOfInstallation ? "'installation'" : 't.platform_id::text'
  const front = owner === undefined ? frontOf(keyId) : frontOf('').slice(0, -1)
  return {
    next: statement(
      `rotation.next ${table}.${name} ${keyId}`,
      `${textsAfter(column, `not starts_with(t.${name}, '${front}')`)}
       ${owner ? 'and "sealedKey" is not null' : ''}
       order by "row", platform, environment limit $4`,
    ),
    replace: statement(
      `rotation.replace ${table}.${name}`,
      `update ${table} t set ${name} = v.resealed
       from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[])
         v("row", platform, environment, sealed, resealed)
       where (${qualified(row)})::text = v."row" and ${platform} = v.platform and t.environment = v.environment
         and t.${name} = v.sealed returning 1 as done`,
    ),
  }
}

/** Columns of the table itself, where a second table has one of the same name. */
function qualified(row: string): string {
  return row.replace(/'[^']*'|[a-z_]+/g, (word) => (word.startsWith("'") ? word : `t.${word}`))
}

function resealedRow(
  keys: RingKeys,
  column: SealedColumn,
  from: SealedRow,
): SealedRow & { resealed: string } {
  const { row, platform, environment, sealed, owner, sealedKey } = from
  const book = { platformId: platform, environment }
  if (owner === null || sealedKey === null || column === sealedDataKeys) {
    return { ...from, resealed: keys.resealed(book, column, row, sealed) ?? sealed }
  }
  assert(keyIdOf(sealed) === undefined, 'a text of a data key is done when it is not of the older form')
  const key = keys.dataKey(book, owner, sealedKey)
  return { ...from, resealed: key.seal(column, row, key.open(column, row, sealed)) }
}
