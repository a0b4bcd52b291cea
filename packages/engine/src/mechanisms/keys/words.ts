import type { Book } from '../../vocabulary/scope.ts'
import type { Database } from '../db/database.ts'
import { loadSealedKeys, sealedKeyOf } from './data-keys.ts'
import type { Keys } from './keys.ts'
import type { SealedColumn } from './sealing.ts'

/** The column of a table that holds `Words`. */
export function wordsColumn(table: string): SealedColumn {
  return { table, column: 'words', row: 'id', owner: 'words_for', where: 'words is not null' }
}

/** The words of a row as they are read: with the key of its owner where there are any. */
export interface StoredWords {
  readonly id: string
  readonly words: string | null
  readonly wordsFor: string | null
  /** Null where nobody's key sealed them, and once the owner has been erased. */
  readonly wordsKey: string | null
}

/** The words of a row of a list, which is read without keys: `withKeys` reads those of a page at once. */
export type ListedWords = Omit<StoredWords, 'wordsKey'>
export const listedWords = 'words, words_for as "wordsFor"'

/** Asks for the keys of all owners of words among the rows, if there are any. */
export async function withKeys<R extends ListedWords>(
  database: Database,
  book: Book,
  rows: readonly R[],
): Promise<(R & StoredWords)[]> {
  const owners = new Set(rows.flatMap(({ wordsFor }) => wordsFor ?? []))
  const found = await loadSealedKeys(database, book, [...owners])
  const keys = new Map(found.map(({ id, sealedKey }) => [id, sealedKey]))
  return rows.map((row) => ({ ...row, wordsKey: keys.get(row.wordsFor ?? '') ?? null }))
}

/** What to select for `StoredWords`, of a table by its name in the statement. A row without words asks for no key. */
export function storedWordsOf(table: string): string {
  return `${table}.words, ${table}.words_for as "wordsFor",
    case when ${table}.words_for is not null then ${sealedKeyOf(table, 'words_for')} end as "wordsKey"`
}

/** Undefined where there are none, or none any more. */
export function openWords(
  keys: Pick<Keys, 'open' | 'dataKey'>,
  book: Book,
  column: SealedColumn,
  { id, words, wordsFor, wordsKey }: StoredWords,
): string | undefined {
  if (words === null) return undefined
  if (wordsFor === null) return keys.open(book, column, id, words)
  if (wordsKey === null) return undefined
  return keys.dataKey(book, wordsFor, wordsKey).open(column, id, words)
}
