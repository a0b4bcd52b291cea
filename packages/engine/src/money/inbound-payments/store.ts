import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { InternalAccount } from '../../platform/internal-accounts/index.ts'
import { loadInternalAccount } from '../../platform/internal-accounts/index.ts'
import type { Book } from '../../vocabulary/scope.ts'

export type InboundOutcome = 'CREDITED' | 'FUNDED_QUOTE' | 'REFUNDED' | 'SUSPENSE'

export interface BookedPayment {
  readonly id: string
  readonly outcome: InboundOutcome
  readonly transactionId: string | null
}

/** A payment as its rail told of it first, and what was done with it. */
export interface RecordedPayment extends BookedPayment {
  readonly currency: string
  readonly amountMinor: bigint
}

const load = statement(
  'inboundPayments.load',
  `select id, outcome, transaction_id as "transactionId", currency, amount as "amountMinor" from inbound_payments
   where platform_id = $1 and environment = $2 and id = $3`,
)

/** What was done with a payment when its rail told of it first. */
export async function loadBooked(
  database: Database,
  book: Book,
  id: string,
): Promise<RecordedPayment | undefined> {
  const [row] = await database.read<RecordedPayment>(book, load, [book.platformId, book.environment, id])
  return row
}

const findByReference = statement(
  'inboundPayments.findAccount',
  'select id from internal_accounts where platform_id = $1 and environment = $2 and funding_reference = $3',
)

/** The internal account whose funding instructions carry this reference. */
export async function findAccountByReference(
  database: Database,
  book: Book,
  reference: string,
): Promise<InternalAccount | undefined> {
  const [row] = await database.read<{ id: string }>(book, findByReference, [
    book.platformId,
    book.environment,
    reference,
  ])
  return row && loadInternalAccount(database, book, row.id)
}
