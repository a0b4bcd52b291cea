import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type Scope, silently } from '../../vocabulary/scope.ts'
import type { Transaction } from './transaction.ts'

/**
 * A Lightning node pays an invoice once, and of a second payment it would show the proof of the first. All platforms of production
 * pay from one node; each sandbox is a world of its own. A claim is for good: of an invoice that failed once the node goes on
 * telling that it failed, so whoever pays again asks the payee for a new one.
 */

const holder = statement(
  'payments.invoiceHolder',
  `select transaction_id as "transactionId" from lightning_payouts
   where platform_id = $1 and environment = $2 and id = $3`,
)

/** Whether the invoice of this hash is this payment's to pay, and nobody else's; asked as often as one likes. */
export async function claimInvoice(
  { applier, database }: Engine,
  scope: Scope,
  { id }: Pick<Transaction, 'id'>,
  paymentHash: string,
): Promise<boolean> {
  await applier.apply(silently(scope), {
    inserts: [{ table: 'lightning_payouts', ifAbsent: true, row: { id: paymentHash, transaction_id: id } }],
    result: () => null,
  })
  const parameters = [scope.platformId, scope.environment, paymentHash]
  const [row] = await database.read<{ transactionId: string }>(scope, holder, parameters)
  return row?.transactionId === id
}
