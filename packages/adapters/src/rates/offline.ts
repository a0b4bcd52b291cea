import type { RateSource } from '@corridor/engine/ports/adapters.ts'
import { currencies } from '@corridor/engine/reference/currencies/index.ts'
import { snapshotStamp } from '@corridor/engine/reference/rates/index.ts'

/** The indicative table that ships with the software, stamped anew every five minutes (accounts 1.2). */
export const offlineRates: RateSource = {
  async snapshot(now) {
    return { updatedAt: snapshotStamp(now), perUsd }
  },
}

const perUsd = Object.fromEntries(currencies.map((currency) => [currency.code, currency.perUsd]))
