import type { Environment } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { statement } from '../db/driver.ts'
import { sealedDataKeys } from './data-keys.ts'
import type { RingKeys } from './keys.ts'
import type { SealedColumn } from './sealing.ts'

/** Where a walk through the texts of a column has come to. */
export interface Position {
  readonly row: string
  readonly platform: string
  readonly environment: string
}

export const beforeAll: Position = { row: '', platform: '', environment: '' }

export interface SealedRow extends Position {
  readonly environment: Environment
  readonly sealed: string
  readonly owner: string | null
  /** Null where there is an owner: it has been erased, and the text with it. */
  readonly sealedKey: string | null
}

/** The select of the texts of one column after the position $1 to $3, without order and limit. */
export function textsAfter(column: SealedColumn, condition = 'true'): string {
  const { table, column: name, row, owner, where = 'true', isOfInstallation } = column
  const platform = isOfInstallation ? "'installation'" : 't.platform_id::text'
  const sealedKey = owner
    ? `(select k.sealed_key from data_keys k where k.platform_id = t.platform_id
         and k.environment = t.environment and k.owner_id = t.${owner})`
    : 'null'
  return `select * from (
    select (${row})::text as "row", ${platform} as platform, t.environment as environment,
      t.${name} as sealed, ${owner ? `t.${owner}` : 'null'}::text as owner, ${sealedKey} as "sealedKey"
    from ${table} t where t.${name} is not null and ${where} and ${condition}
  ) texts where ("row", platform, environment) > ($1, $2, $3)`
}

export interface SealedTextsReport {
  /** Texts that open. */
  readonly opened: number
  /** Texts whose owner has been erased, so that nothing opens them: as it should be. */
  readonly erased: number
  /** Texts that do not open although they should, by column; at most one row of each is named. */
  readonly unreadable: readonly {
    readonly column: string
    readonly texts: number
    readonly firstRow: string
  }[]
}

const batchSize = 500

/** Opens every sealed text of a database, and keeps none of them: whether these keys belong to it. */
export async function checkSealedTexts(
  database: Database,
  keys: RingKeys,
  columns: readonly SealedColumn[],
): Promise<SealedTextsReport> {
  let opened = 0
  let erased = 0
  const unreadable: { column: string; texts: number; firstRow: string }[] = []
  for (const column of columns) {
    const name = `${column.table}.${column.column}`
    const next = statement(
      `sealedTexts.next ${name}`,
      `${textsAfter(column)} order by "row", platform, environment limit $4`,
    )
    let after = beforeAll
    for (;;) {
      const rows = await database.system((connection) =>
        connection.query<SealedRow>(next, [after.row, after.platform, after.environment, batchSize]),
      )
      if (rows.length === 0) break
      for (const row of rows) {
        if (row.owner !== null && row.sealedKey === null) erased++
        else if (opens(keys, column, row)) opened++
        else {
          const known = unreadable.find((entry) => entry.column === name)
          if (known) known.texts++
          else unreadable.push({ column: name, texts: 1, firstRow: row.row })
        }
      }
      after = rows.at(-1)!
    }
  }
  return { opened, erased, unreadable }
}

function opens(keys: RingKeys, column: SealedColumn, from: SealedRow): boolean {
  const { row, platform, environment, sealed, owner, sealedKey } = from
  const book = { platformId: platform, environment }
  try {
    if (owner === null || sealedKey === null || column === sealedDataKeys)
      keys.open(book, column, row, sealed)
    else keys.dataKey(book, owner, sealedKey).open(column, row, sealed)
    return true
  } catch {
    return false
  }
}
