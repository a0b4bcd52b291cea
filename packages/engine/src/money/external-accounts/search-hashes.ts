import { upperAscii } from '@corridor/kernel'
import type { Keys } from '../../mechanisms/keys/keys.ts'
import { type Book, bookKey } from '../../vocabulary/scope.ts'

/** Columns by which an account is found although its number is sealed. */
export interface SearchHashes {
  readonly number_hash: string
  readonly ending_hash: string
}

/** Characters that are told of a number where all of it would be too much. */
export const endingLength = 4

/** Of a whole number, address or name of an account, blanks and hyphens aside. */
export function searchHashesOf(keys: Pick<Keys, 'searchHash'>, book: Book, number: string): SearchHashes {
  const plain = upperAscii(number.replaceAll(/[\s-]/g, ''))
  const hash = (of: string, text: string) => keys.searchHash(`external account ${of} ${bookKey(book)}`, text)
  return { number_hash: hash('number', plain), ending_hash: hash('ending', plain.slice(-endingLength)) }
}
