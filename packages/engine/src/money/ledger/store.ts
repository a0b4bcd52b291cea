import type { Instant } from '@corridor/kernel'
import type { Database } from '../../mechanisms/db/database.ts'
import { type Statement, statement, statementFamily } from '../../mechanisms/db/driver.ts'
import { ledgerAccountKinds } from '../../mechanisms/ledger/chart.ts'
import { countedAtMost } from '../../mechanisms/lists/list.ts'
import type { Book } from '../../vocabulary/scope.ts'

export interface LedgerAccountRow {
  readonly id: string
  readonly currency: string
  readonly debitsMinor: bigint
  readonly creditsMinor: bigint
  readonly heldMinor: bigint
  readonly mustNotGoNegative: boolean
  readonly movedAt: Instant
  /** Of the accounts of a stablecoin; null where the currency says it. */
  readonly coinDecimals: number | null
}

const columns = `id, currency, debits_posted as "debitsMinor", credits_posted as "creditsMinor",
  debits_pending as "heldMinor", must_not_go_negative as "mustNotGoNegative", moved_at as "movedAt",
  (select s.decimals::int from stablecoins s where ledger_accounts.kind in ('coinres', 'coinout')
     and s.platform_id = ledger_accounts.platform_id and s.environment = ledger_accounts.environment
     and s.id = ledger_accounts.owner) as "coinDecimals"`

/** As the index of their order says it (0145). */
const isListed = `kind not in ('txn', 'refund', 'pfee')`
const serviceKinds = Object.entries(ledgerAccountKinds)
  .filter(([, { isOfService }]) => isOfService)
  .map(([name]) => `'${name}'`)
const isOfCustomers = `kind not in (${serviceKinds})`

export interface LedgerFilters {
  readonly kind?: readonly string[] | undefined
  /** Only with a kind: the order is by both. */
  readonly currency?: readonly string[] | undefined
  /** Resources that accounts are of, and customers, whose internal accounts count. */
  readonly owner?: readonly string[] | undefined
}

export interface LedgerPage {
  /** Whether accounts of the service are among them. */
  readonly ofService: boolean
  readonly limit: number
  readonly after: LedgerPlace | undefined
}

/** Where a page starts. */
export interface LedgerPlace {
  readonly currency: string
  readonly id: string
}

/** The internal accounts of customers, whose ledger accounts are theirs. */
const accountsOf = statement(
  'ledger.accountsOf',
  `select id from internal_accounts where platform_id = $1 and environment = $2 and owner_id = any($3::text[])`,
)

const texts = new Map<string, { readonly page: Statement; readonly count: Statement }>()

const named = (name: string, values: readonly string[] | undefined) =>
  values && (values.length > 1 ? `${name}s` : name)

/** A single value has a text of its own: only with that the index gives the order too. */
const condition = (column: string, values: readonly string[], position: number) =>
  values.length > 1 ? `${column} = any($${position}::text[])` : `${column} = $${position}`

function textsFor(filters: LedgerFilters, { ofService, after }: LedgerPage) {
  const key = [
    ofService && 'all',
    named('kind', filters.kind),
    named('currency', filters.currency),
    filters.owner && 'owner',
    after && 'after',
  ].join(' ')
  let known = texts.get(key)
  if (!known) {
    let position = 2
    const given = [
      'platform_id = $1 and environment = $2',
      isListed,
      ...(ofService ? [] : [isOfCustomers]),
      ...(filters.kind ? [condition('kind', filters.kind, ++position)] : []),
      ...(filters.currency ? [condition('currency', filters.currency, ++position)] : []),
      ...(filters.owner ? [`owner = any($${++position}::text[])`] : []),
    ]
    const order = `order by kind, currency, id`
    const counted = given.join(' and ')
    const atMost = `limit $${position + 1}`
    const start = after
      ? [
          `(kind, currency, id) > (split_part($${++position}, ':', 1), $${++position}::text, $${position - 1}::text)`,
        ]
      : []
    known = {
      count: statement(
        `ledger.accounts #${texts.size} count`,
        `select count(*) as count from (select from ledger_accounts where ${counted} ${order} ${atMost}) counted`,
      ),
      page: statement(
        `ledger.accounts #${texts.size} page`,
        `select ${columns} from ledger_accounts where ${[...given, ...start].join(' and ')} ${order} limit $${++position}`,
      ),
    }
    texts.set(key, known)
  }
  return known
}

statementFamily(() => {
  const page = { ofService: true, limit: 1, after: undefined }
  const later = { ...page, after: { currency: '', id: '' } }
  const kind = ['']
  for (const each of [page, later, { ...later, ofService: false }]) {
    for (const filters of [{}, { kind }, { kind, currency: kind }, { owner: kind }, { kind: ['', ''] }]) {
      textsFor(filters, each)
    }
  }
})

/** One account more than a page, in order, and how many there are, counted up to `countedAtMost`. */
export async function listAccounts(
  database: Database,
  book: Book,
  filters: LedgerFilters,
  page: LedgerPage,
): Promise<{ rows: LedgerAccountRow[]; totalCount: number }> {
  const { page: text, count } = textsFor(filters, page)
  const { owner } = filters
  const accounts = owner
    ? await database.read<{ id: string }>(book, accountsOf, [book.platformId, book.environment, owner])
    : []
  const asked = [filters.kind, filters.currency].filter((values) => values !== undefined)
  const given = [
    book.platformId,
    book.environment,
    ...asked.map((values) => (values.length > 1 ? values : values[0])),
    ...(owner ? [[...owner, ...accounts.map(({ id }) => id)]] : []),
  ]
  const start = page.after ? [page.after.id, page.after.currency] : []
  const [rows, counted] = await Promise.all([
    database.read<LedgerAccountRow>(book, text, [...given, ...start, page.limit + 1]),
    database.read<{ count: bigint }>(book, count, [...given, countedAtMost]),
  ])
  return { rows, totalCount: Number(counted[0]!.count) }
}

const one = statement(
  'ledger.account',
  `select ${columns} from ledger_accounts where platform_id = $1 and environment = $2 and id = $3`,
)

export async function loadAccount(
  database: Database,
  { platformId, environment, ...book }: Book,
  id: string,
): Promise<LedgerAccountRow | undefined> {
  const of = { ...book, platformId, environment }
  const [row] = await database.read<LedgerAccountRow>(of, one, [platformId, environment, id])
  return row
}
