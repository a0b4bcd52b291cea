import type { Id } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'

/** That an internal account funds a card; what the key of a wallet is made for (wallets 9.2). */
export interface CardFundingSource {
  readonly id: Id<'CardFundingSource'>
  readonly version: bigint
  readonly cardId: Id<'Card'>
  readonly accountId: Id<'InternalAccount'>
  readonly status: 'ACTIVE' | 'INACTIVE'
}

const columns = 'id, version, card_id as "cardId", account_id as "accountId", status'

const ofCard = statement(
  'cardFunding.ofCard',
  `select ${columns} from card_funding_sources where platform_id = $1 and environment = $2 and card_id = $3
   order by id`,
)
const byPair = statement(
  'cardFunding.byPair',
  `select ${columns} from card_funding_sources
   where platform_id = $1 and environment = $2 and card_id = $3 and account_id = $4`,
)

/** Every account that funds the card or ever did. */
export async function loadFundingSources(
  database: Database,
  book: Book,
  cardId: string,
): Promise<CardFundingSource[]> {
  return database.read<CardFundingSource>(book, ofCard, [book.platformId, book.environment, cardId])
}

/** The binding of one account to one card, whatever its status. */
export async function loadFundingSource(
  database: Database,
  book: Book,
  { cardId, accountId }: { readonly cardId: string; readonly accountId: string },
): Promise<CardFundingSource | undefined> {
  const parameters = [book.platformId, book.environment, cardId, accountId]
  const [source] = await database.read<CardFundingSource>(book, byPair, parameters)
  return source
}
