import {
  type Instant,
  largestWireMinor,
  mulDivCeil,
  parseRate,
  toTimestamp,
  toWireAmount,
} from '@corridor/kernel'
import { batchedLoad } from '../../mechanisms/db/batched-loads.ts'
import type { Database } from '../../mechanisms/db/database.ts'
import type { Book } from '../../vocabulary/scope.ts'
import { statement } from '../../vocabulary/statement.ts'
import type { Agent } from './agent.ts'
import type { AgentUsage } from './schemas.ts'

/**
 * What an agent has used of its limits (wallets 12.3): counters of its own for each UTC day and month, raised in
 * the commit of what they count. A new window has new counters, so that nothing is ever reset.
 */
export interface Usage {
  readonly dailyCount: bigint
  /** In the currency of the limits, with what was counted in former ones; minor units. */
  readonly dailySpendMinor: bigint
  readonly monthlySpendMinor: bigint
  /** The part of both that was counted in former currencies: it changes no more. */
  readonly formerDailyMinor: bigint
  readonly formerMonthlyMinor: bigint
}

/** The names of an agent's counters at a time. */
export function countersOf(agentId: string, currency: string, now: Instant) {
  const day = toTimestamp(now).slice(0, 10)
  const month = day.slice(0, 7)
  return {
    dailyCount: `${agentId}/${day}`,
    dailySpend: `${agentId}/${day}/${currency}`,
    monthlySpend: `${agentId}/${month}/${currency}`,
  }
}

const loadCounters = batchedLoad<{ readonly id: string; readonly used: bigint }>(
  statement(
    'agents.usage',
    `select id, used from volume_counters
     where platform_id = $1 and environment = $2 and id = any($3::text[])`,
  ),
)

const forget = statement(
  'agents.forgetUsage',
  `delete from volume_counters c using books b
   where b.platform_id = c.platform_id and b.environment = c.environment
     and c.id like 'Agent:%'
     and split_part(c.id, '/', 2) collate "C" < to_char(
       ($1::timestamptz + b.clock_offset_ms * interval '1 millisecond') at time zone 'UTC' - interval '1 month',
       'YYYY-MM')`,
)

/**
 * Removes the counters of windows that ended before the last month of their book: nobody counts on in them, and
 * nobody reads them. `now` is real time.
 */
export async function forgetOldUsage(database: Database, now: Instant): Promise<void> {
  await database.maintenance((connection) => connection.query(forget, [toTimestamp(now)]))
}

/**
 * Read after its agent, so that former currencies are complete: an action that is counted in one of them requires
 * the agent of that time, and comes before the change or not at all.
 */
export async function loadUsage(database: Database, book: Book, agent: Agent, now: Instant): Promise<Usage> {
  const [usage] = await loadUsages(database, book, [agent], now)
  return usage!
}

/** The same for several, in one read and in their order. */
export async function loadUsages(
  database: Database,
  book: Book,
  agents: readonly Agent[],
  now: Instant,
): Promise<Usage[]> {
  const windows = agents.map(({ id, policy, formerCurrencies }) => ({
    present: countersOf(id, policy.spendingLimits.currency, now),
    former: Object.entries(formerCurrencies).map(([currency, worth]) => ({
      ...countersOf(id, currency, now),
      worth: parseRate(worth),
    })),
  }))
  const ids = windows.flatMap(({ present, former }) => [
    present.dailyCount,
    ...[present, ...former].flatMap(({ dailySpend, monthlySpend }) => [dailySpend, monthlySpend]),
  ])
  const counters = new Map(
    ids.length === 0 ? [] : (await loadCounters(database, book, ids)).map(({ id, used }) => [id, used]),
  )
  const used = (counter: string) => counters.get(counter) ?? 0n
  return windows.map(({ present, former }) => {
    const formerly = (window: 'dailySpend' | 'monthlySpend') =>
      former.reduce(
        (sum, { worth: { numerator, denominator }, ...counter }) =>
          sum + mulDivCeil(used(counter[window]), numerator, denominator),
        0n,
      )
    const [formerDailyMinor, formerMonthlyMinor] = [formerly('dailySpend'), formerly('monthlySpend')]
    return {
      dailyCount: used(present.dailyCount),
      dailySpendMinor: used(present.dailySpend) + formerDailyMinor,
      monthlySpendMinor: used(present.monthlySpend) + formerMonthlyMinor,
      formerDailyMinor,
      formerMonthlyMinor,
    }
  })
}

/** The usage as answers show it, with the UTC day and month in which it begins anew. */
export function renderUsage(usage: Usage, now: Instant): AgentUsage {
  const date = new Date(now)
  const tomorrow = Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + 1)
  const nextMonth = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
  return {
    dailyTransactionCount: toWireAmount(usage.dailyCount),
    dailySpend: told(usage.dailySpendMinor),
    dailyResetDate: toTimestamp(tomorrow).slice(0, 10),
    monthlySpend: told(usage.monthlySpendMinor),
    monthlyResetMonth: toTimestamp(nextMonth).slice(0, 7),
  }
}

/** Where nothing limits it, what was spent may come to more than an answer can tell (conventions 4). */
function told(spentMinor: bigint): number {
  return toWireAmount(spentMinor < largestWireMinor ? spentMinor : largestWireMinor)
}
