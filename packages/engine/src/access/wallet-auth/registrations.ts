import type { Database } from '../../mechanisms/db/database.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'

const find = statement(
  'passkeyRegistrations.find',
  'select id from passkey_registrations where platform_id = $1 and environment = $2 and id = $3',
)

/** Whether a passkey of the account was registered under this challenge, even if it is gone (wallets 5.2). */
export async function isRegistrationUsed(
  { database }: { readonly database: Database },
  book: Book,
  id: string,
): Promise<boolean> {
  return (await database.read(book, find, [book.platformId, book.environment, id])).length > 0
}
