import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { decideErase, loadCustomer } from '../../people/customers/index.ts'
import { loadFileRemovals } from '../../people/documents/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Reply } from '../../vocabulary/operation.ts'
import type { Actor, Book } from '../../vocabulary/scope.ts'

const findBook = statement(
  'operator.findBookOfCustomer',
  'select platform_id as "platformId", environment from customers where id = $1',
)

/**
 * A payment is under way while it has an open status or a step to take, or a quote that may still be paid. Those of the platform
 * count as well that are for the customer, or go to an external account of the customer.
 */
const findPayment = statement(
  'operator.findPaymentUnderWay',
  `select 1 as found from transactions t
   where t.platform_id = $1 and t.environment = $2 and t.owner_id = $3
     and (t.status not in ('COMPLETED', 'REJECTED', 'FAILED', 'REFUNDED', 'EXPIRED')
          or exists (select from jobs j where j.platform_id = $1 and j.environment = $2 and j.key = t.id))
   union all
   select 1 from quotes q
   where q.platform_id = $1 and q.environment = $2 and q.owner_id = $3
     and q.status in ('PENDING', 'PENDING_AUTHORIZATION')
   union all
   select 1 from (
     select key as id from jobs where platform_id = $1 and environment = $2
     union all select id from held_payouts where platform_id = $1 and environment = $2
   ) w
   join transactions t on t.id = w.id and t.platform_id = $1 and t.environment = $2
   where t.flow ->> 'onBehalfOf' = $3 or exists (
     select from external_accounts a where a.platform_id = $1 and a.environment = $2 and a.owner_id = $3
       and a.id in (t.flow -> 'funding' ->> 'accountId', t.flow -> 'delivery' ->> 'accountId'))
   limit 1`,
)

/**
 * Makes what is known about a deleted customer unreadable for good. USER_NOT_FOUND; CONFLICT for one that is
 * active, because platforms delete their customers themselves, and for one whose payments still need to know
 * where the money goes. Erasing twice is erasing once, and takes what a release of before had left.
 */
export async function eraseCustomer(
  engine: Engine,
  actor: Actor,
  id: string,
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  const [book] = await database.system((connection) => connection.query<Book>(findBook, [id]))
  if (!book) return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id }))
  const scope = await engine.clock.scope(book, actor)
  const erased = await commit(engine.applier, scope, async () => {
    const customer = await loadCustomer(engine, scope, id)
    if (!customer) return failed(fail('USER_NOT_FOUND', { resourceType: 'Customer', id }))
    if (customer.deletedAt === null) {
      return failed(fail('CONFLICT', { customerId: id, reason: 'CUSTOMER_ACTIVE' }))
    }
    const parameters = [book.platformId, book.environment, id]
    const underWay = await database.read(book, findPayment, parameters)
    if (underWay.length > 0) return failed(fail('CONFLICT', { customerId: id, reason: 'PAYMENTS_UNDER_WAY' }))
    const files = await loadFileRemovals(database, scope, id)
    return ok(decideErase(scope, customer, { erasure: engine.erasure, jobs: files }))
  })
  return erased.ok ? ok({ status: 204 }) : erased
}
