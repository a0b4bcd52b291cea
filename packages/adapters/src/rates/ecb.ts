import { readFile } from 'node:fs/promises'
import type { RateSource, RateTable } from '@corridor/engine/ports/adapters.ts'
import { currencies } from '@corridor/engine/reference/currencies/index.ts'
import { snapshotStamp } from '@corridor/engine/reference/rates/index.ts'
import { GatheredBytes, gatherBody, type Instant, type World } from '@corridor/kernel'
import { type DailyRates, parseDailyRates } from './ecb-file.ts'

export interface EcbOptions {
  /** An http(s) address, or the path of a file that somebody else keeps up to date. */
  readonly source: string
  /** Whether currencies that the bank does not publish are taken from the table of the software. */
  readonly fillsFromTable: boolean
  /** Older tables price nothing. Weekends and the longest run of holidays have to fit in. */
  readonly maxAgeDays: number
}

const dayMs = 86_400_000
/** The bank publishes at about 16:00 in Frankfurt on working days: 14:00 UTC in summer, 15:00 in winter. */
const earliestHourUtc = 14
const retryMs = 15 * 60_000
const firstRetryMs = 30_000
const timeoutMs = 10_000
const largestAnswer = 1024 * 1024

const nothing: RateTable['perUsd'] = {}

/**
 * The daily reference rates of the European Central Bank. A table is kept until the next one is due; while
 * that is being fetched, and when it cannot be, the last good one stands. What is too old prices nothing,
 * and quotes answer QUOTE_REQUEST_FAILED.
 */
export function ecbRates(
  world: Pick<World, 'now' | 'fetch' | 'log'>,
  { source, fillsFromTable, maxAgeDays }: EcbOptions,
): RateSource {
  let table: DailyRates | undefined
  let nextAttemptAt: Instant = 0
  let running: Promise<void> | undefined

  return {
    async snapshot(now) {
      const at = world.now()
      if (at >= nextAttemptAt) {
        running ??= refresh(at).finally(() => {
          running = undefined
        })
      }
      // Nobody waits for a new table while the old one is good.
      if (!isUsable(table, at) && running) await running
      return { updatedAt: snapshotStamp(now), perUsd: isUsable(table, at) ? table.perUsd : nothing }
    },
  }

  function isUsable(rates: DailyRates | undefined, at: Instant): rates is DailyRates {
    return rates !== undefined && at - rates.publishedAt <= maxAgeDays * dayMs
  }

  async function refresh(at: Instant): Promise<void> {
    try {
      const fetched = parseDailyRates(await read())
      if (fetched.publishedAt - at > dayMs) throw new Error('the table has a date in the future')
      if (!table || fetched.publishedAt > table.publishedAt) {
        const { perUsd } = fetched
        table = { ...fetched, perUsd: fillsFromTable ? { ...offlinePerUsd, ...perUsd } : perUsd }
        world.log.info({ date: fetched.date }, 'exchange rates of the European Central Bank read')
      }
      nextAttemptAt = Math.max(nextPublication(table), at + retryMs)
    } catch (error) {
      nextAttemptAt = at + (table ? retryMs : firstRetryMs)
      const age = table && { date: table.date, ageHours: Math.floor((at - table.publishedAt) / 3_600_000) }
      const reason = error instanceof Error ? error.message : String(error)
      const stands = isUsable(table, at) ? 'the last table stays in use' : 'no quote can be priced'
      world.log.warn({ reason, ...age }, `exchange rates could not be refreshed; ${stands}`)
    }
  }

  async function read(): Promise<string> {
    if (!/^https?:\/\//.test(source)) return readFile(source, 'utf8')
    const response = await world.fetch(source, { signal: AbortSignal.timeout(timeoutMs) })
    if (!response.ok) throw new Error(`the source responds with ${response.status}`)
    const answer = await gatherBody(response, new GatheredBytes(largestAnswer))
    if (answer.isCut) throw new Error('the response is too large')
    return new TextDecoder().decode(answer.bytes())
  }
}

/** The earliest moment at which the rates of the next working day may be out. */
function nextPublication({ date }: DailyRates): Instant {
  let next = Date.parse(`${date}T00:00:00Z`) + dayMs
  while ([0, 6].includes(new Date(next).getUTCDay())) next += dayMs
  return next + earliestHourUtc * 3_600_000
}

const offlinePerUsd = Object.fromEntries(currencies.map(({ code, perUsd }) => [code, perUsd]))
