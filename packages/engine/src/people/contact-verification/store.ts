import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'

export interface ContactCode {
  readonly id: string
  readonly version: bigint
  /** Null once the code is void. */
  readonly codeHash: string | null
  readonly wrongAttempts: number
  readonly sentAt: Instant
  readonly expiresAt: Instant
}

export type Channel = 'email' | 'phone'

export function codeIdOf(channel: Channel, customerId: string): string {
  return `${channel} ${customerId}`
}

const load = statement(
  'contactCodes.load',
  `select id, version, code_hash as "codeHash", wrong_attempts as "wrongAttempts", sent_at as "sentAt",
     expires_at as "expiresAt"
   from contact_codes where platform_id = $1 and environment = $2 and id = $3`,
)

/** The last code that was sent to a contact of a customer, if any. */
export async function loadContactCode(
  database: Database,
  book: Book,
  channel: Channel,
  customerId: string,
): Promise<ContactCode | undefined> {
  const parameters = [book.platformId, book.environment, codeIdOf(channel, customerId)]
  const [code] = await database.read<ContactCode>(book, load, parameters)
  return code
}
