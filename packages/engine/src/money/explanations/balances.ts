import { type Id, type Instant, isId, toTimestamp } from '@corridor/kernel'
import { statement } from '../../mechanisms/db/driver.ts'
import type { Engine } from '../../mechanisms/feature/engine.ts'
import { bodyColumns, openBody, type SealedBody } from '../../mechanisms/outbox/sealed-bodies.ts'
import type { Book } from '../../vocabulary/scope.ts'
import type { Explanation, ExplanationJournal } from './contract.ts'

type Balance = NonNullable<Explanation['balances']>[number]

interface ToldRow extends SealedBody {
  readonly resourceId: string
  readonly createdAt: Instant
}

/** More than one payment moves of accounts, times how often it does. */
const mostTold = 100

/** Found by their moments, which are those of the journals: the index of events by time has no more to give. */
const told = statement(
  'explanations.balances',
  `select id, resource_id as "resourceId", created_at as "createdAt", ${bodyColumns('events')} from events
   where platform_id = $1 and environment = $2 and created_at = any($3::timestamptz[])
     and type = 'INTERNAL_ACCOUNT.BALANCE_UPDATED' and resource_id = any($4::text[])
   order by created_at, id limit $5`,
)

/**
 * What could be spent of each internal account before and after this payment moved it, as the events of these moments told it.
 * An account is left out where that cannot be told: its events are gone, or another payment moved it at the same moment.
 */
export async function balancesOf(
  { database, keys }: Pick<Engine, 'database' | 'keys'>,
  book: Book,
  journals: readonly ExplanationJournal[],
): Promise<Balance[]> {
  const moves = journals.flatMap(movesOf)
  const accounts = [...new Set(moves.map(({ account }) => account))]
  if (accounts.length === 0) return []
  const moments = [...new Set(moves.map(({ at }) => at))]
  const rows = await database.read<ToldRow>(book, told, [
    book.platformId,
    book.environment,
    moments,
    accounts,
    mostTold,
  ])
  return accounts.flatMap((account): Balance[] => {
    const own = moves.filter((move) => move.account === account)
    const events = rows.filter(({ resourceId }) => resourceId === account)
    const isClear = moments.every(
      (moment) =>
        events.filter(({ createdAt }) => toTimestamp(createdAt) === moment).length ===
        own.filter(({ at }) => at === moment).length,
    )
    if (!isClear) return []
    const changes = own.flatMap(({ step, at, change }, index) => {
      const after = balanceIn(openBody(keys, book, events[index]!))
      return after === undefined ? [] : [{ step, at, before: `${after - change}`, after: `${after}` }]
    })
    if (changes.length < own.length) return []
    return [{ account, currency: own[0]!.currency, changes }]
  })
}

interface Move {
  readonly account: Id<'InternalAccount'>
  readonly currency: string
  readonly step: string
  readonly at: string
  /** Of what can be spent, in minor units. */
  readonly change: bigint
}

/** One for each internal account that a journal moves. What was held before is gone already when it is posted. */
function movesOf({ step, at, postings }: ExplanationJournal): Move[] {
  const changes = new Map<Id<'InternalAccount'>, Move>()
  const add = (ledgerAccount: string, currency: string, by: bigint) => {
    const [, account = ''] = /^avail:(.+)$/.exec(ledgerAccount) ?? []
    if (!isId('InternalAccount', account)) return
    const before = changes.get(account)?.change ?? 0n
    changes.set(account, { account, currency, step, at, change: before + by })
  }
  for (const { kind, from, to, value } of postings) {
    const amount = BigInt(value.amount)
    add(from, value.currency, kind === 'VOID_PENDING' ? amount : kind === 'POST_PENDING' ? 0n : -amount)
    // A hold is nothing yet for whoever it may go to.
    add(to, value.currency, kind === 'POSTED' || kind === 'POST_PENDING' ? amount : 0n)
  }
  return [...changes.values()]
}

/** Undefined once the customer has been erased, whose events say nothing any more. */
function balanceIn(body: string): bigint | undefined {
  const { data } = JSON.parse(body) as { data: { balance?: { amount: number } } }
  return data.balance && BigInt(data.balance.amount)
}
