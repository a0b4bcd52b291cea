import { parseRate, type Rate } from '@corridor/kernel'
import type { RateTable } from '../ports/adapters.ts'
import type { RateSnapshot } from './rate-engine.ts'

/** Sources hand out the same table until it changes, so its text is parsed once. */
const parsed = new WeakMap<RateTable['perUsd'], RateSnapshot['perUsd']>()

/** A source's table as exact ratios. */
export function toSnapshot({ updatedAt, perUsd }: RateTable): RateSnapshot {
  let rates = parsed.get(perUsd)
  if (!rates) {
    const entries = Object.entries(perUsd).map(([code, text]): [string, Rate] => [code, parseRate(text)])
    rates = Object.fromEntries(entries)
    parsed.set(perUsd, rates)
  }
  return { updatedAt, perUsd: rates }
}
