import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { mostLookedThrough, mostMatches, type SearchMatch } from './contract.ts'
import { type Facts, kinds } from './kinds.ts'
import { type Asked, ranks } from './rules.ts'

type ResourceType = SearchMatch['resourceType']
type Matched = SearchMatch['matched']

export interface FoundRow {
  readonly resourceType: ResourceType
  readonly resourceId: string
  readonly matched: Matched
  readonly rank: number
  readonly status: string | null
  readonly createdAt: Instant
  readonly facts: Facts
}

function columnsOf(type: ResourceType, matched: string, rank: number): string {
  const { id = 'id', status, facts } = kinds[type]
  const told = Object.entries(facts).map(([name, column]) => `'${name}', ${column}`)
  return `'${type}' as "resourceType", ${id} as "resourceId", ${matched} as matched, ${rank} as rank, ${status} as status,
    created_at as "createdAt", jsonb_build_object(${told.join(', ')}) as facts`
}

/** Rows of the book of a kind that was asked for (`$3`), as its list shows them. */
function rowsOf(type: ResourceType, matched: Matched, rank: number, condition: string): string {
  const { table, where } = kinds[type]
  return `select ${columnsOf(type, `'${matched}'`, rank)} from ${table}
    where platform_id = $1 and environment = $2 and '${type}' = any($3::text[]) and ${condition}${where ? ` and ${where}` : ''}`
}

const byId = statement(
  'search.ids',
  (Object.keys(kinds) as ResourceType[])
    .filter((type) => kinds[type].id === undefined)
    .map((type) => rowsOf(type, 'ID', ranks.sameId, 'id = any($4::text[])'))
    .join('\nunion all\n'),
)

/**
 * Where a value stands, each with an index that begins with it: `$4` the text, `$5` its spellings, `$6` last digits, `$7` a
 * UMA address, `$9` and on the hashes of what is sealed.
 */
const values: readonly (readonly [ResourceType, Matched, string])[] = [
  ['Customer', 'PLATFORM_CUSTOMER_ID', 'platform_customer_id = $4'],
  ['Customer', 'UMA_ADDRESS', 'uma_address = $7'],
  ['Customer', 'EMAIL', 'email_hash = $9'],
  ['Customer', 'PHONE_NUMBER', 'phone_hash = $10'],
  ['Customer', 'FULL_NAME', 'name_hash = $11'],
  [
    'ExternalAccount',
    'PLATFORM_ACCOUNT_ID',
    `platform_account_id collate "C" = $4 and platform_account_id <> ''`,
  ],
  ['ExternalAccount', 'ACCOUNT_NUMBER', 'number_hash = $12'],
  ['ExternalAccount', 'LAST_DIGITS', 'ending_hash = $13'],
  ['Transaction', 'REFERENCE', 'reference = any($5::text[])'],
  ['Transaction', 'REFERENCE', 'refund_reference = any($5::text[])'],
  ['Quote', 'REFERENCE', 'payment_reference = any($5::text[])'],
  ['InternalAccount', 'REFERENCE', 'funding_reference = any($5::text[])'],
  ['Card', 'PLATFORM_CARD_ID', 'platform_card_id = $4'],
  ['Card', 'LAST_DIGITS', 'last4 = $6'],
  ['CardTransaction', 'REFERENCE', 'issuer_transaction_token = $4'],
  ['Token', 'CLIENT_ID', 'client_id = $4'],
  ['Request', 'ID', `request_id = $4 and request_id <> ''`],
]

const byValue = statement(
  'search.values',
  values
    .map(([type, matched, condition]) => {
      const rank = matched === 'ID' ? ranks.id : ranks.value
      // Offset keeps the subquery apart: otherwise a limited order may walk the whole list instead of the index of the value.
      return `(select * from (${rowsOf(type, matched, rank, condition)} offset 0) found
        order by "createdAt" desc, "resourceId" desc limit $8)`
    })
    .join('\nunion all\n'),
)

const beginnings: readonly (readonly [ResourceType, Matched, string])[] = [
  ['Customer', 'PLATFORM_CUSTOMER_ID', 'platform_customer_id'],
  ['ExternalAccount', 'PLATFORM_ACCOUNT_ID', 'platform_account_id'],
]

/** In the order of the index, so that a beginning which all have reads no more rows than are shown. */
const byBeginning = statement(
  'search.beginnings',
  beginnings
    .map(([type, matched, column]) => {
      const text = `${column} collate "C"`
      const condition = `${text} >= $4 and ${text} < $5 and ${column} <> ''`
      return `(${rowsOf(type, matched, ranks.beginning, condition)} order by ${text} limit $6)`
    })
    .join('\nunion all\n'),
)

/** What no index knows: an index for it would be one more entry for each payment. */
const amongLatest = statement(
  'search.latest',
  `select ${columnsOf(
    'Transaction',
    `case when $7 = any(sender_identifiers || receiver_identifiers) then 'UMA_ADDRESS'
       when $5::bigint is null then 'TRANSACTION_HASH' else 'AMOUNT' end`,
    ranks.value,
  )}
   from (
     select id, status, type, sent_amount, sent_currency, received_amount, received_currency, reference,
       platform_customer_id, source, destination, sender_identifiers, receiver_identifiers, created_at
     from transactions where platform_id = $1 and environment = $2 and 'Transaction' = any($3::text[])
     order by created_at desc, id desc limit $4
   ) latest
   where (sent_amount = $5::bigint and sent_currency = $6) or (received_amount = $5::bigint and received_currency = $6)
     or $7 = any(sender_identifiers || receiver_identifiers)
     or $8 in (source #>> '{onChainTransaction,transactionHash}', destination #>> '{onChainTransaction,transactionHash}')
   order by created_at desc, id desc limit $9`,
)

/** Of what was asked for; null where it cannot be meant. */
export interface Hashes {
  readonly email: string | null
  readonly phone: string | null
  readonly name: string | null
  readonly number: string | null
  readonly ending: string | null
}

/** What comes behind every text that begins with another. */
const last = '\u{10ffff}'

/**
 * What was found of these kinds, in no order, one more of each than is shown. Four statements at most, each by indexes.
 */
export async function find(
  database: Database,
  book: Book,
  types: readonly ResourceType[],
  asked: Asked,
  hashes: Hashes,
): Promise<FoundRow[]> {
  const { text, spellings, ids, beginning, amount, umaAddress, transactionHash, lastDigits } = asked
  const scope = [book.platformId, book.environment, types]
  const most = mostMatches + 1
  const isOfLatest = amount !== undefined || umaAddress !== undefined || transactionHash !== undefined
  const [minor, currency] = [amount?.minor ?? null, amount?.currency ?? null]
  const [uma, hash] = [umaAddress ?? null, transactionHash ?? null]
  const sealed = [hashes.email, hashes.phone, hashes.name, hashes.number, hashes.ending]
  const latest = [...scope, mostLookedThrough, minor, currency, uma, hash, most]
  const read = (...asked: Parameters<typeof database.read> extends [Book, ...infer Rest] ? Rest : never) =>
    database.read<FoundRow>(book, ...asked)
  const found = await Promise.all([
    ids.length > 0 ? read(byId, [...scope, ids]) : [],
    read(byValue, [...scope, text, spellings, lastDigits ?? null, uma, most, ...sealed]),
    beginning === undefined ? [] : read(byBeginning, [...scope, beginning, beginning + last, most]),
    isOfLatest ? read(amongLatest, latest) : [],
  ])
  return found.flat()
}
