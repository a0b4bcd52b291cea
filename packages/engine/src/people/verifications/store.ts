import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { SealedColumn } from '../../mechanisms/keys/sealing.ts'
import { defineList, equals } from '../../mechanisms/lists/list.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { Customer } from '../customers/index.ts'
import type { VerificationError, VerificationStatus } from './contract.ts'

export type DeclaredVolume = NonNullable<Customer['profile']['expectedMonthlyTransactionVolume']>

export interface Verification {
  readonly id: Id<'Verification'>
  readonly version: bigint
  readonly customerId: Id<'Customer'>
  /** 1, 2, 3 … of the customer. */
  readonly number: number
  readonly status: Exclude<VerificationStatus, 'IN_PROGRESS' | 'READY_FOR_VERIFICATION'>
  readonly errors: readonly VerificationError[]
  /** What the reviewer wrote, sealed with the key of the customer. */
  readonly noteSealed: string | null
  /** What its customer said when it was submitted that it will move in a month. */
  readonly declaredVolume: DeclaredVolume | null
  readonly createdAt: Instant
  readonly updatedAt: Instant
}

/** One note decides all verifications of a customer that are in review, so it is bound to the customer. */
export const sealedNotes: SealedColumn = {
  table: 'verifications',
  column: 'review_note',
  row: 'customer_id',
  owner: 'customer_id',
  formerly: 'review note',
}

export const columns = `id, version, customer_id as "customerId", number, status, errors, review_note as "noteSealed",
  declared_volume as "declaredVolume",
  created_at as "createdAt", updated_at as "updatedAt"`

const load = statement(
  'verifications.load',
  `select ${columns} from verifications where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadVerification(
  database: Database,
  book: Book,
  id: string,
): Promise<Verification | undefined> {
  const [row] = await database.read<Verification>(book, load, [book.platformId, book.environment, id])
  return row
}

const newest = statement(
  'verifications.newest',
  `select ${columns} from verifications where platform_id = $1 and environment = $2 and customer_id = $3
   order by number desc limit 1`,
)

export async function loadNewestVerification(
  database: Database,
  book: Book,
  customerId: string,
): Promise<Verification | undefined> {
  const [row] = await database.read<Verification>(book, newest, [
    book.platformId,
    book.environment,
    customerId,
  ])
  return row
}

const inReview = statement(
  'verifications.inReview',
  `select ${columns} from verifications where platform_id = $1 and environment = $2 and customer_id = $3
     and status = 'PENDING_MANUAL_REVIEW' order by number`,
)

/** What of a customer waits for a person; two when an incomplete submission came between. */
export async function loadVerificationsInReview(
  database: Database,
  book: Book,
  customerId: string,
): Promise<Verification[]> {
  return database.read<Verification>(book, inReview, [book.platformId, book.environment, customerId])
}

export const verificationList = defineList<Verification>()({
  name: 'verifications.list',
  table: 'verifications',
  columns,
  filters: { customerId: equals('customer_id'), verificationStatus: equals('status') },
  kept: [{ filters: {}, total: { list: 'verifications', parts: [''] } }],
})
