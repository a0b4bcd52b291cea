import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Book, type Scope, silently } from '../../vocabulary/scope.ts'
import type { Transaction } from './transaction.ts'

/**
 * A Lightning node pays an invoice once, and of a second payment it would show the proof of the first. All platforms of production
 * pay from one node; each sandbox is a world of its own. A claim is for good: of an invoice that failed once the node goes on
 * telling that it failed, so whoever pays again asks the payee for a new one.
 *
 * It is written right before the node is told, so it also says whether the node may know a payment: without it, nobody has begun.
 */

/**
 * MADE: by this very call, so nobody has handed the payment over before and nobody else will. HELD: by an earlier attempt, which
 * may have. TAKEN: by another payment.
 */
export type InvoiceClaim = 'MADE' | 'HELD' | 'TAKEN'

interface Holder {
  readonly transactionId: string
  /** Null where an earlier release made it. */
  readonly claim: string | null
}

const holder = statement(
  'payments.invoiceHolder',
  `select transaction_id as "transactionId", claim from lightning_payouts
   where platform_id = $1 and environment = $2 and id = $3`,
)

/** Claims the invoice of this hash for a payment; asked as often as one likes, it is MADE once. */
export async function claimInvoice(
  { applier, database, world }: Engine,
  scope: Scope,
  { id }: Pick<Transaction, 'id'>,
  paymentHash: string,
): Promise<InvoiceClaim> {
  const claim = world.uuid()
  const row = { id: paymentHash, transaction_id: id, claim }
  await applier.apply(silently(scope), {
    inserts: [{ table: 'lightning_payouts', ifAbsent: true, row }],
    result: () => null,
  })
  const held = await holderOf(database, scope, paymentHash)
  if (held?.transactionId !== id) return 'TAKEN'
  return held.claim === claim ? 'MADE' : 'HELD'
}

/** Whether this payment has claimed the invoice: without that, nobody has handed it to the node. */
export async function hasInvoice(
  { database }: Engine,
  book: Book,
  { id }: Pick<Transaction, 'id'>,
  paymentHash: string,
): Promise<boolean> {
  return (await holderOf(database, book, paymentHash))?.transactionId === id
}

async function holderOf(database: Database, book: Book, paymentHash: string): Promise<Holder | undefined> {
  const parameters = [book.platformId, book.environment, paymentHash]
  const [row] = await database.read<Holder>(book, holder, parameters)
  return row
}
