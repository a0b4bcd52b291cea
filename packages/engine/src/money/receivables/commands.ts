import { failed, ok, type Result } from '@corridor/kernel'
import { commit } from '../../mechanisms/db/apply.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { type PageQuery, readPage, toPage } from '../../mechanisms/lists/pages.ts'
import { loadCustomer } from '../../people/customers/index.ts'
import {
  fundingReference,
  loadOwnedInternalAccount,
  platformOwner,
} from '../../platform/internal-accounts/index.ts'
import { type Failure, fail } from '../../vocabulary/errors.ts'
import type { Call, Reply } from '../../vocabulary/operation.ts'
import type { Actor, Book, Scope } from '../../vocabulary/scope.ts'
import { loadReceivable, type Receivable, renderReceivable } from '../payments/index.ts'
import type { listReceivables } from './contract.ts'
import { type CollectFacts, decideCollect, decideWriteOff } from './rules.ts'
import { findBookOfReceivable, receivableList } from './store.ts'

type Filters = Omit<Call<typeof listReceivables>['query'], keyof PageQuery>

/** One page of the open and settled receivables of a book (conventions 7). */
export async function readReceivables(
  { database, keys }: Engine,
  book: Book,
  query: Filters & PageQuery,
): Promise<Result<Reply, Failure>> {
  const { limit, cursor, sortOrder, ...asked } = query
  const own = `PlatformConfig:${book.platformId}`
  const filters = { ...asked, customerId: asked.customerId?.map((id) => (id === own ? platformOwner : id)) }
  const page = readPage(keys, book, 'receivables', query, filters)
  if (!page.ok) return page
  const { rows, totalCount } = await receivableList.read(database, book, filters, page.value)
  const body = toPage(keys, book, 'receivables', page.value, filters, rows, totalCount, renderReceivable)
  return ok({ status: 200, body })
}

export async function readReceivable(
  { database }: Engine,
  book: Book,
  id: string,
): Promise<Result<Reply, Failure>> {
  const receivable = await loadReceivable(database, book, id)
  return receivable ? ok({ status: 200, body: renderReceivable(receivable) }) : failed(unknown(id))
}

/** Finds a receivable of any book by its id. */
export async function readReceivableOfAny(engine: Engine, id: string): Promise<Result<Reply, Failure>> {
  const book = await findBookOfReceivable(engine.database, id)
  return book ? readReceivable(engine, book, id) : failed(unknown(id))
}

/** Collects the outstanding amount from the owner's account. */
export async function collectReceivable(
  engine: Engine,
  scope: Scope,
  id: string,
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  return commit(engine.applier, scope, async () => {
    const receivable = await loadReceivable(database, scope, id)
    if (!receivable) return failed(unknown(id))
    return decideCollect(scope, receivable, await loadFacts(engine, scope, receivable))
  })
}

export async function collectReceivableOfAny(
  engine: Engine,
  actor: Actor,
  id: string,
): Promise<Result<Reply, Failure>> {
  const book = await findBookOfReceivable(engine.database, id)
  if (!book) return failed(unknown(id))
  return collectReceivable(engine, await engine.clock.scope(book, actor), id)
}

/** Writes off what is left when it is decided: a payment meanwhile lowers it. */
export async function writeOffReceivableOfAny(
  engine: Engine,
  actor: Actor,
  id: string,
): Promise<Result<Reply, Failure>> {
  const { database } = engine
  const book = await findBookOfReceivable(database, id)
  if (!book) return failed(unknown(id))
  const scope = await engine.clock.scope(book, actor)
  return commit(engine.applier, scope, async () => {
    const receivable = await loadReceivable(database, scope, id)
    if (!receivable) return failed(unknown(id))
    const { ownerId, currency } = receivable
    return decideWriteOff(
      scope,
      receivable,
      await loadOwnedInternalAccount(database, scope, ownerId, currency),
    )
  })
}

export async function loadFacts(
  engine: Engine,
  scope: Scope,
  { ownerId, currency }: Receivable,
): Promise<CollectFacts> {
  const [account, customer] = await Promise.all([
    loadOwnedInternalAccount(engine.database, scope, ownerId, currency),
    ownerId === platformOwner ? undefined : loadCustomer(engine, scope, ownerId),
  ])
  return {
    account,
    platformCustomerId: customer?.platformCustomerId ?? platformOwner,
    recordId: engine.world.id('Transaction'),
    reference: `REF-${fundingReference(engine.world)}`,
  }
}

function unknown(id: string): Failure {
  return fail('REFERENCE_NOT_FOUND', { resourceType: 'Receivable', id })
}
