import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { FactKind, Relied } from '../../vocabulary/decision.ts'
import type { Book } from '../../vocabulary/scope.ts'

/** A customer who is deleted could never pay: what is owed is collected first, and card charges are resolved. */
const openDebts = (id: string) =>
  `select 1 as found from receivables r
   where r.platform_id = $1 and r.environment = $2 and r.owner_id = ${id} and r.status = 'OPEN'
   union all
   select 1 from card_transactions c
   where c.platform_id = $1 and c.environment = $2 and c.customer_id = ${id} and c.status = 'EXCEPTION'
   limit 1`

const owed = statement('customers.owed', openDebts('$3'))

export async function owesSomething(database: Database, book: Book, customerId: string): Promise<boolean> {
  const parameters = [book.platformId, book.environment, customerId]
  return (await database.read(book, owed, parameters)).length > 0
}

const debts: FactKind = {
  name: 'debts of customers',
  stampOf: (id) => `(select case when exists (${openDebts(id)}) then 'OWES' else 'OWES_NOTHING' end)`,
}

/** Makes a decision stale when the customer owes something by the time it is written. */
export function whileNothingIsOwed(customerId: string): Relied {
  return { kind: debts, id: customerId, stamp: 'OWES_NOTHING' }
}
