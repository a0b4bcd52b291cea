import { type Instant, toTimestamp, toWireAmount } from '@corridor/kernel'
import type { Count } from '../../vocabulary/decision.ts'
import { fail } from '../../vocabulary/errors.ts'
import type { Volume } from './transaction.ts'

const dayMs = 24 * 60 * 60 * 1000

/** 1,000,000.00 USD: the volume of one corridor on one UTC day unless the operator says otherwise (accounts 1.3). */
const defaultDailyUsdMinor = 100_000_000n

/** The limit of a book in US cents. The operator's 0 switches it off, as with every limit. */
export function dailyUsdLimit(setting: number | undefined): bigint | undefined {
  if (setting === undefined) return defaultDailyUsdMinor
  return setting === 0 ? undefined : BigInt(setting)
}

/** What a payment counts for, and where. */
export function volumeOf(
  now: Instant,
  corridor: { readonly sendingCurrency: string; readonly receivingCurrency: string },
  usdMinor: bigint,
): Volume {
  const day = toTimestamp(now).slice(0, 10)
  return {
    counter: `${day}/${corridor.sendingCurrency}-${corridor.receivingCurrency}`,
    usdMinor: usdMinor.toString(),
  }
}

/** Counts a payment when it is executed; DAILY_VOLUME_LIMIT_EXCEEDED when the day is used up (accounts 1.3). */
export function countVolume(now: Instant, volume: Volume, limitUsdMinor: bigint | undefined): Count {
  const counted = { counter: volume.counter, addMinor: BigInt(volume.usdMinor) }
  if (limitUsdMinor === undefined) return counted
  const resetsAt = toTimestamp((Math.floor(now / dayMs) + 1) * dayMs)
  return {
    ...counted,
    limitMinor: limitUsdMinor,
    exceeded: (usedMinor) =>
      fail('DAILY_VOLUME_LIMIT_EXCEEDED', {
        limit: toWireAmount(limitUsdMinor),
        used: toWireAmount(usedMinor),
        currency: 'USD',
        resetsAt,
      }),
  }
}

/** A failed payment does not count (accounts 1.3). */
export function releaseVolume(volume: Volume | undefined): Count[] {
  return volume ? [{ counter: volume.counter, addMinor: -BigInt(volume.usdMinor) }] : []
}
