import type { Id, Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book, Environment } from '../../vocabulary/scope.ts'
import type { DeclaredVolume } from '../verifications/index.ts'

export interface WaitingReview extends Book {
  readonly verificationId: Id<'Verification'>
  readonly customerId: Id<'Customer'>
  readonly submittedAt: Instant
  /** Which submission of the customer it is. */
  readonly number: number
  readonly declaredVolume: DeclaredVolume | null
}

export const listLimit = 1000

const waiting = statement(
  'reviews.waiting',
  `select v.platform_id as "platformId", v.environment, v.id as "verificationId",
     v.customer_id as "customerId", v.created_at as "submittedAt", v.number,
     v.declared_volume as "declaredVolume"
   from verifications v
   join customers c on c.platform_id = v.platform_id and c.environment = v.environment and c.id = v.customer_id
   where v.status = 'PENDING_MANUAL_REVIEW' and c.deleted_at is null
   order by v.created_at, v.id limit $1`,
)

/** Who waits on any platform: the operator's people see all of them. */
export async function listWaitingReviews(database: Database): Promise<WaitingReview[]> {
  return database.system((connection) => connection.query<WaitingReview>(waiting, [listLimit]))
}

const bookOf = statement(
  'reviews.bookOf',
  'select platform_id as "platformId", environment from verifications where id = $1',
)

/** In which book a verification is. */
export async function findBookOfVerification(database: Database, id: string): Promise<Book | undefined> {
  type Row = { platformId: string; environment: Environment }
  const [row] = await database.system((connection) => connection.query<Row>(bookOf, [id]))
  return row
}
