import type { Keys } from '../../mechanisms/keys/keys.ts'
import { type Book, bookKey } from '../../vocabulary/scope.ts'
import { customerName } from './render.ts'
import type { Customer } from './store.ts'

/** What makes hashes for one book: the same name has another one elsewhere, so that nothing tells they are the same. */
export type Hasher = { readonly keys: Pick<Keys, 'searchHash'>; readonly book: Book }

/** Columns by which a customer is found although what they are of is sealed; null where it has told none. */
export interface SearchHashes {
  readonly email_hash: string | null
  readonly phone_hash: string | null
  readonly name_hash: string | null
}

export function searchHashesOf({ keys, book }: Hasher, customer: Pick<Customer, 'profile'>): SearchHashes {
  const { email, phoneNumber } = customer.profile
  return hashesOfTexts({ keys, book }, { email, phoneNumber, name: customerName(customer) })
}

/** Hashes of what somebody looks for, in any of the spellings that mean the same. */
export function hashesOfTexts(
  { keys, book }: Hasher,
  texts: { readonly email?: string | undefined; phoneNumber?: string | undefined; name?: string | undefined },
): SearchHashes {
  const hash = (of: string, text: string | undefined) =>
    text ? keys.searchHash(`customer ${of} ${bookKey(book)}`, text) : null
  return {
    email_hash: hash('e-mail', texts.email?.trim().toLowerCase()),
    phone_hash: hash('phone', texts.phoneNumber?.replaceAll(/\D/g, '')),
    name_hash: hash('name', texts.name === undefined ? undefined : plainName(texts.name)),
  }
}

/** In small letters without accents, single blanks between its words. */
function plainName(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll(/\s+/g, ' ')
    .trim()
}
