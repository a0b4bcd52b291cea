import { type Id, type Instant, toTimestamp } from '@corridor/kernel'
import { batched } from '../../mechanisms/db/batched-loads.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import type { Customer } from '../../people/customers/index.ts'
import { keyOf } from '../../people/customers/index.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import type { Challenge } from './challenges.ts'
import type { FactorReset } from './resets.ts'
import { newState, openFactors, type ScaState } from './state.ts'

const loadStateRow = statement(
  'sca.loadState',
  `select version, failed_attempts as "failedAttempts", locked_until as "lockedUntil",
     is_suspended as "isSuspended", session_expires_at as "sessionExpiresAt", factors
   from sca_customers where platform_id = $1 and environment = $2 and id = $3`,
)

type StateRow = Omit<ScaState, 'customerId' | 'factors'> & { readonly factors: string }

/** How a customer stands; one about whom nothing is on record yet has not done anything. */
export async function loadState(
  { database }: Pick<Engine, 'database'>,
  book: Book,
  customer: Pick<Customer, 'id' | 'dataKey'>,
): Promise<ScaState> {
  const [row] = await database.read<StateRow>(book, loadStateRow, [
    book.platformId,
    book.environment,
    customer.id,
  ])
  if (!row) return newState(customer.id)
  return { ...row, customerId: customer.id, factors: openFactors(keyOf(customer), customer.id, row.factors) }
}

const challengeColumns = `id, version, customer_id as "customerId", kind, subject_id as "subjectId", factor, purpose,
  status, code_hash as "codeHash", passkey_challenge as "passkeyChallenge",
  credential_id as "credentialId", answered_at as "answeredAt",
  resent_at as "resentAt", created_at as "createdAt", expires_at as "expiresAt"`

const loadPendingRow = statement(
  'sca.loadPending',
  `select ${challengeColumns} from sca_challenges
   where platform_id = $1 and environment = $2 and subject_id = $3 and status = 'PENDING'`,
)

/** What is being asked about a subject: a login, a quote or an external account. */
export async function loadPendingChallenge(
  { database }: Pick<Engine, 'database'>,
  book: Book,
  subjectId: string,
): Promise<Challenge | undefined> {
  const [row] = await database.read<Challenge>(book, loadPendingRow, [
    book.platformId,
    book.environment,
    subjectId,
  ])
  return row
}

const overduePayments = statement(
  'sca.overduePayments',
  `select subject_id as "quoteId" from sca_challenges
   where platform_id = $1 and environment = $2 and status = 'PENDING' and kind = 'PAYMENT' and expires_at <= $3
     and subject_id > $4
   order by subject_id limit 200`,
)

interface OverdueAsk {
  readonly now: Instant
  readonly after: string
}

/** Every list asks for it, so those who ask at once ask together. */
const findOverdue = batched<Database, OverdueAsk, { readonly after: string; readonly quoteId: string }>({
  async run(database, book, asks) {
    const found = asks.map(async ({ now, after }) => {
      const parameters = [book.platformId, book.environment, toTimestamp(now), after]
      const rows = await database.read<{ quoteId: string }>(book, overduePayments, parameters)
      return rows.map(({ quoteId }) => ({ after, quoteId }))
    })
    return (await Promise.all(found)).flat()
  },
  keyOf: ({ after }) => after,
  answers: ({ after }) => after,
})

/** Quotes whose customer has let the time pass and which nobody has ended yet: 200 at a time, in order of their ids. */
export async function loadOverduePayments(
  { database }: Pick<Engine, 'database'>,
  book: Book,
  ask: OverdueAsk,
): Promise<string[]> {
  return (await findOverdue(database, book, [ask])).map(({ quoteId }) => quoteId)
}

/** Questions that were settled long ago go with the next one to the same customer. */
export const forgetSettled = statement(
  'sca.forgetSettled',
  `delete from sca_challenges
   where platform_id = $1 and environment = $2 and customer_id = $3 and expires_at < $4
     and (status <> 'PENDING' or kind <> 'PAYMENT')`,
)

const resetColumns = `id, version, customer_id as "customerId", factor, status, reads, is_enrolled as "isEnrolled",
  created_at as "createdAt", expires_at as "expiresAt", completed_at as "completedAt"`

const loadResetRow = statement(
  'sca.loadReset',
  `select ${resetColumns} from sca_resets where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadReset(
  { database }: Pick<Engine, 'database'>,
  book: Book,
  id: string,
): Promise<FactorReset | undefined> {
  const [row] = await database.read<FactorReset>(book, loadResetRow, [book.platformId, book.environment, id])
  return row
}

const startedSince = statement(
  'sca.resetsSince',
  `select created_at as "createdAt" from sca_resets
   where platform_id = $1 and environment = $2 and customer_id = $3 and created_at > $4
   order by created_at`,
)

/** When a customer's resets were started, from an instant on, the oldest first. */
export async function loadResetStarts(
  { database }: Pick<Engine, 'database'>,
  book: Book,
  customerId: string,
  since: string,
): Promise<Instant[]> {
  const rows = await database.read<{ createdAt: Instant }>(book, startedSince, [
    book.platformId,
    book.environment,
    customerId,
    since,
  ])
  return rows.map(({ createdAt }) => createdAt)
}

/** The lost factor is there again: every completed reset of it shows so. */
export const markEnrolled = statement(
  'sca.markEnrolled',
  `update sca_resets set is_enrolled = true, version = version + 1
   where platform_id = $1 and environment = $2 and customer_id = $3 and factor = $4 and status = 'COMPLETED'
     and not is_enrolled`,
)

/** By way of the books, because the operator names a reset by its id alone. */
const bookOfReset = statement(
  'sca.bookOfReset',
  `select b.platform_id as "platformId", b.environment from books b
   join sca_resets r on r.platform_id = b.platform_id and r.environment = b.environment and r.id = $1`,
)

export async function findBookOfReset(
  { database }: Pick<Engine, 'database'>,
  id: Id<'ScaReset'>,
): Promise<Book | undefined> {
  type Row = { platformId: string; environment: Environment }
  const [row] = await database.system((connection) => connection.query<Row>(bookOfReset, [id]))
  return row
}
